-- KEYS[1] a session; ARGV: how long its end is remembered.
if redis.call('HEXISTS', KEYS[1], 'x') == 1 then return {'before'} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'x', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {'now'}
