-- A member registers, or renews its lease.
-- KEYS: members by name, ends of leases by name. ARGV: name, line, lease in ms, members at most.
-- Answers 1 = done, 0 = there are too many, 2 = another URL has the name.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  if string.match(known, '^%S+ (%S+)') ~= string.match(ARGV[2], '^%S+ (%S+)') then
    return 2
  end
elseif redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 7200000)
redis.call('PEXPIRE', KEYS[2], 7200000)
return 1
