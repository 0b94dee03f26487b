-- Progress of a part: 1, or 0 from a late worker.
-- even when full
if redis.call('HGET', KEYS[1], 'p' .. ARGV[1] .. '.fence') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'p' .. ARGV[1] .. '.done', ARGV[3], 'stage', ARGV[4])
redis.call('PUBLISH', KEYS[2], 'tell')
return 1
