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
import io.margay.server.acme.AcmeReading;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedStore;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.ScriptedAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers of a group with the same certificates, each with a folder of its own, and what becomes
/// of them when one ends or the engine is away.
@Timeout(120)
final class SharedCertificatesTest {
    private static final String SECRET = "what all servers of the group know, and nobody else";

    @TempDir Path folder;
    private final MemoryEngine engine = new MemoryEngine();
    private final List<Server> servers = new CopyOnWriteArrayList<>();
    private final List<String> looked = new CopyOnWriteArrayList<>();
    private ScriptedAuthority authority;
    private volatile Duration aloneAfter = Duration.ofHours(1);

    /// One of the servers.
    private final class Server implements AutoCloseable {
        final Path storage;
        final AcmeChallenges challenges = new AcmeChallenges(QuickLimits.LIMITS);
        final AtomicInteger changes = new AtomicInteger();
        final SharedGroup group;
        final CertificateOrders orders;

        Server(String name, String secret) throws IOException {
            this(name, secret, wanted());
        }

        Server(String name, String secret, AcmeCertificate wanted) throws IOException {
            storage = folder.resolve(name);
            group = engine.group(name, secret);
            group.start();
            orders =
                    new CertificateOrders(
                            QuickLimits.LIMITS,
                            challenges,
                            changes::incrementAndGet,
                            Instant::now,
                            new Random(1),
                            group,
                            aloneAfter);
            AcmeConfig config = new AcmeConfig(storage, List.of(wanted));
            orders.prepare(config);
            servers.add(this);
            orders.follow(config);
        }

        AcmeReading reading() {
            return orders.read().isEmpty()
                    ? new AcmeReading("", storage, false, Instant.MAX, 0, null)
                    : orders.read().getFirst();
        }

        X509Certificate shown() throws IOException {
            X509Certificate found = Keys.certificate(Storage.read(wanted().file(storage)));
            if (found == null) {
                throw new IOException("none");
            }
            return found;
        }

        boolean answers(String kind, String name, String token, String authorization) {
            return kind.equals("http-01")
                    ? authorization.equals(challenges.file(token))
                    : challenges.of(name) != null;
        }

        @Override
        public void close() {
            servers.remove(this);
            orders.close();
            group.close();
        }
    }

    @BeforeEach
    void openAuthority() throws IOException {
        authority = ScriptedAuthority.open(Files.createDirectory(folder.resolve("authority")));
        authority.proofs(this::look);
    }

    @AfterEach
    void close() {
        engine.away(false);
        List.copyOf(servers).forEach(Server::close);
        authority.close();
    }

    /// Whatever server is asked must answer.
    private boolean look(String kind, String name, String token, String authorization) {
        looked.add(kind + " " + name);
        return servers.stream().allMatch(one -> one.answers(kind, name, token, authorization));
    }

    private AcmeCertificate wanted() {
        return wanted("shop.example");
    }

    private AcmeCertificate wanted(String... domains) {
        return new AcmeCertificate(
                List.of(domains),
                new AcmeAuthority(
                        authority.directory(), authority.roots(), "admin@shop.example", null),
                List.of(AcmeChallengeKind.HTTP_01, AcmeChallengeKind.TLS_ALPN_01),
                null,
                KeyKind.EC256,
                null,
                null);
    }

    private Server server(String name) throws IOException {
        return new Server(name, SECRET);
    }

    private static void awaitIssued(Server at) {
        Eventually.holds("issued", Duration.ofSeconds(40), () -> at.reading().issued());
    }

