package io.margay.server.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Tables of two servers of a group.
final class SharedTableTest {
    private static final String SECRET = "what all servers of the group know, and nobody else";

    private final MemoryStore store = new MemoryStore();
    private final SharedTable left = group(SECRET, "left").table("changes");
    private final SharedTable right = group(SECRET, "right").table("changes");

    private SharedGroup group(String secret, String node) {
        return new SharedGroup(
                store,
                secret,
                "shop",
                node,
                SharedLimits.defaults(),
                new SecureRandom(),
                System::nanoTime);
    }

    private static UnaryOperator<Map<String, String>> put(String key, String value) {
        return before -> {
            Map<String, String> after = new TreeMap<>(before);
            after.put(key, value);
            return after;
        };
    }

    @Test
    void change_isSeenByOthers() throws IOException {
        assertTrue(left.isNew());
        left.update(put("a", "1"));
        assertEquals(Map.of("a", "1"), right.refresh());
        assertFalse(right.isNew());
        right.update(_ -> Map.of());
        assertEquals(Map.of(), left.refresh());
    }

    @Test
    void changesAtOnce_areBothKept_andTheLaterOfOneEntryHolds() throws IOException {
        left.update(put("a", "1"));
        right.refresh();
        store.beforeWrite =
                _ -> {
                    store.beforeWrite = _ -> {};
                    try {
                        left.update(put("a", "left"));
                        left.update(put("b", "left"));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                };
        assertEquals(Map.of("a", "right", "b", "left"), right.update(put("a", "right")));
        assertEquals(Map.of("a", "right", "b", "left"), left.refresh());
    }

    @Test
    void engineThatHasLostItsData_getsItBack_andNoOlderOneHolds() throws IOException {
        left.update(put("a", "1"));
        right.refresh();
        left.update(put("a", "2"));
        store.documents.clear();
        assertEquals(Map.of("a", "1"), right.refresh());
        assertEquals(Map.of("a", "2"), left.update(UnaryOperator.identity()));
        left.update(put("b", "3"));
        assertEquals(Map.of("a", "2", "b", "3"), right.refresh());
    }

    @Test
    void whatIsInTheEngine_saysNothingWithoutTheKey() throws IOException {
        left.update(put("secret name", "secret text"));
        SharedStore.Document document = store.documents.get("changes");
        String bytes = new String(document.content(), StandardCharsets.ISO_8859_1);
        assertFalse(bytes.contains("secret"));

        SharedTable stranger = group(SECRET + "!", "stranger").table("changes");
        assertThrows(IOException.class, stranger::refresh);
        // Neither as another version nor as another table, nor changed.
        long later = document.version() + 1;
        store.documents.put("changes", new SharedStore.Document(later, document.content()));
        assertThrows(IOException.class, right::refresh);
        store.documents.put("keys", document);
        assertThrows(IOException.class, group(SECRET, "left").table("keys")::refresh);
        byte[] changed = document.content().clone();
        changed[changed.length - 1] ^= 1;
        store.documents.put("changes", new SharedStore.Document(later, changed));
        assertThrows(IOException.class, right::refresh);
    }

    @Test
    void serversThatBeginAnew_afterTheEngineHasLostItsData_agree() throws IOException {
        for (int i = 0; i < 50; i++) {
            SharedTable first = group(SECRET, "first").table("changes");
            SharedTable second = group(SECRET, "second").table("changes");
            store.documents.clear();
            first.update(put("a", "first"));
            store.documents.clear();
            second.update(put("a", "second"));
            first.refresh();
            second.refresh();
            assertEquals(first.refresh(), second.refresh());
        }
    }

    @Test
    void engineThatTakesNoChange_orSaysNonsense_isNotAskedForever() throws IOException {
        left.update(put("a", "1"));
        store.beforeWrite =
                _ -> store.documents.put("changes", new SharedStore.Document(-5, new byte[100]));
        assertThrows(IOException.class, () -> left.update(put("a", "2")));
        store.beforeWrite = _ -> {};
        assertEquals(Map.of("a", "1"), left.entries());
        store.documents.put("changes", new SharedStore.Document(Long.MAX_VALUE, new byte[0]));
        assertThrows(SharedDataException.class, left::refresh);
        int most = SharedLimits.defaults().sealedBytesMax();
        store.documents.put("changes", new SharedStore.Document(1L << 50, new byte[most + 1]));
        assertThrows(SharedDataException.class, left::refresh);
        assertEquals(Map.of("a", "1"), left.entries());
    }

    @Test
    void table_isBounded() throws IOException {
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i <= SharedLimits.defaults().entriesMax(); i++) {
            many.put("key" + i, "");
        }
        assertThrows(IOException.class, () -> left.update(_ -> many));
        String text = "x".repeat(SharedLimits.defaults().tableBytesMax());
        assertThrows(IOException.class, () -> left.update(put("a", text)));
        assertTrue(left.isNew());
    }

    @Test
    void engineThatIsAway_isNotWaitedFor_andComesBack() throws IOException {
        SharedGroup group = group(SECRET, "left");
        SharedTable table = group.table("changes");
        store.away = true;
        for (int i = 0; i < SharedLimits.defaults().failuresMax(); i++) {
            assertThrows(IOException.class, table::refresh);
        }
        assertTrue(group.isAway());
        store.away = false;
        assertThrows(IOException.class, table::refresh);
        group.start();
        assertFalse(group.isAway());
        table.update(put("a", "1"));
        SharedReading read = group.read();
        assertEquals("[left]", read.servers().toString());
        assertEquals(1, read.refused());
        assertEquals(3, read.failures());
        group.close();
        assertEquals(0, store.present.size());
    }
}
