-- KEYS[1] one that nothing has; whether a primary answers, runs scripts, and has room: the first write
-- of a script is refused by a replica, by one that is full, and by one whose disk is.
redis.call('HSET', KEYS[1], 'v', '1')
redis.call('DEL', KEYS[1])
return {redis.call('TIME')[1]}