    @Test
    void certificate_isOrderedOnce_provedByAll_andShownByAll() throws Exception {
        Server left = server("left");
        Server right = server("right");
        awaitIssued(left);
        awaitIssued(right);
        assertEquals(left.shown(), right.shown());
        assertEquals(
                Files.readString(wanted().file(left.storage)),
                Files.readString(wanted().file(right.storage)));
        assertEquals(1, authority.ordersBegun());
        assertEquals(List.of("http-01 shop.example"), looked);
        Eventually.holds("told", () -> left.changes.get() > 0 && right.changes.get() > 0);
        // Both forget what authorities look for.
        Eventually.holds(
                "nothing is pending",
                () -> engineSays("acme challenges").isEmpty() && !right.challenges.isPending());

        // One that joins has it before its listeners open.
        Server third = new Server("third", SECRET);
        assertEquals(left.shown(), third.shown());
        assertEquals(1, authority.ordersBegun());
        // And it orders nothing when it is started again without the engine.
        third.close();
        engine.away(true);
        Server again = server("third");
        assertEquals(left.shown(), again.shown());
        assertEquals(1, authority.ordersBegun());
        for (SharedStore.Document one : engine.documents().values()) {
            String bytes = new String(one.content(), StandardCharsets.ISO_8859_1);
            assertFalse(bytes.contains("PRIVATE KEY") || bytes.contains("shop.example"));
        }
        assertFalse(engine.documents().keySet().toString().contains("shop"));
    }

