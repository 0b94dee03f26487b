-- Another slot may hold the message by now: only the newest claim's word takes it away, or anybody's once it is over.
-- even when full
local p, status = 'p' .. ARGV[1], redis.call('HGET', KEYS[1], 'status')
local lives = (status == '99' or status == '2') and redis.call('HEXISTS', KEYS[1], p .. '.end') == 0
if lives and redis.call('HGET', KEYS[1], p .. '.fence') ~= ARGV[2] then return 0 end
redis.call('XACK', KEYS[2], 'slots', ARGV[3])
return redis.call('XDEL', KEYS[2], ARGV[3])
