-- Gives a part back to the front of its owner's list, in the lane that it came from.
-- even when full
-- uses waiting
local task, part, fence, message, now, lane = unpack(ARGV)
if redis.call('HGET', KEYS[1], 'p' .. part .. '.fence') ~= fence then return 0 end
if redis.call('XACK', KEYS[2], 'slots', message) == 0 then return 0 end
redis.call('XDEL', KEYS[2], message)
local status, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'status', 'rank', 'owner'))
if (status ~= '2' and status ~= '99') or redis.call('HEXISTS', KEYS[1], 'p' .. part .. '.end') == 1 then
  return 0 end
redis.call('HSET', KEYS[1], 'status', 99, 'stage', 'queued')
redis.call('HINCRBY', 'stats:returned', lane .. ' died', 1)
enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'LPUSH')
redis.call('PUBLISH', KEYS[3], 'release')
return 1
