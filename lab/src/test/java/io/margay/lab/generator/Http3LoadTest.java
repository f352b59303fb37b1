package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.site.Certificate;
import io.margay.lab.wire.BodyTemplate;
import io.margay.lab.wire.TlsClient;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The generator over HTTP/3 against a server of its own session, by handshakes without
/// cryptography: those with are in `QuicTlsClientTest`.
@Timeout(120)
final class Http3LoadTest {
    private static final long TIMEOUT_NANOS = 20_000_000_000L;
    private static final BodyTemplate HELLO =
            BodyTemplate.of(List.of("hello".getBytes(StandardCharsets.US_ASCII)));

    @TempDir static Path folder;
    private static Certificate certificate;

    @BeforeAll
    static void makeKeys() throws IOException {
        certificate = Certificate.in(folder, Path.of(System.getProperty("java.home")), true);
    }

    private static LoadResult run(LoadJob job, int port, String path, long timeoutNanos)
            throws IOException {
        LoadJob whole = job.to(port, List.of(path), "");
        TlsClient tls = new TlsClient(certificate.pem(), () -> new Http3Server.Plain(false));
        try (LoadLoop loop = new LoadLoop(whole, tls, Map.of(path, HELLO), timeoutNanos)) {
            return loop.run(() -> {}, _ -> {});
        }
    }

    private static LoadResult run(Http3Server server, String path, int streams, long requests)
            throws IOException {
        LoadJob job = LoadJob.closed(2, true, true).overQuic(streams).lasting(requests, 0, 60_000);
        return run(job, server.port(), path, TIMEOUT_NANOS);
    }

    @Test
    void rightAnswers_areCounted_overAsManyConnectionsAsWereAskedFor() throws IOException {
        try (Http3Server server = new Http3Server(200, "hello", 100, false)) {
            LoadResult result = run(server, "/", 10, 500);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 500, result.toString());
            assertEquals(2, server.connections.get());
        }
    }

    @Test
    void requestsAtARate_startWhenTheyAreDue() throws IOException {
        try (Http3Server server = new Http3Server(200, "hello", 100, false)) {
            LoadJob job = LoadJob.rate(100, 3, true, true).overQuic(1).lasting(50, 0, 60_000);
            LoadResult result = run(job, server.port(), "/", TIMEOUT_NANOS);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.nanos() >= 480_000_000L, result.toString());
        }
    }

    @Test
    void serverWithFewerStreams_isAskedAsItAllows() throws IOException {
        try (Http3Server server = new Http3Server(200, "hello", 3, false)) {
            LoadResult result = run(server, "/", 10, 500);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 500, result.toString());
        }
    }

    @Test
    void contentOfARequest_isSentAsTheWindowsAllow() throws IOException {
        try (Http3Server server = new Http3Server(200, "hello", 100, false)) {
            LoadResult result = run(server, "POST 300000 /", 2, 10);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.bytesOut() > 3_000_000, result.toString());
        }
    }

    @Test
    void wrongAnswers_areCountedByKind() throws IOException {
        try (Http3Server server = new Http3Server(200, "hallo", 100, false)) {
            assertEquals(Set.of("wrong content"), run(server, "/", 2, 4).errors().keySet());
        }
        try (Http3Server server = new Http3Server(500, "hello", 100, false)) {
            assertEquals(Set.of("status 500"), run(server, "/", 2, 4).errors().keySet());
        }
    }

    @Test
    void connectionsThatTheServerEnds_areOpenedAnew() throws IOException {
        try (Http3Server server = new Http3Server(200, "hello", 100, true)) {
            LoadResult result = run(server, "/", 2, 300);
            assertTrue(result.requests() >= 200, result.toString());
            assertTrue(server.connections.get() > 4, server.connections.toString());
            assertTrue(
                    Set.of("closed by the server").containsAll(result.errors().keySet()),
                    result.toString());
        }
    }

    @Test
    void nobodyWhoAnswers_isAnError() throws IOException {
        try (DatagramSocket mute = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            // Without keep-alive nothing is connected before the measurement.
            LoadJob job = LoadJob.closed(1, true, false).overQuic(1).lasting(1, 0, 20_000);
            LoadResult result = run(job, mute.getLocalPort(), "/", 500_000_000L);
            assertEquals(Set.of("time-out while connecting"), result.errors().keySet());
        }
    }
}
