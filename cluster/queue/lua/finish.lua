-- Ends the task, once: its outcome, when it goes, and the counters.
-- even when full
-- uses observe
local was, tool, lane, created, started, estimate =
  unpack(redis.call('HMGET', KEYS[1], 'status', 'tool', 'lane', 'created', 'started', 'estimate'))
if was ~= '99' and was ~= '2' then return 0 end
local task, status, trouble, reason, now, expires = unpack(ARGV, 1, 6)
redis.call('HSET', KEYS[1], 'status', status, 'trouble', trouble, 'reason', reason, 'finished', now, 'expires', expires)
redis.call('HDEL', KEYS[1], 'secrets')
redis.call('ZADD', KEYS[3], expires, 'task:' .. task)
for i = 7, #ARGV do redis.call('ZADD', KEYS[3], 'GT', expires, ARGV[i]) end
if estimate ~= '1' then -- nobody asked for it: it is no task of the operator's figures
  redis.call('HINCRBY', 'stats:tasks', tool .. ' ' .. status .. ' ' .. reason, 1)
  observe('stats:waiting', lane, (started or now) - created)
  observe('stats:working', lane, now - (started or now))
  observe('stats:tools', tool, now - (started or now))
end
redis.call('PUBLISH', KEYS[2], 'finish')
return 1
