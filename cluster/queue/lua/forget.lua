-- Takes a task and its waiting parts away.
-- uses waiting
local task = ARGV[1]
local lane, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
if not owner then return 0 end
take_out(lane, rank, owner, task)
redis.call('DEL', KEYS[1])
redis.call('ZREM', 'tasks:' .. owner, task)
redis.call('ZREM', KEYS[2], 'task:' .. task)
redis.call('PUBLISH', KEYS[3], 'gone')
return 1
