-- The plan's shares become parts, once; each waits in the lane that it names, or in its task's.
-- even when full
-- uses waiting
local task, now, shares, named = ARGV[1], ARGV[4], ARGV[5], {unpack(ARGV, 6)}
if redis.call('HGET', KEYS[1], 'p' .. ARGV[2] .. '.fence') ~= ARGV[3] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'shares') == 1 then return 0 end
redis.call('HSET', KEYS[1], 'shares', shares, 'parts', #named + 1)
redis.call('HINCRBY', KEYS[1], 'left', #named)
local own, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
local lanes, met = {}, {[own] = true}
for part, lane in ipairs(named) do
  if lane == '' then lane = own end
  enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'RPUSH')
  if not met[lane] then
    met[lane] = true
    lanes[#lanes + 1] = lane
  end
end
if #lanes > 0 then redis.call('HSET', KEYS[1], 'lanes', table.concat(lanes, ' ')) end
return 1
