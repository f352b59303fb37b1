-- Takes tokens out of buckets, each of which is kept as the time in microseconds at which it is full.
-- KEYS: buckets. ARGV: the interval of a token in ns, then the number taken of each bucket.
-- Answers after how many microseconds each is full.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local answer = {}
for i, key in ipairs(KEYS) do
  local full = math.max(now, tonumber(redis.call('GET', key) or '0'))
  full = full + ARGV[i + 1] * ARGV[1] / 1000
  local left = math.ceil(full - now)
  if left > 0 then
    redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil(left / 1000))
  end
  answer[i] = left
end
return answer
