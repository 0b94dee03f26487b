-- Waiting parts: one list an owner, the owners of a lane and rank in the order of their turns, and how many wait.
local function enqueue(lane, rank, owner, item, push)
  local ranked = 'lane:' .. lane .. ':' .. rank
  if redis.call(push, ranked .. ':of:' .. owner, item) == 1 then
    redis.call('RPUSH', ranked .. ':owners', owner)
  end
  redis.call('INCR', ranked .. ':waiting')
  redis.call('LPUSH', 'lane:' .. lane .. ':bell', 1)
  redis.call('LTRIM', 'lane:' .. lane .. ':bell', 0, 99)
end
local function take_out(lane, rank, owner, task)
  local ranked, taken = 'lane:' .. lane .. ':' .. rank, {}
  local list = ranked .. ':of:' .. owner
  for _, item in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if string.sub(item, 1, #task + 1) == task .. ' ' then
      redis.call('LREM', list, 1, item)
      taken[#taken + 1] = item
    end
  end
  if #taken > 0 then redis.call('DECRBY', ranked .. ':waiting', #taken) end
  if #taken > 0 and redis.call('EXISTS', list) == 0 then redis.call('LREM', ranked .. ':owners', 0, owner) end
  return taken
end
-- The lanes that a task's parts may wait in: its own first, then those that its shares name.
local function lanes_of(key)
  local own, named = unpack(redis.call('HMGET', key, 'lane', 'lanes'))
  local lanes = {own}
  for lane in string.gmatch(named or '', '%S+') do lanes[#lanes + 1] = lane end
  return lanes
end
local function in_turn(ranked)
  local owners = redis.call('LRANGE', ranked .. ':owners', 0, -1)
  if #owners > 1 and owners[1] == redis.call('GET', ranked .. ':last') then
    table.insert(owners, table.remove(owners, 1))
  end
  return owners
end
