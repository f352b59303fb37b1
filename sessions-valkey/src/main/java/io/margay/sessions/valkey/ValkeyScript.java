package io.margay.sessions.valkey;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/// The scripts that Valkey runs: one key, one session. Each is sent once to each server, and then
/// known there by its digest.
@SuppressWarnings("ImmutableEnumChecker") // nobody changes the arrays
enum ValkeyScript {
    USE("use.lua"),
    SAVE("save.lua"),
    REMOVE("remove.lua"),
    TAKE("take.lua"),
    DUE("due.lua"),
    ALIVE("alive.lua");

    private final byte[] source;
    private final byte[] digest;

    ValkeyScript(String file) {
        try (InputStream in = ValkeyScript.class.getResourceAsStream(file)) {
            source = Objects.requireNonNull(in, file).readAllBytes();
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(source);
            digest = HexFormat.of().formatHex(sum).getBytes(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1", e);
        }
    }

    List<?> run(UnifiedJedis client, byte[] key, List<byte[]> arguments) {
        List<byte[]> keys = List.of(key);
        try {
            return (List<?>) client.evalsha(digest, keys, arguments);
        } catch (JedisNoScriptException e) {
            return (List<?>) client.eval(source, keys, arguments);
        }
    }
}
