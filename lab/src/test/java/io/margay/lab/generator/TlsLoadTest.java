package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.site.Certificate;
import io.margay.lab.wire.BodyTemplate;
import io.margay.lab.wire.TlsClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The generator over TLS, with keys as a run makes them.
@Tag("slow")
@Timeout(60)
final class TlsLoadTest {
    private static final String PASSWORD = "margay-lab";
    private static final long TIMEOUT_NANOS = 20_000_000_000L;

    /// More than one TLS record holds.
    private static final String BODY = "0123456789abcdef".repeat(3000);

    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    @TempDir static Path folder;
    private static Certificate certificate;

    @BeforeAll
    static void makeKeys() throws IOException {
        certificate = Certificate.in(folder, JAVA_HOME, false);
    }

    private static LoadResult run(ScriptedServer server, boolean keepAlive, Path trusted)
            throws IOException {
        return run(server.port(), keepAlive, trusted, TIMEOUT_NANOS);
    }

    private static LoadResult run(int port, boolean keepAlive, Path trusted, long timeoutNanos)
            throws IOException {
        LoadJob job =
                LoadJob.closed(3, true, keepAlive)
                        .to(port, List.of("/"), trusted.toString())
                        .lasting(30, 0, 30_000);
        BodyTemplate template = BodyTemplate.of(List.of(BODY.getBytes(StandardCharsets.US_ASCII)));
        try (LoadLoop loop =
                new LoadLoop(job, new TlsClient(trusted), Map.of("/", template), timeoutNanos)) {
            return loop.run(() -> {}, _ -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rightAnswers_areCounted(boolean keepAlive) throws Exception {
        String answer =
                keepAlive
                        ? ScriptedServer.ok(BODY)
                        : ScriptedServer.ok(BODY)
                                        .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
                                + ScriptedServer.CLOSE;
        try (ScriptedServer server =
                ScriptedServer.tls(certificate.store(), PASSWORD, _ -> answer)) {
            LoadResult result = run(server, keepAlive, certificate.pem());
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 30, result.toString());
            assertEquals(!keepAlive, result.opened() >= 30, result.toString());
        }
    }

    /// Servers close what nobody uses, while the handshakes of thousands take their time.
    @Test
    void connections_thatStandWhileOthersAreOpened_areUsed() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        ScriptedPeer.Script script =
                talk -> {
                    if (connections.incrementAndGet() == 3) {
                        LockSupport.parkNanos(800_000_000L); // before the handshake
                        before.set(talk.heads().size());
                    }
                    while (true) {
                        String _ = talk.head();
                        talk.send(ScriptedServer.ok(BODY));
                    }
                };
        try (ScriptedPeer server =
                new ScriptedPeer(ScriptedServer.secure(certificate.store(), PASSWORD), script)) {
            LoadResult result = run(server.port(), true, certificate.pem(), 600_000_000L);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 30, result.toString());
            assertEquals(0, result.opened());
            assertTrue(before.get() >= 2, before + " requests while the third was opened");
            assertTrue(server.heads().size() > result.requests(), "those before do not count");
        }
    }

    @Test
    void keyOfACurve_isTrustedAndUsed() throws Exception {
        Path own = Files.createDirectories(folder.resolve("ec"));
        Certificate ec = Certificate.in(own, JAVA_HOME, true);
        try (InputStream pem = Files.newInputStream(ec.pem());
                ScriptedServer server =
                        ScriptedServer.tls(ec.store(), PASSWORD, _ -> ScriptedServer.ok(BODY))) {
            var key = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            assertEquals("EC", key.getPublicKey().getAlgorithm());
            assertEquals(Map.of(), run(server, true, ec.pem()).errors());
        }
    }

    /// The generator is no browser, but a server that is not the one that was started is an error.
    @Test
    void anotherCertificate_isAnError() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other"));
        Certificate unknown = Certificate.in(other, JAVA_HOME, false);
        try (ScriptedServer server =
                ScriptedServer.tls(certificate.store(), PASSWORD, _ -> ScriptedServer.ok(BODY))) {
            assertThrows(IOException.class, () -> run(server, true, unknown.pem()));
        }
    }
}
