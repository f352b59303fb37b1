-- The members whose leases have not ended, each with its line.
-- KEYS: members by name, ends of leases by name. ARGV: members at most, bytes of a line at most.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf', 'LIMIT', 0, ARGV[1])
local all = {}
for _, name in ipairs(names) do
  local line = redis.call('HGET', KEYS[1], name)
  if line and #line <= tonumber(ARGV[2]) and #name <= tonumber(ARGV[2]) then
    all[#all + 1] = name
    all[#all + 1] = line
  end
end
return all
