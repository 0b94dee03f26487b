-- Parts that will be claimed before the task's first waiting one, if nothing new comes.
-- uses waiting
local task, guest_turn = ARGV[1], tonumber(ARGV[2])
local lane, rank, mine = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
if not mine then return 0 end
local function waiting(each)
  local count = 0
  for _, owner in ipairs(in_turn('lane:' .. lane .. ':' .. each)) do
    count = count + redis.call('LLEN', 'lane:' .. lane .. ':' .. each .. ':of:' .. owner)
  end
  return count
end
local function first_round(list)
  for index, item in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if string.sub(item, 1, #task + 1) == task .. ' ' then return index - 1 end
  end
end
local ranked = 'lane:' .. lane .. ':' .. rank
local round = first_round(ranked .. ':of:' .. mine)
if not round then return 0 end
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
if rank == 'guest' then return before + math.min(waiting('member'), own - since + own * before) end
return before + math.min(waiting('guest'), math.floor((before + since) / own))
