-- {task, part, stream, message, fence}; the fence is -1 when the part is over or its task is gone.
-- uses waiting
local lane, slot, idle, now, guest_turn = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local function in_group(stream, ...)
  local found = redis.pcall(...)
  if type(found) == 'table' and found.err then
    if not string.find(found.err, 'NOGROUP') then error(found.err) end
    redis.call('XGROUP', 'CREATE', stream, 'slots', '0', 'MKSTREAM')
    found = redis.call(...)
  end
  return found
end
local function taken_over(stream)
  local found = in_group(stream, 'XAUTOCLAIM', stream, 'slots', slot, idle, '0-0', 'COUNT', 1)[2][1]
  if found then redis.call('HINCRBY', 'stats:returned', lane .. ' silent', 1) end
  return found
end
local function undelivered(stream)
  local found = in_group(stream, 'XREADGROUP', 'GROUP', 'slots', slot, 'COUNT', 1, 'STREAMS', stream, '>')
  return found and found[1][2][1]
end
local function next_turn(ranked)
  local owner = in_turn(ranked)[1]
  if not owner then return nil end
  if owner ~= redis.call('LINDEX', ranked .. ':owners', 0) then
    redis.call('LMOVE', ranked .. ':owners', ranked .. ':owners', 'LEFT', 'RIGHT')
  end
  redis.call('SET', ranked .. ':last', owner)
  local list = ranked .. ':of:' .. owner
  local task, part, since = string.match(redis.call('LPOP', list), '(%S+) (%S+) (%S+)')
  if redis.call('EXISTS', list) == 0 then redis.call('LPOP', ranked .. ':owners') end
  redis.call('XADD', ranked, '*', 'task', task, 'part', part, 'since', since)
  return undelivered(ranked)
end
local function begin(task, part)
  local key = 'task:' .. task
  if redis.call('HEXISTS', key, 'p' .. part .. '.end') == 1 then return -1 end
  local status = redis.call('HGET', key, 'status')
  if status ~= '99' and status ~= '2' then return -1 end
  redis.call('HSET', key, 'status', 2)
  redis.call('HSETNX', key, 'started', now)
  local fence = redis.call('HINCRBY', key, 'p' .. part .. '.fence', 1)
  redis.call('PUBLISH', 'events:' .. task, 'begin')
  return fence
end

local ranks = {'member', 'guest'}
local made = tonumber(redis.call('GET', 'claims:' .. lane) or '0')
if (made + 1) % guest_turn == 0 then ranks = {'guest', 'member'} end
for _, rank in ipairs(ranks) do
  local stream = 'lane:' .. lane .. ':' .. rank
  local found = taken_over(stream) or undelivered(stream) or next_turn(stream)
  if found then
    redis.call('INCR', 'claims:' .. lane)
    local task, part = found[2][2], found[2][4]
    return {task, part, stream, found[1], begin(task, part)}
  end
end
return false
