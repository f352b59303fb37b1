package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.transport.tls.certificate.CertificateIndex;
import io.margay.transport.tls.certificate.CertificateIndex.Shown;
import io.margay.transport.tls.certificate.CertifiedKey;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class OpenSslKeyCacheTest {
    private static final int KEPT = 3;

    @TempDir Path folder = Path.of("");
    private final OpenSslKeyCache cache = new OpenSslKeyCache(KEPT);
    private List<Shown<OpenSslKeys>> shown = List.of();

    @BeforeEach
    void makeKeys() {
        SelfSigned made = SelfSigned.make(folder, "one", "EC", List.of("DNS:a.example"));
        List<CertifiedKey> keys =
                IntStream.range(0, 6)
                        .mapToObj(i ->
                                new CertifiedKey(
                                        List.of(made.certificate()),
                                        made.privateKey(),
                                        List.of("h" + i),
                                        null))
                        .toList();
        CertificateIndex<OpenSslKeys> index = new CertificateIndex<>(keys);
        shown = IntStream.range(0, 6).mapToObj(i -> index.of("h" + i)).toList();
    }

    private OpenSslKeys used(int which) {
        OpenSslKeys keys = cache.take(shown.get(which));
        keys.give();
        return keys;
    }

    @Test
    void take_again_givesTheSame() {
        OpenSslKeys first = used(0);
        assertSame(first, used(0));
        assertEquals(1, cache.size());
    }

    @Test
    void take_moreThanAreKept_givesUpWhatIsNotInUse() {
        OpenSslKeys held = cache.take(shown.get(0));
        for (int i = 0; i < shown.size(); i++) {
            used(i);
        }
        assertEquals(KEPT, cache.size());
        held.give();
        assertFalse(shown.stream().allMatch(one -> one.opened() != null), "all six are still open");
    }

    @Test
    void give_afterItWasGivenUp_freesOnlyThen() {
        OpenSslKeys held = cache.take(shown.get(0));
        cache.retain(Set.of());
        assertNull(shown.get(0).opened());
        assertTrue(held.take(), "freed while a handshake is at it");
        held.give();
        held.give();
        assertFalse(held.take(), "not freed");
    }

    @Test
    void take_whileAnotherIsOpened_doesNotWait() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread opening =
                Thread.ofPlatform()
                        .start(() -> {
                            synchronized (shown.get(0)) { // as open() does
                                begun.countDown();
                                awaited(done);
                            }
                        });
        begun.await();
        OpenSslKeys other = used(1);
        assertSame(other, used(1));
        done.countDown();
        opening.join();
    }

    @Test
    void take_whileASwapLooksForWhatHasGone_doesNotWait() throws InterruptedException {
        used(0);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Set<Shown<OpenSslKeys>> inForce =
                new HashSet<>(shown) {
                    @Override
                    public boolean contains(Object one) {
                        begun.countDown();
                        awaited(done);
                        return super.contains(one);
                    }
                };
        Thread swap = Thread.ofPlatform().start(() -> cache.retain(inForce));
        begun.await();
        OpenSslKeys opened = used(1); // Nobody has opened it before.
        done.countDown();
        swap.join();
        assertSame(opened, used(1));
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void take_afterClose_isMadeForOneUse() {
        used(0);
        cache.close();
        OpenSslKeys late = cache.take(shown.get(1));
        assertEquals(0, cache.size());
        assertTrue(late.take());
        late.give();
        late.give();
        assertFalse(late.take(), "not freed");
    }
}
