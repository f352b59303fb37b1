-- KEYS[1] a session; ARGV: the version that is known, how long it stays when it is due.
local field = redis.call('HMGET', KEYS[1], 'v', 't', 'i', 'x')
if field[4] then return {'removed'} end
if not field[1] then return {'absent'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval = tonumber(field[3])
if interval > 0 then
  if now - tonumber(field[2]) >= interval then return {'absent'} end
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', interval + ARGV[2]))
end
redis.call('HSET', KEYS[1], 't', string.format('%.0f', now))
if field[1] == ARGV[1] then return {'same', field[2]} end
return {'found', field[1], field[2], redis.call('HGETALL', KEYS[1])}
