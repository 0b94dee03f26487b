-- How many more tasks all of the sets can take that hold `most` of them, or `wanted` if that is less. Who cost nothing
-- after all is looked for only where it matters: a town's set holds hundreds.
local function places(keys, most, wanted)
  local least = wanted
  for i, key in ipairs(keys) do
    if most[i] - redis.call('SCARD', key) < least then
      for _, task in ipairs(redis.call('SMEMBERS', key)) do
        local status, reason = unpack(redis.call('HMGET', 'task:' .. task, 'status', 'reason'))
        if status == '6' or FREE[reason] then redis.call('SREM', key, task) end
      end
      least = math.min(least, math.max(0, most[i] - redis.call('SCARD', key)))
    end
  end
  return least
end
