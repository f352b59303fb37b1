package io.margay.valkey.shared;

import io.margay.server.shared.SharedStore;
import io.margay.valkey.ValkeyConnector;
import io.margay.valkey.ValkeyScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What a group shares, in Valkey: a hash for each document, a sorted set of the servers that are
/// there, a key for each lease, bucket and use, which ends by itself. Whatever is asked is one
/// script, and all that it uses is at one place of a cluster. Thread-safe.
///
/// @param documentBytesMax larger ones are not read
record ValkeySharedStore(ValkeyConnector connector, String group, int documentBytesMax)
        implements SharedStore {
    private static final ValkeyScript READ = script("read.lua");
    private static final ValkeyScript WRITE = script("write.lua");
    private static final ValkeyScript LEASE = script("lease.lua");
    private static final ValkeyScript PRESENT = script("present.lua");
    private static final ValkeyScript TAKE = script("take.lua");
    private static final ValkeyScript USE = script("use.lua");

    private static ValkeyScript script(String file) {
        return ValkeyScript.read(file, ValkeySharedStore.class.getResourceAsStream(file));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    /// @param at what is at one place of a cluster has the same
    private String prefix(String at) {
        return "margay:shared:{" + group + " " + at + "}";
    }

    private Object run(ValkeyScript script, String key, byte[]... arguments) throws IOException {
        List<byte[]> keys = List.of(bytes(key));
        return connector.ask(client -> script.run(client, keys, List.of(arguments)));
    }

    @Override
    public Document read(String name, long known) throws IOException {
        List<?> answer = (List<?>) run(READ, prefix(name), bytes(known), bytes(documentBytesMax));
        byte[] content = answer.size() < 2 ? new byte[0] : (byte[]) answer.get(1);
        return new Document((Long) answer.getFirst(), content);
    }

    @Override
    public boolean write(String name, long known, long version, byte[] content) throws IOException {
        return run(WRITE, prefix(name), bytes(known), bytes(version), content).equals(1L);
    }

    @Override
    public boolean lease(String name, String holder, Duration time) throws IOException {
        return run(LEASE, prefix("lease " + name), bytes(holder), bytes(time.toMillis()))
                .equals(1L);
    }

    @Override
    public List<String> present(String server, Duration time, int most) throws IOException {
        List<?> answer =
                (List<?>)
                        run(
                                PRESENT,
                                prefix("servers"),
                                bytes(server),
                                bytes(time.toMillis()),
                                bytes(most));
        return answer.stream()
                .map(each -> new String((byte[]) each, StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    public void absent(String server) throws IOException {
        byte[] key = bytes(prefix("servers"));
        Long _ = connector.ask(client -> client.zrem(key, bytes(server)));
    }

    @Override
    public long[] take(String table, long intervalNanos, List<Count> taken) throws IOException {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(bytes(intervalNanos));
        long[] micros = run(TAKE, "bucket " + table, taken, arguments);
        for (int i = 0; i < micros.length; i++) {
            micros[i] = TimeUnit.MICROSECONDS.toNanos(micros[i]);
        }
        return micros;
    }

    @Override
    public long[] use(String table, String server, Duration time, List<Count> used)
            throws IOException {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(bytes(server));
        arguments.add(bytes(time.toMillis()));
        return run(USE, "use " + table, used, arguments);
    }

    private long[] run(ValkeyScript script, String at, List<Count> counts, List<byte[]> arguments)
            throws IOException {
        String prefix = prefix(at);
        List<byte[]> keys = new ArrayList<>();
        for (Count each : counts) {
            keys.add(bytes(prefix + Long.toHexString(each.key())));
            arguments.add(bytes(each.number()));
        }
        List<?> answer = (List<?>) connector.ask(client -> script.run(client, keys, arguments));
        return answer.stream().mapToLong(Long.class::cast).toArray();
    }

    @Override
    public void close() {
        connector.close();
    }
}
