-- KEYS[1] a session that may be due; ARGV: how long its end is remembered, for how long at most a
-- server uses a copy without asking.
local field = redis.call('HMGET', KEYS[1], 'v', 't', 'i', 'x', 'n')
if field[4] or not field[1] then return {'absent'} end
local interval = tonumber(field[3])
if interval <= 0 then return {'absent'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = tonumber(field[2]) + interval
if field[5] then due = due + math.min(tonumber(ARGV[2]), interval / 4) end
if now < due then return {'later', string.format('%.0f', due)} end
local all = redis.call('HGETALL', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'x', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {'taken', field[1], field[2], all}
