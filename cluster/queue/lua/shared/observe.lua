-- Counts one duration (ms) in the histogram of that name.
local function observe(key, name, ms)
  local bucket = 'inf'
  for _, bound in ipairs(BUCKETS) do
    if ms <= bound * 1000 then bucket = bound break end
  end
  redis.call('HINCRBY', key, name .. ' ' .. bucket, 1)
  redis.call('HINCRBY', key, name .. ' sum', math.max(0, ms))
end
