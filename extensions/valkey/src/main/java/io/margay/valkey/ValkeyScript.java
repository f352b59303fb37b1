package io.margay.valkey;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/// A script that Valkey runs. It is sent once to each server, and then known there by its digest.
/// Immutable.
public final class ValkeyScript {
    private final byte[] source;
    private final byte[] digest;

    private ValkeyScript(byte[] source) {
        this.source = source;
        try {
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(source);
            digest = HexFormat.of().formatHex(sum).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1", e);
        }
    }

    /// A script of a library.
    ///
    /// @param file its name
    /// @param resource its text; null = the library is not whole
    public static ValkeyScript read(String file, @Nullable InputStream resource) {
        try (InputStream in = Objects.requireNonNull(resource, file)) {
            return new ValkeyScript(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Has it run.
    ///
    /// @param keys what it uses, all at one place of a cluster
    public Object run(UnifiedJedis client, List<byte[]> keys, List<byte[]> arguments) {
        try {
            return client.evalsha(digest, keys, arguments);
        } catch (JedisNoScriptException e) {
            return client.eval(source, keys, arguments);
        }
    }
}
