-- KEYS[1] a session; ARGV: how long its end is remembered, who removes it.
if redis.call('HEXISTS', KEYS[1], 'x') == 1 then return {'before', '0'} end
local holder = redis.call('HGET', KEYS[1], 'n')
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'x', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
if not holder or holder == ARGV[2] then return {'now', '0'} end
redis.call('PUBLISH', 'margay:session-near:' .. holder, KEYS[1])
return {'now', '1'}
