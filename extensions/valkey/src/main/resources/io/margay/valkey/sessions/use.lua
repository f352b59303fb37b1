-- KEYS[1] a session; ARGV: the version that is known, how long it stays when it is due, who asks, 1 =
-- it keeps a copy that it uses without asking, for how long at most.
local field = redis.call('HMGET', KEYS[1], 'v', 't', 'i', 'x', 'n')
if field[4] then return {'removed'} end
if not field[1] then return {'absent'} end
local holder = field[5]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval = tonumber(field[3])
if interval > 0 then
  local due = tonumber(field[2]) + interval
  if holder then due = due + math.min(tonumber(ARGV[5]), interval / 4) end
  if now >= due then return {'absent'} end
end
local kept
if interval > 0 then
  kept = redis.pcall('PEXPIRE', KEYS[1], string.format('%.0f', interval + ARGV[2]))
else
  kept = redis.pcall('HSET', KEYS[1], 't', string.format('%.0f', now))
end
if type(kept) == 'table' and kept.err then
  -- A disk without room refuses each write: what is there is read all the same, but no copy is kept.
  if ARGV[4] == '1' or not string.find(kept.err, 'MISCONF', 1, true) then return kept end
  if field[1] == ARGV[1] then return {'same', field[2], '0'} end
  return {'found', field[1], field[2], redis.call('HGETALL', KEYS[1]), '0'}
end
redis.call('HSET', KEYS[1], 't', string.format('%.0f', now))
local broken = '0'
if holder and holder ~= ARGV[3] then
  redis.call('HDEL', KEYS[1], 'n')
  redis.call('PUBLISH', 'margay:session-near:' .. holder, KEYS[1])
  broken = '1'
end
if ARGV[4] == '1' and holder ~= ARGV[3] then redis.call('HSET', KEYS[1], 'n', ARGV[3]) end
if field[1] == ARGV[1] then return {'same', field[2], broken} end
return {'found', field[1], field[2], redis.call('HGETALL', KEYS[1]), broken}
