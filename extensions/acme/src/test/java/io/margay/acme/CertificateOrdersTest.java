package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that come and go, against an authority that does what a test tells it to.
@Tag("slow")
@Timeout(60)
final class CertificateOrdersTest {
    @TempDir Path folder = Path.of("");
    private ScriptedAuthority authority;
    private Path storage;
    private final AcmeChallenges challenges = new AcmeChallenges(QuickLimits.LIMITS);
    private final AtomicInteger changes = new AtomicInteger();
    private final List<String> looked = new CopyOnWriteArrayList<>();
    private volatile Duration ahead = Duration.ZERO;
    private @Nullable CertificateOrders orders;

    @BeforeEach
    void openAuthority() throws IOException {
        authority = ScriptedAuthority.open(Files.createDirectory(folder.resolve("authority")));
        authority.proofs(this::look);
        storage = folder.resolve("storage");
    }

    @AfterEach
    void close() {
        stop();
        authority.close();
    }

    private boolean look(String kind, String name, String token, String authorization) {
        looked.add(kind + " " + name);
        return switch (kind) {
            case "http-01" -> authorization.equals(challenges.file(token));
            case "tls-alpn-01" -> challenges.of(name) != null;
            default -> false;
        };
    }

    private AcmeCertificate wanted(List<AcmeChallengeKind> kinds, String... names) {
        return new AcmeCertificate(
                List.of(names),
                new AcmeAuthority(
                        authority.directory(), authority.roots(), "admin@shop.example", null),
                kinds,
                null,
                KeyKind.EC256,
                null,
                null);
    }

    private AcmeCertificate wanted(String... names) {
        return wanted(List.of(AcmeChallengeKind.HTTP_01, AcmeChallengeKind.TLS_ALPN_01), names);
    }

    private void start(AcmeLimits limits, AcmeCertificate... all) throws IOException {
        CertificateOrders made =
                new CertificateOrders(
                        limits,
                        challenges,
                        changes::incrementAndGet,
                        () -> Instant.now().plus(ahead),
                        new Random(1));
        AcmeConfig config = new AcmeConfig(storage, List.of(all));
        made.prepare(config);
        made.follow(config);
        orders = made;
    }

    private void stop() {
        CertificateOrders running = orders;
        if (running != null) {
            running.close();
            orders = null;
        }
    }

    private AcmeReading reading() {
        CertificateOrders running = orders;
        return running == null || running.read().isEmpty()
                ? new AcmeReading("", storage, false, Instant.MAX, 0, null)
                : running.read().getFirst();
    }

    private X509Certificate shown(AcmeCertificate wanted) throws IOException {
        X509Certificate found = Keys.certificate(Storage.read(wanted.file(storage)));
        if (found == null) {
            throw new IOException("none");
        }
        return found;
    }

    private void awaitIssued() {
        Eventually.holds("issued", Duration.ofSeconds(40), () -> reading().issued());
    }

