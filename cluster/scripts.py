"""The queue's Lua: what must happen whole or not at all. Keys as in cluster.queue's table.

Names of keys are put together inside, because a script learns whose part is next only as it runs:
one Redis (with replicas), not a Redis Cluster.
"""

#: Seconds that end a bucket of the waiting and working times.
BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800)

#: Waiting parts: one list an owner, and the owners of a lane and rank in the order of their turns.
_WAITING = """
    local function enqueue(lane, rank, owner, item, push)
      local ranked = 'lane:' .. lane .. ':' .. rank
      if redis.call(push, ranked .. ':of:' .. owner, item) == 1 then
        redis.call('RPUSH', ranked .. ':owners', owner)
      end
      redis.call('LPUSH', 'lane:' .. lane .. ':bell', 1)
      redis.call('LTRIM', 'lane:' .. lane .. ':bell', 0, 99)
    end
    local function take_out(lane, rank, owner, task)
      local ranked, taken = 'lane:' .. lane .. ':' .. rank, {}
      local list = ranked .. ':of:' .. owner
      for _, item in ipairs(redis.call('LRANGE', list, 0, -1)) do
        if string.sub(item, 1, #task + 1) == task .. ' ' then
          redis.call('LREM', list, 1, item)
          taken[#taken + 1] = item
        end
      end
      if #taken > 0 and redis.call('EXISTS', list) == 0 then redis.call('LREM', ranked .. ':owners', 0, owner) end
      return taken
    end
    local function in_turn(ranked)
      local owners = redis.call('LRANGE', ranked .. ':owners', 0, -1)
      if #owners > 1 and owners[1] == redis.call('GET', ranked .. ':last') then
        table.insert(owners, table.remove(owners, 1))
      end
      return owners
    end
"""

#: Counts one duration (ms) in a histogram of its lane.
_OBSERVE = f"""
    local function observe(key, lane, ms)
      local bucket = 'inf'
      for _, bound in ipairs({{{", ".join(str(bound) for bound in BUCKETS)}}}) do
        if ms <= bound * 1000 then bucket = bound break end
      end
      redis.call('HINCRBY', key, lane .. ' ' .. bucket, 1)
      redis.call('HINCRBY', key, lane .. ' sum', math.max(0, ms))
    end
"""

#: 'put', 'known', or which bound refused it: 'own' or 'lane'. Bounds of 0 are none. Owners take turns, so of each
#: only as many parts count against the lane as others wait for; who has none waiting may bring one batch of any size.
_PUT = """
    if redis.call('EXISTS', KEYS[1]) == 1 then return 'known' end
    local task, now, lane, rank, owner, parts = unpack(ARGV, 1, 6)
    local most_own, most_lane, share = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
    local function has(ranked, who) return redis.call('LLEN', ranked .. ':of:' .. who) end
    local mine, load = 0, 0
    for _, each in ipairs({'member', 'guest'}) do
      local ranked = 'lane:' .. lane .. ':' .. each
      mine, load = mine + has(ranked, owner), load + redis.call('XLEN', ranked)
      for _, who in ipairs(redis.call('LRANGE', ranked .. ':owners', 0, -1)) do
        load = load + math.min(share, has(ranked, who))
      end
    end
    local adds = math.min(share, mine + parts) - math.min(share, mine)
    if most_own > 0 and mine > 0 and mine + parts > most_own then return 'own' end
    if most_lane > 0 and adds > 0 and load + adds > most_lane then return 'lane' end
    redis.call('HSET', KEYS[1], unpack(ARGV, 10))
    redis.call('HSET', KEYS[1], 'status', 99)
    redis.call('ZADD', KEYS[2], now, task)
    for part = 0, parts - 1 do enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'RPUSH') end
    redis.call('PUBLISH', KEYS[3], 'put')
    return 'put'"""

