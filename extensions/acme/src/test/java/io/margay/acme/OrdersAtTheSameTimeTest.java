package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import io.margay.testkit.Eventually;
import io.margay.testkit.ScriptedAuthority;
import io.margay.testkit.ScriptedAuthority.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Many certificates at once: how many orders are under way, and what one that is slow, refused or
/// cut short does to the others.
@Tag("slow")
@Timeout(60)
final class OrdersAtTheSameTimeTest {
    @TempDir Path folder = Path.of("");
    private ScriptedAuthority authority;
    private Path storage;
    private final AcmeChallenges challenges = new AcmeChallenges(QuickLimits.LIMITS);
    private @Nullable CertificateOrders orders;

    @BeforeEach
    void openAuthority() throws IOException {
        authority = ScriptedAuthority.open(Files.createDirectory(folder.resolve("authority")));
        storage = folder.resolve("storage");
    }

    @AfterEach
    void close() {
        stop();
        authority.close();
    }

    private void stop() {
        CertificateOrders running = orders;
        if (running != null) {
            running.close();
            orders = null;
        }
    }

    private AcmeCertificate wanted(ScriptedAuthority by, String... names) {
        return new AcmeCertificate(
                List.of(names),
                new AcmeAuthority(by.directory(), by.roots(), null, null),
                List.of(AcmeChallengeKind.HTTP_01),
                null,
                KeyKind.EC256,
                null,
                null);
    }

    private List<AcmeCertificate> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> wanted(authority, "n" + i + ".example"))
                .toList();
    }

    private CertificateOrders start(int ordersMax, List<AcmeCertificate> all) throws IOException {
        return start(QuickLimits.LIMITS, ordersMax, all);
    }

    private CertificateOrders start(AcmeLimits limits, int ordersMax, List<AcmeCertificate> all)
            throws IOException {
        CertificateOrders made =
                new CertificateOrders(limits, challenges, () -> {}, Instant::now, new Random(1));
        AcmeConfig config = new AcmeConfig(storage, all, ordersMax);
        made.prepare(config);
        made.follow(config);
        orders = made;
        return made;
    }

    private static long issued(CertificateOrders at) {
        return at.read().stream().filter(AcmeReading::issued).count();
    }

    private static AcmeReading reading(CertificateOrders at, String name) {
        return at.read().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void asManyOrdersAsAllowed_areUnderWay_andNoMore() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(3); // none goes on before three are there
        authority.proofs((kind, name, token, authorization) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                together.await(20, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IOException(e);
            } finally {
                now.decrementAndGet();
            }
            return authorization.equals(challenges.file(token));
        });
        CertificateOrders made = start(3, many(9));
        Eventually.holds("issued", Duration.ofSeconds(40), () -> issued(made) == 9);
        assertEquals(3, most.get());
        assertEquals(9, authority.ordersBegun());
        assertEquals(1, authority.requests().stream().filter("/accounts"::equals).count());
        assertFalse(challenges.isPending());
    }

    @Test
    void orderThatHangs_holdsUpNoOther() throws Exception {
        CountDownLatch others = new CountDownLatch(1);
        authority.proofs((kind, name, token, authorization) -> {
            try {
                return !name.equals("n0.example") || others.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        CertificateOrders made = start(2, many(6));
        Eventually.holds("the others are issued", () -> issued(made) == 5);
        assertFalse(reading(made, "n0.example").issued());
        others.countDown();
        Eventually.holds("all are issued", () -> issued(made) == 6);
    }

    @Test
    void certificateThatFails_isTriedAgain_andTheOthersAreIssued() throws Exception {
        authority.proofs((kind, name, token, authorization) -> !name.equals("n1.example"));
        CertificateOrders made = start(2, many(5));
        Eventually.holds("the others are issued", () -> issued(made) == 4);
        Eventually.holds("tried again", () -> reading(made, "n1.example").failures() > 1);
        assertEquals(0, reading(made, "n4.example").failures());
    }

    @Test
    void rateLimit_holdsAllOrdersOfThatAuthority_andNoneOfAnother() throws Exception {
        try (ScriptedAuthority other =
                ScriptedAuthority.open(Files.createDirectory(folder.resolve("other")))) {
            authority.refuse(new Refusal("/new-order", 429, "rateLimited", "3600"));
            List<AcmeCertificate> all = new ArrayList<>(many(4));
            all.add(wanted(other, "elsewhere.example"));
            CertificateOrders made = start(1, all);
            Eventually.holds(
                    "refused", () -> made.read().stream().anyMatch(one -> one.failures() == 1));
            Eventually.holds("issued elsewhere", () -> reading(made, "elsewhere.example").issued());
            assertEquals(0, authority.ordersBegun());
            assertEquals(1, made.read().stream().filter(one -> one.failures() > 0).count());
        }
    }

    @Test
    void ordersOfTheLastAccount_whenTheAuthorityForgetsIt_shareOneNewAccount() throws Exception {
        // Whatever failed would be tried again in an hour.
        CertificateOrders made = start(QuickLimits.withRetry(Duration.ofHours(1)), 4, many(4));
        Eventually.holds("issued", () -> issued(made) == 4);
        authority.forgetAccounts();
        for (int i = 0; i < 4; i++) {
            assertTrue(made.renew("n" + i + ".example"));
        }
        Eventually.holds("renewed", () -> authority.ordersBegun() == 8);
        Eventually.holds("settled", () -> !challenges.isPending());
        assertTrue(made.read().stream().allMatch(one -> one.failures() == 0));
        assertEquals(2, authority.requests().stream().filter("/accounts"::equals).count());
    }

    @Test
    void certificateThatIsChanged_whileItsOrderIsUnderWay_isOrderedAfterIt() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        authority.proofs((kind, name, token, authorization) -> {
            looked.countDown();
            try {
                return goesOn.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        CertificateOrders made = start(4, many(1));
        assertTrue(looked.await(30, TimeUnit.SECONDS));
        AcmeCertificate changed = wanted(authority, "n0.example", "www.example");
        AcmeConfig next = new AcmeConfig(storage, List.of(changed), 4);
        made.prepare(next);
        made.follow(next);
        goesOn.countDown();
        Eventually.holds("issued for both names", () -> issued(made) == 1);
        X509Certificate shown = Keys.certificate(Storage.read(changed.file(storage)));
        assertTrue(shown != null);
        assertEquals(2, Keys.names(shown).size());
        assertEquals(2, authority.ordersBegun());
    }

    /// The kernel ends it, between the requests for certificates and their coming.
    @Test
    void processThatIsKilled_leavesOrdersThatAreAllGoneOnWith() throws Exception {
        authority.processing(true);
        Process killed =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DyingClient.class.getName(),
                                storage.toString(),
                                authority.directory().toString(),
                                authority.roots().toString(),
                                "n0.example",
                                "n1.example",
                                "n2.example")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("client.log").toFile())
                        .start();
        try {
            Eventually.holds(
                    "all are finalised",
                    Duration.ofSeconds(30),
                    () -> authority.requests().stream().filter("/finalize"::equals).count() == 3);
        } finally {
            killed.destroyForcibly();
        }
        assertNotEquals(0, killed.waitFor());
        authority.processing(false);
        CertificateOrders made =
                start(
                        3,
                        IntStream.range(0, 3)
                                .mapToObj(i ->
                                        DyingClient.wanted(
                                                authority.directory(),
                                                authority.roots(),
                                                "n" + i + ".example"))
                                .toList());
        Eventually.holds("issued", () -> issued(made) == 3);
        assertEquals(3, authority.ordersBegun());
    }
}