    @Test
    void certificate_isThereAtOnce_thenOfTheAuthority_forItsOwnerAlone() throws Exception {
        AcmeCertificate wanted = wanted("shop.example", "www.shop.example");
        authority.proofs((kind, name, token, authorization) -> {
            assertTrue(OwnSigned.isPlaceholder(shown(wanted)));
            return look(kind, name, token, authorization);
        });
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        X509Certificate issued = shown(wanted);
        assertEquals("CN=authority", issued.getIssuerX500Principal().getName());
        assertEquals(2, issued.getSubjectAlternativeNames().size());
        assertEquals(List.of("http-01 shop.example", "http-01 www.shop.example"), looked);
        Eventually.holds("told", () -> changes.get() == 1);
        assertFalse(challenges.isPending());
        Path file = wanted.file(storage);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (var left = Files.list(file.resolveSibling(""))) {
            assertEquals(
                    List.of("certificate.pem", "state.properties"),
                    left.map(one -> one.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void challengeThatFails_isFollowedByAnother() throws Exception {
        authority.proofs((kind, name, token, authorization) ->
                look(kind, name, token, authorization) && !kind.equals("http-01"));
        start(QuickLimits.LIMITS, wanted("shop.example"));
        awaitIssued();
        assertEquals(List.of("http-01 shop.example", "tls-alpn-01 shop.example"), looked);
        assertEquals(0, reading().failures());
    }

    @Test
    void noncesThatAreRefused_areReplaced() throws Exception {
        for (String path : List.of("/accounts", "/new-order", "/name", "/challenge", "/finalize")) {
            authority.refuse(new Refusal(path, 400, "badNonce", ""));
            authority.refuse(new Refusal(path, 400, "badNonce", ""));
        }
        start(QuickLimits.LIMITS, wanted("shop.example"));
        awaitIssued();
        assertEquals(1, authority.ordersBegun());
    }

    @Test
    void orderUnderWay_isFinishedAfterARestart() throws Exception {
        authority.processing(true);
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        Eventually.holds("finalised", () -> authority.requests().contains("/finalize"));
        stop();
        assertTrue(OwnSigned.isPlaceholder(shown(wanted)));
        authority.processing(false);
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        assertEquals(1, authority.ordersBegun());
    }

    @Test
    void waitAfterAFailure_survivesARestart() throws Exception {
        authority.refuse(new Refusal("/new-order", 429, "rateLimited", "3600"));
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        Eventually.holds("failed", () -> reading().failures() == 1);
        stop();
        start(QuickLimits.LIMITS, wanted);
        Eventually.holds("read", () -> reading().failures() == 1);
        assertTrue(reading().next().isAfter(Instant.now().plusSeconds(3000)));
        assertEquals("refused by the test", reading().failure());
        assertEquals(0, authority.ordersBegun());
        ahead = Duration.ofHours(2);
        awaitIssued();
    }

    @Test
    void clockThatLeaps_renewsOnce() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        X509Certificate first = shown(wanted);
        ahead = Duration.ofDays(365);
        Eventually.holds("renewed", () -> authority.ordersBegun() == 2);
        Eventually.holds("told", () -> changes.get() == 2);
        assertNotEquals(first, shown(wanted));
        ahead = Duration.ofDays(-365);
        long looks = requestsOfRenewal();
        Eventually.holds("looked again", () -> reading().issued());
        assertEquals(looks, requestsOfRenewal());
        assertEquals(2, authority.ordersBegun());
    }

    private long requestsOfRenewal() {
        return authority.requests().stream().filter("/new-order"::equals).count();
    }

    @Test
    void windowOfTheAuthority_decidesWhenToRenew() throws Exception {
        Instant soon = Instant.now().plus(Duration.ofDays(2));
        authority.window(soon, soon.plusSeconds(60));
        start(QuickLimits.LIMITS, wanted("shop.example"));
        Eventually.holds(
                "asked",
                () -> reading().issued() && reading().next().isBefore(soon.plusSeconds(61)));
        assertFalse(reading().next().isBefore(soon));
        ahead = Duration.ofDays(3);
        Eventually.holds("renewed", () -> authority.ordersBegun() == 2);
    }

    @Test
    void accountThatIsForgotten_isMadeAnew() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        authority.forgetAccounts();
        CertificateOrders running = orders;
        assertTrue(running != null && running.renew("shop.example"));
        Eventually.holds("renewed", () -> changes.get() == 2);
        assertEquals(2, authority.ordersBegun());
    }

    @Test
    void wildcard_isProvedByACommand() throws Exception {
        Path records = Files.createDirectory(folder.resolve("records"));
        String set = "printf %s \"$MARGAY_VALUE\" > '" + records + "'/\"$MARGAY_RECORD\"";
        String unset = "rm '" + records + "'/\"$MARGAY_RECORD\"";
        authority.proofs((kind, name, token, authorization) -> {
            looked.add(kind + " " + name);
            return Files.size(records.resolve("_acme-challenge." + name)) == 43;
        });
        AcmeCertificate plain = wanted(List.of(AcmeChallengeKind.DNS_01), "*.shop.example");
        AcmeCertificate wanted =
                new AcmeCertificate(
                        plain.domains(),
                        plain.authority(),
                        plain.challenges(),
                        new DnsCommands(List.of("sh", "-c", set), List.of("sh", "-c", unset)),
                        KeyKind.RSA2048,
                        null,
                        null);
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        assertEquals(List.of("dns-01 shop.example"), looked);
        assertEquals("RSA", shown(wanted).getPublicKey().getAlgorithm());
        try (var left = Files.list(records)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void rehearsal_comesFirst_andOnlyOnce() throws Exception {
        try (ScriptedAuthority staging =
                ScriptedAuthority.open(Files.createDirectory(folder.resolve("staging")))) {
            Path both = folder.resolve("both.pem");
            Files.writeString(
                    both, Files.readString(staging.roots()) + Files.readString(authority.roots()));
            URI first = staging.directory();
            AcmeCertificate plain = wanted("shop.example");
            AcmeCertificate wanted =
                    new AcmeCertificate(
                            plain.domains(),
                            new AcmeAuthority(authority.directory(), both, null, null),
                            plain.challenges(),
                            null,
                            KeyKind.EC256,
                            null,
                            first);
            staging.proofs((kind, name, token, authorization) -> {
                assertEquals(0, authority.ordersBegun());
                return look(kind, name, token, authorization);
            });
            start(QuickLimits.LIMITS, wanted);
            awaitIssued();
            ahead = Duration.ofDays(80);
            Eventually.holds("renewed", () -> authority.ordersBegun() == 2);
            assertEquals(1, staging.ordersBegun());
        }
    }

    @Test
    void responseWithoutAnEnd_isAFailure() throws Exception {
        AcmeLimits tight =
                new AcmeLimits(
                        10,
                        100,
                        100,
                        QuickLimits.LIMITS.requestTimeout(),
                        QuickLimits.LIMITS.orderTimeout(),
                        QuickLimits.LIMITS.commandTimeout(),
                        Duration.ofHours(1),
                        QuickLimits.LIMITS.retryMax(),
                        QuickLimits.LIMITS.renewalsMin(),
                        QuickLimits.LIMITS.look(),
                        QuickLimits.LIMITS.informationMin(),
                        QuickLimits.LIMITS.informationMax());
        start(tight, wanted("shop.example"));
        Eventually.holds("failed", () -> reading().failures() == 1);
        String failure = String.valueOf(reading().failure());
        assertTrue(failure.contains("too long"), failure);
    }

    @Test
    void secondServerOfAStorage_asksForNothing() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        Path lock = storage.resolve("lock");
        Files.createDirectories(storage);
        try (Storage first = new Storage(storage, null)) {
            assertTrue(first.takes());
            start(QuickLimits.LIMITS, wanted);
            assertTrue(Files.exists(lock));
            assertTrue(OwnSigned.isPlaceholder(shown(wanted)));
            assertEquals(0, authority.ordersBegun());
        }
        awaitIssued();
    }

    @Test
    void serverThatOnlyTakesFiles_waits_whateverItIsAskedFor() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        Files.createDirectories(storage);
        try (Storage first = new Storage(storage, null)) {
            assertTrue(first.takes());
            start(QuickLimits.LIMITS, wanted);
            CertificateOrders running = orders;
            assertTrue(running != null && running.renew("shop.example"));
            Eventually.holds("waits", CertificateOrdersTest::isWaiting);
            assertEquals(0, authority.ordersBegun());
        }
        awaitIssued();
    }

    private static boolean isWaiting() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(one ->
                        one.getName().equals("margay-acme")
                                && one.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void commandThatFails_leavesWhatItSaid() throws Exception {
        AcmeCertificate plain = wanted(List.of(AcmeChallengeKind.DNS_01), "shop.example");
        DnsCommands commands =
                new DnsCommands(
                        List.of("sh", "-c", "echo no zone; exit 3"),
                        List.of("echo", "nothing to remove"));
        AcmeCertificate wanted =
                new AcmeCertificate(
                        plain.domains(),
                        plain.authority(),
                        plain.challenges(),
                        commands,
                        KeyKind.EC256,
                        null,
                        null);
        start(QuickLimits.LIMITS, wanted);
        Eventually.holds("failed", () -> reading().failures() > 0);
        stop();
        Path log = wanted.file(storage).resolveSibling("dns.log");
        assertEquals(List.of("no zone", "nothing to remove"), Files.readAllLines(log));
    }

    private Path accountKey() throws IOException {
        try (var below = Files.walk(storage.resolve("accounts"))) {
            return below.filter(one -> one.endsWith("account.pem")).findFirst().orElseThrow();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void keyOfTheAccount_isChanged_andProvesNamesFromThenOn() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        Path key = accountKey();
        String before = Files.readString(key);
        CertificateOrders running = orders;
        assertTrue(running != null);
        running.changeKeys();
        Eventually.holds("changed", () -> !read(key).equals(before));
        assertFalse(Files.exists(key.resolveSibling("next.pem")));
        assertTrue(running.renew("shop.example"));
        Eventually.holds("renewed", () -> changes.get() == 2);
        assertEquals(0, reading().failures());
    }

    @Test
    void changeOfTheKey_thatWasCutShort_isSettledWithTheAuthority() throws Exception {
        AcmeCertificate wanted = wanted("shop.example");
        start(QuickLimits.LIMITS, wanted);
        awaitIssued();
        stop();
        Path key = accountKey();
        Path next = key.resolveSibling("next.pem");
        String before = Files.readString(key);
        Files.copy(key, next);
        authority.refuse(new Refusal("/account", 401, "unauthorized", ""));
        start(QuickLimits.LIMITS, wanted);
        CertificateOrders running = orders;
        assertTrue(running != null && running.renew("shop.example"));
        Eventually.holds("renewed", () -> changes.get() == 2);
        assertFalse(Files.exists(next));
        assertEquals(before, Files.readString(key));
    }

    /// The kernel ends it, between the request for the certificate and its coming.
    @Test
    void processThatIsKilled_leavesAnOrderThatIsGoneOnWith() throws Exception {
        authority.processing(true);
        authority.proofs((kind, name, token, authorization) -> true);
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
                                "shop.example")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("client.log").toFile())
                        .start();
        try {
            Eventually.holds(
                    "finalised",
                    Duration.ofSeconds(30),
                    () -> authority.requests().contains("/finalize"));
        } finally {
            killed.destroyForcibly();
        }
        assertNotEquals(0, killed.waitFor());
        authority.processing(false);
        start(QuickLimits.LIMITS, wanted(List.of(AcmeChallengeKind.TLS_ALPN_01), "shop.example"));
        awaitIssued();
        assertEquals(1, authority.ordersBegun());
    }
}
