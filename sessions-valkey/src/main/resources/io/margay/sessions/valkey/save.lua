-- KEYS[1] a session; ARGV: 1 = all of it, its interval, how long it stays when it is due, its head
-- or nothing, how many fields are put, names and values of these, names of fields to be removed.
local field = redis.call('HMGET', KEYS[1], 'v', 'x')
if field[2] then return {'removed'} end
local whole = ARGV[1] == '1'
if not field[1] and not whole then return {'absent'} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local version = now
if field[1] then version = string.format('%.0f', field[1] + 1) end
if whole then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'v', version, 't', now, 'i', ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'h', ARGV[4]) end
local put = 5 + 2 * tonumber(ARGV[5])
for at = 6, put, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = put + 1, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
if tonumber(ARGV[2]) > 0 then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] + ARGV[3]))
else
  redis.call('PERSIST', KEYS[1])
end
return {'as', version, now}
