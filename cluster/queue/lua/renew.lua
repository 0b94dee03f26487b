-- 1, or 0 when the claim is no longer the newest or its message is somebody else's.
-- even when full
if redis.call('HGET', KEYS[1], 'p' .. ARGV[1] .. '.fence') ~= ARGV[2] then return 0 end
local held = redis.call('XPENDING', KEYS[2], 'slots', ARGV[3], ARGV[3], 1)[1]
if not held or held[2] ~= ARGV[4] then return 0 end
redis.call('XCLAIM', KEYS[2], 'slots', ARGV[4], 0, ARGV[3], 'JUSTID')
return 1
