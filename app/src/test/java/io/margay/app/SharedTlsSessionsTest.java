package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.shared.SharedSettings;
import io.margay.app.shared.SharedState;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.SelfSigned;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions of TLS that began at one server and are resumed at another, by `openssl s_client`, with
/// a real `redis-server` between the servers.
@Timeout(120)
final class SharedTlsSessionsTest {
    private static final String KEY = "what the servers share and nobody else knows";
    private static final String DOCUMENT = "\"margay:shared:{margay tickets}\"";

    @TempDir Path folder;
    private int port;
    private final List<AutoCloseable> open = new ArrayList<>();
    private RedisProcess redis;
    private SelfSigned own;

    @BeforeEach
    void start() throws IOException {
        port = FreePort.next();
        redis = RedisProcess.startAt(port);
        own = SelfSigned.make(folder, "shop", "EC", List.of("DNS:shop.example"));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        redis.close();
    }

    private MargayConfig config(String node, String key, String tls) throws IOException {
        Path home = Files.createDirectories(folder.resolve(node));
        Path file = home.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners:
                  - https: 127.0.0.1:0
                    certificates: [{cert: %s, key: %s}]
                    %s
                drain: 0s
                hosts:
                  - routes: {/: {files: .}}
                shared:
                  url: redis://127.0.0.1:%d
                  key: %s
                  node: %s
                """
                        .formatted(own.cert(), own.key(), tls, port, key, node));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return read.get();
    }

    private MargayServer server(String node, String key, String tls) throws IOException {
        MargayServer made = MargayServer.start(config(node, key, tls), DeployProgress.NONE);
        open.add(made);
        return made;
    }

    private MargayServer server(String node) throws IOException {
        return server(node, KEY, "tls: openssl");
    }

    /// Asks for a file, and says whether the session was an earlier one.
    private boolean resumes(MargayServer at, String version, String... more) throws Exception {
        List<String> words =
                new ArrayList<>(List.of(Program.of("openssl"), "s_client", "-connect"));
        words.add("127.0.0.1:" + at.ports().getFirst());
        words.addAll(List.of("-servername", "shop.example", version, "-ign_eof"));
        words.addAll(List.of(more));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(
                    "GET /margay.yaml HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
        }
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertTrue(said.contains("HTTP/1.1 200 OK"), said);
        boolean reused = said.contains("\nReused, ");
        assertTrue(reused || said.contains("\nNew, "), said);
        return reused;
    }

    private boolean begins(MargayServer at, String version, String session) throws Exception {
        return resumes(at, version, "-sess_out", folder.resolve(session).toString());
    }

    private boolean goesOn(MargayServer at, String version, String session) throws Exception {
        return resumes(at, version, "-sess_in", folder.resolve(session).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void sessionOfOneServer_resumesAtAnother_ofTheSameGroupAndSettings(String version)
            throws Exception {
        MargayServer left = server("left");
        MargayServer right = server("right");
        assertFalse(begins(left, version, "session"));
        assertTrue(goesOn(right, version, "session"));
        assertTrue(goesOn(left, version, "session"));
        // One that joins later.
        assertTrue(goesOn(server("third"), version, "session"));
        // With another key, with other settings, and by the JDK: a whole handshake.
        assertFalse(goesOn(server("stranger", KEY + "!", ""), version, "session"));
        String asks = "client-certificate: want\n    trust: " + own.cert();
        assertFalse(goesOn(server("strict", KEY, asks), version, "session"));
        MargayServer jdk = server("jdk", KEY, "tls: jsse");
        assertFalse(goesOn(jdk, version, "session"));
        assertTrue(jdk.lines().getFirst().endsWith("TLS by JSSE, sessions of it not shared)"));
        assertFalse(left.lines().getFirst().contains("not shared"));
    }

    @Test
    void engineThatIsDownAtTheStart_leavesKeysOfItsOwnToEachServer_untilItIsBack()
            throws Exception {
        redis.stop();
        MargayServer left = server("left");
        MargayServer right = server("right");
        assertFalse(begins(left, "-tls1_3", "own"));
        assertTrue(goesOn(left, "-tls1_3", "own"));
        assertFalse(goesOn(right, "-tls1_3", "own"));
        redis.run();
        awaitSharing(left, right);
        assertTrue(goesOn(left, "-tls1_3", "own"));
        // Gone again: what is known stays in use, also when the engine has forgotten it.
        redis.stop();
        assertTrue(goesOn(right, "-tls1_3", "all"));
        redis.run();
        Eventually.holds("it is in the engine again", () -> contains(DOCUMENT));
        assertTrue(goesOn(server("third"), "-tls1_3", "all"));
    }

    private boolean contains(String document) {
        try {
            return redis.command("EXISTS " + document).contains(":1");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void engineWithGarbage_stopsNoServer_andFillsNone() throws Exception {
        MargayServer left = server("left");
        MargayServer right = server("right");
        String large = "A".repeat(60_000);
        for (String content :
                List.of(
                        "HSET " + DOCUMENT + " version nonsense content garbage",
                        "HSET " + DOCUMENT + " version 99999999999999999999999 content x",
                        "HSET " + DOCUMENT + " version -1 content " + large,
                        "SET " + DOCUMENT + " text")) {
            redis.command("DEL " + DOCUMENT);
            redis.command(content);
            MargayServer third = server("third");
            awaitSharing(left, right);
            assertFalse(begins(third, "-tls1_3", "other"));
            third.close();
        }
        redis.command("DEL " + DOCUMENT);
        redis.command("HSET " + DOCUMENT + " version 9000000000000000");
        redis.command(
                "EVAL \"redis.call('HSET', KEYS[1], 'content', string.rep('x', 2 ^ 24))\" 1 "
                        + DOCUMENT);
        assertTrue(redis.command("HSTRLEN " + DOCUMENT + " content").contains("16777216"));
        MargayServer third = server("third");
        awaitSharing(left, right);
        assertFalse(begins(third, "-tls1_3", "other"));
        assertFalse(goesOn(right, "-tls1_3", "other"));
    }

    /// Waits until a session of one resumes at the other.
    private void awaitSharing(MargayServer left, MargayServer right) {
        Eventually.holds(
                "a session of one resumes at the other",
                () -> {
                    try {
                        begins(left, "-tls1_3", "all");
                        return goesOn(right, "-tls1_3", "all");
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void keyThatIsNotThatOfTheGroup_isSaidByCheck() throws Exception {
        MargayServer left = server("left");
        assertFalse(begins(left, "-tls1_3", "session"));
        SharedSettings good = Objects.requireNonNull(left.config().shared());
        assertNull(SharedState.unreachable(good));
        SharedSettings bad = Objects.requireNonNull(config("stranger", KEY + "!", "").shared());
        String said = SharedState.unreachable(bad);
        assertNotNull(said);
        assertTrue(said.contains("was not written with the key of this server"), said);
    }
}
