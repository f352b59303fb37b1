-- KEYS[1] one that nothing has; whether a primary answers, and runs scripts: a replica refuses to delete.
redis.call('DEL', KEYS[1])
return {redis.call('TIME')[1]}
