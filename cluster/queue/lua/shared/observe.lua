-- Counts one duration (ms) in a histogram of its lane.
local function observe(key, lane, ms)
  local bucket = 'inf'
  for _, bound in ipairs(BUCKETS) do
    if ms <= bound * 1000 then bucket = bound break end
  end
  redis.call('HINCRBY', key, lane .. ' ' .. bucket, 1)
  redis.call('HINCRBY', key, lane .. ' sum', math.max(0, ms))
end
