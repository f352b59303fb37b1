-- KEYS[1] a session; ARGV: 1 = all of it, its interval, how long it stays when it is due, its head
-- or nothing, who writes, how many fields are put, names and values of these, names of fields to be
-- removed.
local field = redis.call('HMGET', KEYS[1], 'v', 'x', 'n')
if field[2] then return {'removed'} end
local whole = ARGV[1] == '1'
if not field[1] and not whole then return {'absent'} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local version = now
if field[1] then version = string.format('%.0f', field[1] + 1) end
if whole then
  -- The first write is one that is refused when there is no room: DEL never is, nor what follows it.
  redis.call('HSET', KEYS[1], 'v', version)
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[1], 'v', version, 't', now, 'i', ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'h', ARGV[4]) end
local put = 6 + 2 * tonumber(ARGV[6])
for at = 7, put, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = put + 1, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
if tonumber(ARGV[2]) > 0 then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] + ARGV[3]))
else
  redis.call('PERSIST', KEYS[1])
end
local holder = field[3]
if not holder then return {'as', version, now, '0'} end
if holder == ARGV[5] then
  if whole then redis.call('HSET', KEYS[1], 'n', holder) end
  return {'as', version, now, '0'}
end
redis.call('HDEL', KEYS[1], 'n')
redis.call('PUBLISH', 'margay:session-near:' .. holder, KEYS[1])
return {'as', version, now, '1'}