#: {task, part, stream, message, fence}; the fence is -1 when the part is over or its task is gone.
_CLAIM = """
    local lane, slot, idle, now, guest_turn = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

    local function in_group(stream, ...)
      local found = redis.pcall(...)
      if type(found) == 'table' and found.err then
        if not string.find(found.err, 'NOGROUP') then error(found.err) end
        redis.call('XGROUP', 'CREATE', stream, 'slots', '0', 'MKSTREAM')
        found = redis.call(...)
      end
      return found
    end
    local function taken_over(stream)
      local found = in_group(stream, 'XAUTOCLAIM', stream, 'slots', slot, idle, '0-0', 'COUNT', 1)[2][1]
      if found then redis.call('HINCRBY', 'stats:returned', lane .. ' silent', 1) end
      return found
    end
    local function undelivered(stream)
      local found = in_group(stream, 'XREADGROUP', 'GROUP', 'slots', slot, 'COUNT', 1, 'STREAMS', stream, '>')
      return found and found[1][2][1]
    end
    local function next_turn(ranked)
      local owner = in_turn(ranked)[1]
      if not owner then return nil end
      if owner ~= redis.call('LINDEX', ranked .. ':owners', 0) then
        redis.call('LMOVE', ranked .. ':owners', ranked .. ':owners', 'LEFT', 'RIGHT')
      end
      redis.call('SET', ranked .. ':last', owner)
      local list = ranked .. ':of:' .. owner
      local task, part, since = string.match(redis.call('LPOP', list), '(%S+) (%S+) (%S+)')
      if redis.call('EXISTS', list) == 0 then redis.call('LPOP', ranked .. ':owners') end
      redis.call('XADD', ranked, '*', 'task', task, 'part', part, 'since', since)
      return undelivered(ranked)
    end
    local function begin(task, part)
      local key = 'task:' .. task
      if redis.call('HEXISTS', key, 'p' .. part .. '.end') == 1 then return -1 end
      local status = redis.call('HGET', key, 'status')
      if status ~= '99' and status ~= '2' then return -1 end
      redis.call('HSET', key, 'status', 2)
      redis.call('HSETNX', key, 'started', now)
      local fence = redis.call('HINCRBY', key, 'p' .. part .. '.fence', 1)
      redis.call('PUBLISH', 'events:' .. task, 'begin')
      return fence
    end

    local ranks = {'member', 'guest'}
    local made = tonumber(redis.call('GET', 'claims:' .. lane) or '0')
    if (made + 1) % guest_turn == 0 then ranks = {'guest', 'member'} end
    for _, rank in ipairs(ranks) do
      local stream = 'lane:' .. lane .. ':' .. rank
      local found = taken_over(stream) or undelivered(stream) or next_turn(stream)
      if found then
        redis.call('INCR', 'claims:' .. lane)
        local task, part = found[2][2], found[2][4]
        return {task, part, stream, found[1], begin(task, part)}
      end
    end
    return false"""

_RENEW = """
    if redis.call('HGET', KEYS[1], 'p' .. ARGV[1] .. '.fence') ~= ARGV[2] then return 0 end
    local held = redis.call('XPENDING', KEYS[2], 'slots', ARGV[3], ARGV[3], 1)[1]
    if not held or held[2] ~= ARGV[4] then return 0 end
    redis.call('XCLAIM', KEYS[2], 'slots', ARGV[4], 0, ARGV[3], 'JUSTID')
    return 1"""

_TELL = """
    if redis.call('HGET', KEYS[1], 'p' .. ARGV[1] .. '.fence') ~= ARGV[2] then return 0 end
    redis.call('HSET', KEYS[1], 'p' .. ARGV[1] .. '.done', ARGV[3], 'stage', ARGV[4])
    redis.call('PUBLISH', KEYS[2], 'tell')
    return 1"""

_SPREAD = """
    local task, now, shares = ARGV[1], ARGV[4], ARGV[5]
    if redis.call('HGET', KEYS[1], 'p' .. ARGV[2] .. '.fence') ~= ARGV[3] then return 0 end
    if redis.call('HEXISTS', KEYS[1], 'shares') == 1 then return 0 end
    redis.call('HSET', KEYS[1], 'shares', shares, 'parts', ARGV[6] + 1)
    redis.call('HINCRBY', KEYS[1], 'left', ARGV[6])
    local lane, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
    for part = 1, ARGV[6] do enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'RPUSH') end
    return 1"""

_DONE = """
    local p = 'p' .. ARGV[1]
    if redis.call('HGET', KEYS[1], p .. '.fence') ~= ARGV[2] then return -1 end
    if redis.call('HSETNX', KEYS[1], p .. '.end', ARGV[3]) == 0 then return -1 end
    local left = redis.call('HINCRBY', KEYS[1], 'left', -1)
    redis.call('PUBLISH', KEYS[2], 'done')
    return left"""

_FINISH = """
    local was, tool, lane, created, started =
      unpack(redis.call('HMGET', KEYS[1], 'status', 'tool', 'lane', 'created', 'started'))
    if was ~= '99' and was ~= '2' then return 0 end
    local task, status, trouble, reason, now, expires = unpack(ARGV, 1, 6)
    redis.call('HSET', KEYS[1], 'status', status, 'trouble', trouble, 'finished', now, 'expires', expires)
    redis.call('HDEL', KEYS[1], 'secrets')
    redis.call('ZADD', KEYS[3], expires, 'task:' .. task)
    for i = 7, #ARGV do redis.call('ZADD', KEYS[3], 'GT', expires, ARGV[i]) end
    redis.call('HINCRBY', 'stats:tasks', tool .. ' ' .. status .. ' ' .. reason, 1)
    observe('stats:waiting', lane, (started or now) - created)
    observe('stats:working', lane, now - (started or now))
    redis.call('PUBLISH', KEYS[2], 'finish')
    return 1"""

