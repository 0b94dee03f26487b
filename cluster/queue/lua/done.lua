-- Ends a part; how many parts are left, -1 from a late worker.
-- even when full
local p = 'p' .. ARGV[1]
if redis.call('HGET', KEYS[1], p .. '.fence') ~= ARGV[2] then return -1 end
if redis.call('HSETNX', KEYS[1], p .. '.end', ARGV[3]) == 0 then return -1 end
local left = redis.call('HINCRBY', KEYS[1], 'left', -1)
redis.call('PUBLISH', KEYS[2], 'done')
return left
