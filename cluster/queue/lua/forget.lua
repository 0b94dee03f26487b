-- Takes a task and its waiting parts away.
-- even when full
-- uses waiting
local task = ARGV[1]
local rank, owner = unpack(redis.call('HMGET', KEYS[1], 'rank', 'owner'))
if not owner then return 0 end
for _, lane in ipairs(lanes_of(KEYS[1])) do take_out(lane, rank, owner, task) end
redis.call('DEL', KEYS[1])
redis.call('ZREM', 'tasks:' .. owner, task)
redis.call('ZREM', KEYS[2], 'task:' .. task)
redis.call('PUBLISH', KEYS[3], 'gone')
return 1
