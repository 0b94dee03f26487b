-- A task and its waiting parts go to another owner.
-- uses waiting
local task, old, new, rank = unpack(ARGV)
redis.call('ZREM', 'tasks:' .. old, task)
local was, owner, created = unpack(redis.call('HMGET', KEYS[1], 'rank', 'owner', 'created'))
if owner ~= old then return 0 end
rank = rank ~= '' and rank or was
redis.call('HSET', KEYS[1], 'owner', new, 'rank', rank)
redis.call('ZADD', 'tasks:' .. new, created, task)
for _, lane in ipairs(lanes_of(KEYS[1])) do
  for _, item in ipairs(take_out(lane, was, old, task)) do enqueue(lane, rank, new, item, 'RPUSH') end
end
redis.call('PUBLISH', KEYS[2], 'adopt')
return 1
