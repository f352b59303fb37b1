-- A member leaves. KEYS: members by name, ends of leases by name. ARGV: name.
redis.call('HDEL', KEYS[1], ARGV[1])
return redis.call('ZREM', KEYS[2], ARGV[1])
