-- 'put', 'known', or what refused it: the 'toll', or the bound 'own' or 'lane'. Bounds of 0 are none. Owners take
-- turns, so of each only as many parts count against the lane as others wait for; who has none waiting may bring one
-- batch of any size.
-- uses toll
-- uses waiting
if redis.call('EXISTS', KEYS[1]) == 1 then return 'known' end
local task, now, lane, rank, owner, parts = unpack(ARGV, 1, 6)
local most_own, most_lane, alive, owners = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])
local until_then, folders, life = ARGV[11], tonumber(ARGV[12]), ARGV[13]
local tolls = {unpack(KEYS, 5)}
local first = 14 + #tolls
local paid = #tolls == 0 or redis.call('SISMEMBER', tolls[1], task) == 1
if not paid and places(tolls, {unpack(ARGV, 14, 13 + #tolls)}, 1) < 1 then return 'toll' end
if alive ~= '' then most_lane = most_lane * math.max(1, redis.call('ZCOUNT', 'slots:' .. lane, alive, '+inf')) end
local share = math.max(1, math.floor(most_lane / owners))
local ranks = {'lane:' .. lane .. ':member', 'lane:' .. lane .. ':guest'}
local function has(ranked, who) return redis.call('LLEN', ranked .. ':of:' .. who) end
-- Never less than `load`, and told at once however many owners wait.
local function at_most()
  local all = 0
  for _, ranked in ipairs(ranks) do
    local waiting = tonumber(redis.call('GET', ranked .. ':waiting') or '0')
    local least = redis.call('LLEN', ranked .. ':owners')
    -- A release that does not count may be beside us: what cannot be is not believed, and forgotten when nobody waits.
    if least == 0 then
      redis.call('DEL', ranked .. ':waiting')
      waiting = 0
    end
    if waiting < least then return math.huge end
    all = all + redis.call('XLEN', ranked) + waiting
  end
  return all
end
local function load()
  local all = 0
  for _, ranked in ipairs(ranks) do
    all = all + redis.call('XLEN', ranked)
    for _, who in ipairs(redis.call('LRANGE', ranked .. ':owners', 0, -1)) do
      all = all + math.min(share, has(ranked, who))
    end
  end
  return all
end
local mine = has(ranks[1], owner) + has(ranks[2], owner)
local adds = math.min(share, mine + parts) - math.min(share, mine)
if most_own > 0 and mine > 0 and mine + parts > most_own then return 'own' end
local full = most_lane - adds
if most_lane > 0 and adds > 0 and at_most() > full and load() > full then return 'lane' end
for _, key in ipairs(tolls) do
  redis.call('SADD', key, task)
  redis.call('EXPIRE', key, life)
end
redis.call('HSET', KEYS[1], unpack(ARGV, first + folders))
for each = first, first - 1 + folders do redis.call('ZADD', KEYS[4], 'GT', until_then, ARGV[each]) end
redis.call('HSET', KEYS[1], 'status', 99)
redis.call('ZADD', KEYS[2], now, task)
for part = 0, parts - 1 do enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'RPUSH') end
redis.call('PUBLISH', KEYS[3], 'put')
return 'put'
