-- Parts that will be claimed before the task's first waiting one, if nothing new comes; of several lanes the shortest.
-- uses waiting
local task, guest_turn = ARGV[1], tonumber(ARGV[2])
local rank, mine = unpack(redis.call('HMGET', KEYS[1], 'rank', 'owner'))
if not mine then return 0 end
local function waiting(lane, each)
  local count, ranked = 0, 'lane:' .. lane .. ':' .. each
  for _, owner in ipairs(in_turn(ranked)) do count = count + redis.call('LLEN', ranked .. ':of:' .. owner) end
  return count
end
local function first_round(list)
  for index, item in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if string.sub(item, 1, #task + 1) == task .. ' ' then return index - 1 end
  end
end
local function ahead(lane)
  local ranked = 'lane:' .. lane .. ':' .. rank
  local round = first_round(ranked .. ':of:' .. mine)
  if not round then return nil end
  local before, earlier = round, 1
  for _, owner in ipairs(in_turn(ranked)) do
    if owner == mine then
      earlier = 0
    else
      before = before + math.min(redis.call('LLEN', ranked .. ':of:' .. owner), round + earlier)
    end
  end
  -- Turns run in rounds: `own` claims of members, then one of a guest; `since` claims of this round are over.
  -- A member waits for the `before` members ahead and a guest after each full round: floor((before + since) / own).
  -- A guest waits for the `before` guests ahead, the members of this round (own - since) and those of one round for
  -- each guest ahead (own * before). Neither waits for more of the other rank than are there.
  local own, since = guest_turn - 1, tonumber(redis.call('GET', 'claims:' .. lane) or '0') % guest_turn
  if rank == 'guest' then return before + math.min(waiting(lane, 'member'), own - since + own * before) end
  return before + math.min(waiting(lane, 'guest'), math.floor((before + since) / own))
end
local least
for _, lane in ipairs(lanes_of(KEYS[1])) do
  local count = ahead(lane)
  if count and (not least or count < least) then least = count end
end
return least or 0
