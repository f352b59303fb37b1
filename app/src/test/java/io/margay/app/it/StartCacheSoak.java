package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A first start makes the cache, and the next takes it: `make first-start`.
final class StartCacheSoak {
    private static final long TRAINING_SECONDS_MAX = 150;

    @TempDir Path folder;

    private ServerProcess start() throws IOException {
        return StartCacheIT.script(folder, cache(), "run", "--http", "0");
    }

    private Path cache() {
        return folder.resolve("a cache");
    }

    @Test
    void firstStart_makesTheCache_thatTheNextUses() throws Exception {
        Path file;
        try (ServerProcess server = start()) {
            StartCacheIT.serves(server);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRAINING_SECONDS_MAX);
            while (StartCacheIT.made(cache()).isEmpty() && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
            assertEquals(1, StartCacheIT.made(cache()).size(), server.toString());
            file = StartCacheIT.made(cache()).getFirst();
            assertEquals(0, server.terminate(), server.toString());
        }
        try (ServerProcess server = start()) {
            StartCacheIT.serves(server);
            assertTrue(StartCacheIT.uses(server, file), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
    }
}
