-- A server is there. KEYS: servers by the end of their time. ARGV: name, time in ms, servers at
-- most. Answers all that are there.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 2 * ARGV[2])
return redis.call('ZRANGE', KEYS[1], 0, ARGV[3] - 1)
