package io.margay.gateway.shield;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Documents of a group in memory. Confined to the thread of the test.
final class MemoryStore implements SharedStore {
    private final Map<String, Document> all = new HashMap<>();

    /// A server of the group.
    SharedGroup group(String node) {
        return new SharedGroup(
                this,
                "a secret that is long enough",
                "shop",
                node,
                SharedLimits.defaults(),
                new SecureRandom(),
                () -> 0);
    }

    @Override
    public Document read(String name, long known) {
        return all.getOrDefault(name, new Document(0, new byte[0]));
    }

    @Override
    public boolean write(String name, long known, long version, byte[] content) {
        if (read(name, 0).version() != known) {
            return false;
        }
        all.put(name, new Document(version, content));
        return true;
    }

    @Override
    public boolean lease(String name, String holder, Duration time) {
        return true;
    }

    @Override
    public List<String> present(String server, Duration time, int most) {
        return List.of(server);
    }

    @Override
    public void absent(String server) {}

    @Override
    public long[] take(String table, long intervalNanos, List<Count> taken) {
        return new long[taken.size()];
    }

    @Override
    public long[] use(String table, String server, Duration time, List<Count> used) {
        return new long[used.size()];
    }

    @Override
    public void close() {}
}
