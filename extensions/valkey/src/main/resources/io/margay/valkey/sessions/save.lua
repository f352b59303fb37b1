-- KEYS[1] a session; ARGV: 1 = all of it, its interval, how long it stays when it is due, its head
-- or nothing, who holds copies there, who writes, the number of its write, the version that it knows
-- or nothing, when its request began, how many fields are put; of each its name, its value, the version
-- known when it was changed, and when that request began; of each that is to be removed, the same
-- without a value.
-- A field a:NAME has a mark w:NAME, or d:NAME once it is removed: VERSION:WRITER:NUMBER of the write, and
-- when its request began.
local field = redis.call('HMGET', KEYS[1], 'v', 'x', 'n')
if field[2] then return {'removed'} end
local whole = ARGV[1] == '1'
if not field[1] and not whole then return {'absent'} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local version = now
if field[1] then version = string.format('%.0f', field[1] + 1) end
local fenced = ARGV[8] ~= ''
local mark = version .. ':' .. ARGV[6] .. ':' .. ARGV[7] .. ':'

-- Whether another server has written it since, by a request that began no sooner, or this one by a later
-- write.
local function late(name, since, begun)
  if not fenced or not field[1] or tonumber(field[1]) <= tonumber(since) then return false end
  local short = string.sub(name, 3)
  local marks = redis.call('HMGET', KEYS[1], 'w:' .. short, 'd:' .. short)
  local found = marks[1] or marks[2]
  if not found then return false end
  local at, writer, number, other = string.match(found, '^(%d+):(%w+):(%d+):(%d+)$')
  if not at or tonumber(at) <= tonumber(since) then return false end
  if writer == ARGV[6] then return tonumber(number) >= tonumber(ARGV[7]) end
  return tonumber(other) >= tonumber(begun)
end

-- The first write is one that is refused when there is no room.
redis.call('HSET', KEYS[1], 'v', version, 't', now, 'i', ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'h', ARGV[4]) end
local left = {}
local put = 10 + 4 * tonumber(ARGV[10])
local has = {}
for at = 11, put, 4 do
  local name = ARGV[at]
  has[name] = true
  if late(name, ARGV[at + 2], ARGV[at + 3]) then
    left[#left + 1] = name
  else
    redis.call('HSET', KEYS[1], name, ARGV[at + 1])
    local short = string.sub(name, 3)
    if fenced then redis.call('HSET', KEYS[1], 'w:' .. short, mark .. ARGV[at + 3]) end
    redis.call('HDEL', KEYS[1], 'd:' .. short)
  end
end
local gone = {}
for at = put + 1, #ARGV, 3 do gone[#gone + 1] = {ARGV[at], ARGV[at + 1], ARGV[at + 2]} end
if whole and field[1] then
  for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(name, 1, 2) == 'a:' and not has[name] then
      gone[#gone + 1] = {name, ARGV[8], ARGV[9]}
    end
  end
end
for _, each in ipairs(gone) do
  if late(each[1], each[2], each[3]) then
    left[#left + 1] = each[1]
  else
    local short = string.sub(each[1], 3)
    redis.call('HDEL', KEYS[1], each[1], 'w:' .. short)
    if fenced then redis.call('HSET', KEYS[1], 'd:' .. short, mark .. each[3]) end
  end
end
if #gone > 0 then
  -- Some dozen are remembered.
  local old = {}
  for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(name, 1, 2) == 'd:' then old[#old + 1] = name end
  end
  if #old > 64 then
    for _, name in ipairs(old) do redis.call('HDEL', KEYS[1], name) end
  end
end
if tonumber(ARGV[2]) > 0 then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] + ARGV[3]))
else
  redis.call('PERSIST', KEYS[1])
end
local holder = field[3]
if not holder or holder == ARGV[5] then return {'as', version, now, left, '0'} end
redis.call('HDEL', KEYS[1], 'n')
redis.call('PUBLISH', 'margay:session-near:' .. holder, KEYS[1])
return {'as', version, now, left, '1'}
