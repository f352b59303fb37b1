package io.margay.valkey.members;

import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberRegistry;
import io.margay.valkey.ValkeyConnector;
import io.margay.valkey.ValkeyScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Members in Valkey: of each upstream a hash of their lines by name, and a sorted set of the ends
/// of their leases, by Valkey's own clock. Whatever is asked is one script. Thread-safe.
record ValkeyRegistry(ValkeyConnector connector, DiscoveryLimits limits) implements MemberRegistry {
    private static final ValkeyScript PUT = script("put.lua");
    private static final ValkeyScript REMOVE = script("remove.lua");
    private static final ValkeyScript READ = script("read.lua");

    /// A line and its signature.
    private static final int SIGNATURE_CHARS = 65;

    private static ValkeyScript script(String file) {
        return ValkeyScript.read(file, ValkeyRegistry.class.getResourceAsStream(file));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    /// Both at one place of a cluster.
    private static List<byte[]> keys(String upstream) {
        return List.of(
                bytes("margay:members:{" + upstream + "}"),
                bytes("margay:leases:{" + upstream + "}"));
    }

    private Object run(ValkeyScript script, String upstream, byte[]... arguments)
            throws IOException {
        List<byte[]> keys = keys(upstream);
        return connector.ask(client -> script.run(client, keys, List.of(arguments)));
    }

    @Override
    public void put(String upstream, String name, String line, Duration lease) throws IOException {
        Object done =
                run(
                        PUT,
                        upstream,
                        bytes(name),
                        bytes(line),
                        bytes(lease.toMillis()),
                        bytes(limits.membersMax()));
        if (done.equals(0L)) {
            throw new IOException("too many members are registered");
        }
        if (done.equals(2L)) {
            throw new IOException("another member is registered as " + name);
        }
    }

    @Override
    public void remove(String upstream, String name) throws IOException {
        Object _ = run(REMOVE, upstream, bytes(name));
    }

    @Override
    public Map<String, String> read(String upstream) throws IOException {
        List<?> found =
                (List<?>)
                        run(
                                READ,
                                upstream,
                                bytes(limits.membersMax() + 1),
                                bytes(limits.lineMax() + SIGNATURE_CHARS));
        Map<String, String> lines = new HashMap<>();
        for (int i = 0; i + 1 < found.size(); i += 2) {
            lines.put(text(found.get(i)), text(found.get(i + 1)));
        }
        return lines;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connector.close();
    }
}
