-- {parts, the time (ms) since which the oldest waits or 0}
local count, oldest = 0, 0
for _, owner in ipairs(redis.call('LRANGE', KEYS[1] .. ':owners', 0, -1)) do
  local list = KEYS[1] .. ':of:' .. owner
  count = count + redis.call('LLEN', list)
  local since = tonumber(string.match(redis.call('LINDEX', list, 0) or '', '%S+ %S+ (%S+)') or '0')
  if oldest == 0 or since < oldest then oldest = since end
end
return {count, oldest}
