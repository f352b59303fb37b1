-- A document. KEYS: the document. ARGV: the version that is known.
-- Answers its version, and its content if that is another version.
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version == tonumber(ARGV[1]) then
  return {version}
end
return {version, redis.call('HGET', KEYS[1], 'content') or ''}