_RELEASE = """
    local task, part, fence, message, now = unpack(ARGV)
    if redis.call('HGET', KEYS[1], 'p' .. part .. '.fence') ~= fence then return 0 end
    if redis.call('XACK', KEYS[2], 'slots', message) == 0 then return 0 end
    redis.call('XDEL', KEYS[2], message)
    local status, lane, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'status', 'lane', 'rank', 'owner'))
    if (status ~= '2' and status ~= '99') or redis.call('HEXISTS', KEYS[1], 'p' .. part .. '.end') == 1 then
      return 0 end
    redis.call('HSET', KEYS[1], 'status', 99, 'stage', 'queued')
    redis.call('HINCRBY', 'stats:returned', lane .. ' died', 1)
    enqueue(lane, rank, owner, task .. ' ' .. part .. ' ' .. now, 'LPUSH')
    redis.call('PUBLISH', KEYS[3], 'release')
    return 1"""

#: Another slot may hold the message by now: only the newest claim's word takes it away, or anybody's once it is over.
_DROP = """
    local p, status = 'p' .. ARGV[1], redis.call('HGET', KEYS[1], 'status')
    local lives = (status == '99' or status == '2') and redis.call('HEXISTS', KEYS[1], p .. '.end') == 0
    if lives and redis.call('HGET', KEYS[1], p .. '.fence') ~= ARGV[2] then return 0 end
    redis.call('XACK', KEYS[2], 'slots', ARGV[3])
    return redis.call('XDEL', KEYS[2], ARGV[3])"""

_FORGET = """
    local task = ARGV[1]
    local lane, rank, owner = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
    if not owner then return 0 end
    take_out(lane, rank, owner, task)
    redis.call('DEL', KEYS[1])
    redis.call('ZREM', 'tasks:' .. owner, task)
    redis.call('ZREM', KEYS[2], 'task:' .. task)
    redis.call('PUBLISH', KEYS[3], 'gone')
    return 1"""

_ADOPT = """
    local task, old, new, rank = unpack(ARGV)
    redis.call('ZREM', 'tasks:' .. old, task)
    local lane, was, owner, created = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner', 'created'))
    if owner ~= old then return 0 end
    rank = rank ~= '' and rank or was
    redis.call('HSET', KEYS[1], 'owner', new, 'rank', rank)
    redis.call('ZADD', 'tasks:' .. new, created, task)
    for _, item in ipairs(take_out(lane, was, old, task)) do enqueue(lane, rank, new, item, 'RPUSH') end
    redis.call('PUBLISH', KEYS[2], 'adopt')
    return 1"""

#: Parts that will be claimed before the task's first waiting one, if nothing new comes.
_PLACE = """
    local task, guest_turn = ARGV[1], tonumber(ARGV[2])
    local lane, rank, mine = unpack(redis.call('HMGET', KEYS[1], 'lane', 'rank', 'owner'))
    if not mine then return 0 end
    local function waiting(rank)
      local count = 0
      for _, owner in ipairs(in_turn('lane:' .. lane .. ':' .. rank)) do
        count = count + redis.call('LLEN', 'lane:' .. lane .. ':' .. rank .. ':of:' .. owner)
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
    local own, since = guest_turn - 1, tonumber(redis.call('GET', 'claims:' .. lane) or '0') % guest_turn
    if rank == 'guest' then return before + math.min(waiting('member'), own - since + own * before) end
    return before + math.min(waiting('guest'), math.floor((before + since) / own))"""

#: {parts, the time (ms) since which the oldest waits or 0}
_WAITS = """
    local count, oldest = 0, 0
    for _, owner in ipairs(redis.call('LRANGE', KEYS[1] .. ':owners', 0, -1)) do
      local list = KEYS[1] .. ':of:' .. owner
      count = count + redis.call('LLEN', list)
      local since = tonumber(string.match(redis.call('LINDEX', list, 0) or '', '%S+ %S+ (%S+)') or '0')
      if oldest == 0 or since < oldest then oldest = since end
    end
    return {count, oldest}"""

SCRIPTS = {
    "put": _WAITING + _PUT,
    "claim": _WAITING + _CLAIM,
    "renew": _RENEW,
    "tell": _TELL,
    "spread": _WAITING + _SPREAD,
    "done": _DONE,
    "finish": _OBSERVE + _FINISH,
    "release": _WAITING + _RELEASE,
    "drop": _DROP,
    "forget": _WAITING + _FORGET,
    "adopt": _WAITING + _ADOPT,
    "place": _WAITING + _PLACE,
    "waits": _WAITS,
}
