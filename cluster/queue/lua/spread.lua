-- The plan's shares become parts, once.
-- uses waiting
local task, now, shares = ARGV[1], ARGV[4], ARGV[5]
if redis.call('HGET', KEYS[1], 'p' .. ARGV[2] .. '.fence') ~= ARGV[3] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'shares') == 1 then return 0 end
redis.call('HSET', KEYS[1], 'shares', shares, 'parts', ARGV[6] + 1)
redis.call('HINCRBY', KEYS[1], 'left', ARGV[6])
local lane, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
for part = 1, ARGV[6] do enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'RPUSH') end
return 1
