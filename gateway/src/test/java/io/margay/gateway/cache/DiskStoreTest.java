package io.margay.gateway.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.CacheRule;
import io.margay.protocol.caching.CachePolicy;
import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Vary;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a cache keeps in files, over restarts and whatever becomes of them.
@Timeout(60)
final class DiskStoreTest {
    private static final int LARGE = 100_000;
    private static final String KEY = "http://shop.example/a";

    @TempDir Path folder;

    private DiskStore disk;
    private CacheStore store;

    private void start(long bytesMax, String rule) throws InterruptedException {
        disk = new DiskStore(folder, bytesMax, rule, () -> 1_000_000);
        store =
                new CacheStore(
                        new CacheRule.Room(1 << 20, LARGE, 2),
                        MemoryBudget.UNBOUNDED,
                        new Removals(MemoryBudget.UNBOUNDED),
                        disk);
        disk.begin(store);
        disk.settle();
    }

    private void restart() throws InterruptedException {
        disk.settle();
        store.close();
        start(1 << 20, "rule");
    }

    private static StoredResponse response(int length, String... fields) {
        FieldList all = new FieldList();
        all.add("Cache-Control", "max-age=600");
        for (int i = 0; i < fields.length; i += 2) {
            all.add(fields[i], fields[i + 1]);
        }
        byte[] content = new byte[length];
        java.util.Arrays.fill(content, (byte) 'x');
        return new StoredResponse(
                "by",
                200,
                all,
                Content.of(content),
                Vary.of(all, Fields.EMPTY),
                Freshness.of(200, all, CachePolicy.EXPLICIT, 0, 0),
                false);
    }

    private void put(String key, StoredResponse response) {
        assertTrue(store.put(key, response, store.mark(key)));
    }

    private StoredResponse found(String key) {
        return store.find(key, "by", Fields.EMPTY);
    }

    private List<Path> files(String end) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    @Test
    void response_isKnownAgain_afterARestart() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE, "X-A", "b", "Vary", "X-V"));
        put(KEY + "?small", response(10));
        restart();
        StoredResponse large = found(KEY);
        assertNotNull(large);
        assertEquals("b", large.fields().get("X-A"));
        assertEquals(LARGE, large.content().length());
        assertNull(large.content().bytes(), "it is in its file alone");
        try (FileChannel file = large.content().open()) {
            assertNotNull(file);
            ByteBuffer one = ByteBuffer.allocate(1);
            assertEquals(1, file.read(one, file.size() - 1));
            assertEquals('x', one.get(0));
        }
        StoredResponse small = found(KEY + "?small");
        assertNotNull(small);
        assertEquals(10, small.content().held());
        assertEquals(2, files(".response").size());
        for (Path file : files("")) {
            if (Files.isRegularFile(file)) {
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        store.close();
    }

    @Test
    void removedResponse_doesNotComeBack() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE));
        disk.settle();
        assertEquals(1, store.removeUrl(KEY));
        restart();
        assertNull(found(KEY));
        assertEquals(List.of(), files(".response"));
        store.close();
    }

    @Test
    void anotherRule_findsNothing() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE));
        disk.settle();
        store.close();
        start(1 << 20, "another");
        assertNull(found(KEY));
        assertEquals(List.of(), files(".response"));
        store.close();
    }

    @Test
    void filesOfAProcessBeforeTheLast_areDeleted() throws Exception {
        start(1 << 20, "rule");
        Path left = Files.writeString(folder.resolve("older-1.response"), "x");
        restart();
        assertTrue(Files.notExists(left));
        store.close();
    }

    @Test
    void damagedFile_isSetAside() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE));
        put(KEY + 1, response(LARGE));
        put(KEY + 2, response(LARGE));
        disk.settle();
        List<Path> all = files(".response");
        try (FileChannel file = FileChannel.open(all.get(0), StandardOpenOption.WRITE)) {
            file.truncate(LARGE / 2);
        }
        try (FileChannel file = FileChannel.open(all.get(1), StandardOpenOption.WRITE)) {
            int _ = file.write(ByteBuffer.wrap(new byte[] {'y'}), LARGE);
        }
        restart();
        long kept = Stream.of(KEY, KEY + 1, KEY + 2).filter(key -> found(key) != null).count();
        assertEquals(1, kept);
        assertEquals(2, disk.damaged());
        assertEquals(2, files(".damaged").size());
        store.close();
    }

    @Test
    void fileThatIsAway_isNoticed() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE));
        disk.settle();
        Files.delete(files(".response").getFirst());
        StoredResponse known = found(KEY);
        assertNotNull(known);
        assertNull(known.content().open());
        store.close();
    }

    @Test
    void size_isABound() throws Exception {
        start(5L * LARGE, "rule");
        for (int i = 0; i < 30; i++) {
            put(KEY + i, response(LARGE));
            disk.settle();
            assertTrue(disk.bytes() <= 5L * LARGE, () -> disk.bytes() + " bytes");
        }
        disk.settle();
        assertTrue(files(".response").size() <= 5);
        store.close();
    }

    @Test
    void responseWithACookie_isInMemoryAlone() throws Exception {
        start(1 << 20, "rule");
        put(KEY, response(LARGE, "Set-Cookie", "id=secret"));
        disk.settle();
        assertEquals(List.of(), files(".response"));
        assertNotNull(found(KEY));
        store.close();
    }
}
