package io.margay.transport.tls.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.testkit.SelfSigned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateIndexTest {
    private static final long SEED = 43;
    private static final int LISTS = 2_000;

    @TempDir static Path folder = Path.of("");
    private static List<SelfSigned> made = List.of();

    @BeforeAll
    static void makeFiles() {
        made =
                List.of(
                        SelfSigned.make(folder, "ec", "EC", List.of("DNS:a.example")),
                        SelfSigned.make(folder, "rsa", "RSA", List.of("DNS:a.example")));
    }

    private static CertifiedKey key(int kind, List<String> names) {
        SelfSigned one = made.get(kind);
        return new CertifiedKey(List.of(one.certificate()), one.privateKey(), names, null);
    }

    @Test
    void of_anyList_findsWhatALookAtEachKeyFinds() {
        List<String> names =
                List.of("a.example", "b.a.example", "*.example", "*.a.example", "b.example", "x");
        List<String> hosts =
                List.of(
                        "a.example",
                        "b.a.example",
                        "c.a.example",
                        "c.example",
                        "x",
                        "d.c.example",
                        ".example",
                        "example");
        Random random = new Random(SEED);
        for (int i = 0; i < LISTS; i++) {
            List<CertifiedKey> keys = new ArrayList<>();
            int count = 1 + random.nextInt(6);
            for (int k = 0; k < count; k++) {
                List<String> own = new ArrayList<>(names);
                own.removeIf(_ -> random.nextInt(3) > 0);
                keys.add(key(random.nextInt(2), own));
            }
            CertificateIndex<Void> index = new CertificateIndex<>(keys);
            assertSameKeys(linear(keys, null), index.of(null).keys(), SEED + ": " + i);
            for (String host : hosts) {
                String which = SEED + ": list " + i + ", " + host;
                assertSameKeys(linear(keys, host), index.of(host).keys(), which);
            }
        }
    }

    private static void assertSameKeys(
            List<CertifiedKey> wanted, List<CertifiedKey> found, String which) {
        assertEquals(wanted.size(), found.size(), which);
        for (int i = 0; i < wanted.size(); i++) {
            assertSame(wanted.get(i), found.get(i), which);
        }
    }

    /// The same by looking at each key.
    private static List<CertifiedKey> linear(List<CertifiedKey> keys, @Nullable String host) {
        List<CertifiedKey> candidates = new ArrayList<>();
        if (host != null) {
            keys.stream().filter(one -> one.names().contains(host)).forEach(candidates::add);
            int dot = host.indexOf('.');
            if (candidates.isEmpty() && dot > 0) {
                String wild = "*" + host.substring(dot);
                keys.stream().filter(one -> one.names().contains(wild)).forEach(candidates::add);
            }
        }
        if (candidates.isEmpty()) {
            CertifiedKey first = keys.getFirst();
            candidates.add(first);
            keys.stream()
                    .filter(one -> !one.names().isEmpty() && one.names().equals(first.names()))
                    .forEach(candidates::add);
        }
        Map<CertifiedKey, Boolean> seen = new IdentityHashMap<>();
        List<CertifiedKey> found = new ArrayList<>();
        for (CertifiedKey one : candidates) {
            if (seen.put(one, true) == null
                    && found.stream().noneMatch(o -> o.keyType().equals(one.keyType()))) {
                found.add(one);
            }
        }
        return found;
    }

    @Test
    void with_oneKeyRenewed_keepsWhatTheOthersShow() {
        CertifiedKey first = key(0, List.of("a.example"));
        CertifiedKey second = key(0, List.of("b.example", "*.b.example"));
        CertificateIndex<String> before = new CertificateIndex<>(List.of(first, second));
        before.of("a.example").open("opened");
        CertificateIndex<String> after =
                before.with(List.of(first, key(0, List.of("b.example", "*.b.example"))));
        assertSame(before.of("a.example"), after.of("a.example"));
        assertEquals("opened", after.of("a.example").opened());
        assertNotSame(before.of("b.example"), after.of("b.example"));
        assertSame(after.of("b.example"), after.of("c.b.example"));
        assertEquals(2, after.all().size());
    }
}
