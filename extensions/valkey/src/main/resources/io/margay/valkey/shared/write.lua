-- Replaces a document whose version is known. It is forgotten when nobody changes it for 30 days:
-- servers that have it write it again.
-- KEYS: the document. ARGV: the version that it has, the one that it gets, content.
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0') or 0
if version ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'content', ARGV[3])
redis.call('PEXPIRE', KEYS[1], 2592000000)
return 1
