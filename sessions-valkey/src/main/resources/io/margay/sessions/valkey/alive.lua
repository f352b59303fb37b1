-- KEYS[1] any; whether a primary answers, and runs scripts.
return {redis.call('TIME')[1]}
