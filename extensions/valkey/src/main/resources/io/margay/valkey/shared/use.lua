-- What a server uses of each key, and what others use.
-- KEYS: hashes by server of `number:end in ms`. ARGV: server, time in ms, then the numbers.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for i, key in ipairs(KEYS) do
  if ARGV[i + 2] == '0' then
    redis.call('HDEL', key, ARGV[1])
  else
    redis.call('HSET', key, ARGV[1], ARGV[i + 2] .. ':' .. string.format('%.0f', now + ARGV[2]))
    redis.call('PEXPIRE', key, ARGV[2])
  end
  local others = 0
  local all = redis.call('HGETALL', key)
  for j = 1, #all, 2 do
    if all[j] ~= ARGV[1] then
      local number, ends = string.match(all[j + 1], '^(%d+):(%d+)$')
      if number and tonumber(ends) > now then
        others = others + number
      else
        redis.call('HDEL', key, all[j])
      end
    end
  end
  answer[i] = others
end
return answer