    private Map<String, String> engineSays(String table) {
        try (SharedGroup reader = engine.group("reader", SECRET)) {
            return new TreeMap<>(reader.table(table).refresh());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void challengeOfTheSecondKind_isShownByAll() throws Exception {
        authority.proofs((kind, name, token, authorization) ->
                look(kind, name, token, authorization) && !kind.equals("http-01"));
        Server left = server("left");
        Server right = server("right");
        awaitIssued(left);
        awaitIssued(right);
        assertEquals(List.of("http-01 shop.example", "tls-alpn-01 shop.example"), looked);
    }

    @Test
    void orderOfAServerThatEnds_isFinishedByAnother_withTheSameAccount() throws Exception {
        authority.processing(true);
        Server left = server("left");
        Eventually.holds("finalised", () -> authority.requests().contains("/finalize"));
        Server right = server("right");
        left.close();
        authority.processing(false);
        awaitIssued(right);
        assertEquals(1, authority.ordersBegun());
        assertEquals(1, authority.requests().stream().filter("/accounts"::equals).count());
        assertFalse(Files.exists(wanted().file(right.storage).resolveSibling("next.pem")));
        // The one that comes back takes it.
        Server back = server("left");
        awaitIssued(back);
        assertEquals(right.shown(), back.shown());
        assertEquals(1, authority.ordersBegun());
    }

    @Test
    void renewal_thatAnyServerIsAskedFor_isDoneByTheOneThatOrders() throws Exception {
        Server left = server("left");
        Server right = server("right");
        awaitIssued(left);
        awaitIssued(right);
        X509Certificate first = left.shown();
        for (Server each : List.of(left, right)) {
            int before = authority.ordersBegun();
            assertTrue(each.orders.renew("shop.example"));
            Eventually.holds("ordered", () -> authority.ordersBegun() == before + 1);
        }
        Eventually.holds("both have the new one", () -> same(left, right) && !shows(left, first));
    }

    @Test
    void whatIsAsked_whileSomethingElseIsPassedOn_isPassedOnToo() throws Exception {
        Server left = server("left");
        awaitIssued(left);
        Server right = server("right");
        awaitIssued(right);
        int before = authority.ordersBegun();
        engine.atNextWrite(right.orders::changeKeys);
        assertTrue(right.orders.renew("shop.example"));
        Eventually.holds("ordered", () -> authority.ordersBegun() == before + 1);
        Eventually.holds("changed", () -> authority.requests().contains("/key-change"));
    }

    @Test
    void engineThatLosesItsData_getsItBack() throws Exception {
        Server left = server("left");
        awaitIssued(left);
        Eventually.holds("it is in the engine", () -> !engineSays("acme").isEmpty());
        engine.loseAll();
        Eventually.holds(
                "it is there again",
                () -> {
                    try (Server late = server("late" + authority.requests().size() + looked)) {
                        return late.shown().equals(left.shown());
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        assertEquals(1, authority.ordersBegun());
    }

    @Test
    void engineThatIsAway_keepsServersFromOrdering_untilItHasBeenForLong() throws Exception {
        engine.away(true);
        Server left = server("left");
        Eventually.holds("looked", () -> !left.orders.read().isEmpty());
        assertEquals(0, authority.ordersBegun());
        assertTrue(OwnSigned.isPlaceholder(left.shown()));
        left.close();
        aloneAfter = Duration.ofSeconds(4);
        Server alone = server("left");
        awaitIssued(alone);
        assertEquals(1, authority.ordersBegun());
        // What it has got so is everybody's when the engine is back.
        engine.away(false);
        Eventually.holds("it is back", () -> !alone.group.isAway());
        Eventually.holds("it is in the engine", () -> !engineSays("acme").isEmpty());
        Server right = server("right");
        Eventually.holds("taken", Duration.ofSeconds(30), () -> same(alone, right));
        assertEquals(1, authority.ordersBegun());
    }

    private static boolean same(Server left, Server right) {
        try {
            return left.shown().equals(right.shown());
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean shows(Server server, X509Certificate what) {
        try {
            return server.shown().equals(what);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void serverWithAnotherKey_getsNothing_andWritesNothing() throws Exception {
        Server left = server("left");
        awaitIssued(left);
        Map<String, SharedStore.Document> before = new TreeMap<>(engine.documents());
        Server stranger = new Server("stranger", SECRET + "!");
        Eventually.holds("its group says so", () -> !stranger.group.read().failure().isEmpty());
        assertTrue(OwnSigned.isPlaceholder(stranger.shown()));
        assertNotEquals(left.shown(), stranger.shown());
        assertEquals(before.keySet(), engine.documents().keySet());
    }

    @Test
    void serverThatWantsOtherNames_tellsOnceThatTheyAreNotOrdered() throws Exception {
        Server left = server("left");
        awaitIssued(left);
        try (LoggedLines lines = LoggedLines.of(SharedStorage.class.getName())) {
            Server same = server("same");
            awaitIssued(same);
            assertEquals(0, lines.count("WARNING"), lines.toString());
            Server third = new Server("third", SECRET, wanted("shop.example", "www.shop.example"));
            String line = "WARNING shop.example: not ordered as this server has it";
            Eventually.holds("told", () -> lines.count(line) > 0);
            X509Certificate first = left.shown();
            assertTrue(left.orders.renew("shop.example"));
            Eventually.holds("looked again", () -> !shows(left, first) && same(left, third));
            assertEquals(1, lines.count("WARNING"), lines.toString());
        }
    }

    @Test
    void damagedFile_isReplacedByWhatTheOthersHave() throws Exception {
        Server left = server("left");
        Server right = server("right");
        awaitIssued(left);
        awaitIssued(right);
        X509Certificate issued = left.shown();
        for (Server each : List.of(left, right)) {
            Files.writeString(wanted().file(each.storage), "no certificate");
            Eventually.holds("it is back", () -> shows(left, issued) && shows(right, issued));
        }
        assertEquals(1, authority.ordersBegun());
    }

    @Test
    void memberThatNamesOtherFiles_hasNoneWritten() throws Exception {
        Server left = server("left");
        awaitIssued(left);
        try (SharedGroup bad = engine.group("bad", SECRET)) {
            List<String> names = new ArrayList<>();
            for (String name :
                    List.of(
                            "accounts/../../evil",
                            "accounts/..",
                            "certificates/../../evil",
                            "certificates/other.example",
                            "/etc/evil",
                            "accounts/evil.example-1")) {
                names.add(name);
                String table = "acme " + hex(bad.derive("acme " + name));
                bad.table(table)
                        .update(_ -> Map.of("account.pem", "x", "../evil.pem", "x", "evil", "x"));
            }
            bad.table("acme")
                    .update(all -> {
                        Map<String, String> after = new TreeMap<>(all);
                        names.forEach(name -> after.put(name, "1"));
                        after.put("orders", "twice\ntwice");
                        return after;
                    });
        }
        try (Server right = server("right")) {
            awaitIssued(right);
            Eventually.holds(
                    "taken", () -> Files.exists(right.storage.resolve("accounts/evil.example-1")));
            try (var files = Files.walk(folder)) {
                assertEquals(
                        List.of("evil.example-1"),
                        files.map(one -> one.getFileName().toString())
                                .filter(one -> one.contains("evil"))
                                .distinct()
                                .toList());
            }
            assertFalse(Files.exists(right.storage.resolve("certificates/other.example")));
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes, 0, 16);
    }
}
