-- {task, part, stream, message, fence}; the fence is -1 when the part is over or its task is gone. `tools` are the ids
-- that the slot's release has, in blanks ('' for all): what it does not know it leaves to a slot of another release.
-- even when full
-- uses waiting
local lane, slot, idle, now, guest_turn = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local tools = ARGV[6]

local function knows(task)
  local tool = redis.call('HGET', 'task:' .. task, 'tool')
  return tools == '' or not tool or string.find(tools, ' ' .. tool .. ' ', 1, true) ~= nil
end
-- The message, or nothing when another release must have it: then it waits again, at the front.
local function for_us(stream, found)
  if not found or knows(found[2][2]) then return found end
  redis.call('XACK', stream, 'slots', found[1])
  redis.call('XDEL', stream, found[1])
  local task, part, since = found[2][2], found[2][4], found[2][6]
  local rank, owner = unpack(redis.call('HMGET', 'task:' .. task, 'rank', 'owner'))
  enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. since, 'LPUSH')
end
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
  -- One owner is looked at after another, for there may be thousands; who was passed over stands at the end.
  local owners, owner = ranked .. ':owners', nil
  local count, first = redis.call('LLEN', owners), redis.call('LINDEX', owners, 0)
  local function pass() redis.call('LMOVE', owners, owners, 'LEFT', 'RIGHT') end
  if count > 1 and first == redis.call('GET', ranked .. ':last') then pass() end
  for _ = 1, count do
    local each = redis.call('LINDEX', owners, 0)
    if knows(string.match(redis.call('LINDEX', ranked .. ':of:' .. each, 0), '%S+')) then owner = each break end
    pass()
  end
  if not owner then return nil end
  redis.call('SET', ranked .. ':last', owner)
  local list = ranked .. ':of:' .. owner
  local task, part, since = string.match(redis.call('LPOP', list), '(%S+) (%S+) (%S+)')
  redis.call('DECR', ranked .. ':waiting')
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
  local found = for_us(stream, taken_over(stream)) or for_us(stream, undelivered(stream)) or next_turn(stream)
  if found then
    redis.call('INCR', 'claims:' .. lane)
    local task, part = found[2][2], found[2][4]
    return {task, part, stream, found[1], begin(task, part)}
  end
end
return false
