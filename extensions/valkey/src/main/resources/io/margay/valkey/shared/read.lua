-- A document. KEYS: the document. ARGV: the version that is known, bytes of content at most.
-- Answers its version, and its content if that is another version; none where it is too large.
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0') or 0
if version == tonumber(ARGV[1]) then
  return {version}
end
if redis.call('HSTRLEN', KEYS[1], 'content') > tonumber(ARGV[2]) then
  return {version, ''}
end
return {version, redis.call('HGET', KEYS[1], 'content') or ''}
