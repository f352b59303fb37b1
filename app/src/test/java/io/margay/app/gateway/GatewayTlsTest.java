package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.FieldsServlet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TLS on both sides of the gateway: peers behind https, and what peers are told of clients'
/// certificates.
@Tag("slow")
final class GatewayTlsTest {
    private static final Logger LOG = Logger.getLogger("io.margay.gateway");

    /// Keeps what the gateway logs.
    private static final class Lines extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            Object[] values = line.getParameters();
            lines.add(values == null ? line.getMessage() : line.getMessage() + List.of(values));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @TempDir static Path folder;

    private static Pem certificate;
    private static Pem client;
    private static MargayServer back;

    private final Lines log = new Lines();

    @BeforeAll
    static void startBackEnd() throws Exception {
        certificate = Pem.make(folder, "back");
        client = Pem.make(folder, "other", "other.example");
        Path war =
                Wars.with("index.html", "x")
                        .servlet(FieldsServlet.class, "/*")
                        .war(folder.resolve("fields.war"));
        back =
                server(
                        "back",
                        """
                        listeners:
                          - https: 127.0.0.1:0
                            certificates:
                              - {cert: back.pem, key: back.key}
                              - {cert: other.pem, key: other.key}
                          - http: 127.0.0.1:0
                        hosts: [{routes: {/: {app: %s}}}]
                        work: work-back
                        """
                                .formatted(war));
    }

    @AfterAll
    static void stopBackEnd() {
        back.close();
    }

    @BeforeEach
    void listen() {
        LOG.addHandler(log);
    }

    @AfterEach
    void leave() {
        LOG.removeHandler(log);
    }

    private static MargayServer server(String name, String text) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, text);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    /// A gateway to the https listener, whose member has these keys.
    private static MargayServer gateway(String host, String keys) throws IOException {
        return server(
                "front",
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: back, host-header: peer}}}]
                upstreams: {back: {members: [{url: "https://%s:%d"%s}]}}
                work: work-front
                """
                        .formatted(host, back.ports().getFirst(), keys));
    }

    private static HttpResponse<String> ask(String host, String keys) throws Exception {
        try (MargayServer front = gateway(host, keys)) {
            return new Http(front.ports().getFirst()).response("/a");
        }
    }

    @Test
    void httpsPeer_withATrustedCertificateOfItsName_answers() throws Exception {
        assertEquals(200, ask("localhost", ", trust: back.pem").statusCode());
        assertEquals(
                200, ask("127.0.0.1", ", trust: back.pem, server-name: localhost").statusCode());
    }

    @Test
    void httpsPeer_withSeveralNames_isAskedForTheOneByServerNameIndication() throws Exception {
        assertEquals(
                200,
                ask("127.0.0.1", ", trust: other.pem, server-name: other.example").statusCode());
    }

    @Test
    void httpsPeer_thatIsNotTrusted_is502AndLogged() throws Exception {
        HttpResponse<String> response = ask("localhost", ", name: shop1");
        assertEquals(502, response.statusCode());
        assertTrue(response.body().contains("TLS with the server"), response.body());
        assertLogged("TLS with {0} failed: {1}[shop1, ");
        assertLogged("PKIX path building failed");
    }

    @Test
    void httpsPeer_withACertificateOfAnotherName_is502AndLogged() throws Exception {
        assertEquals(502, ask("127.0.0.1", ", trust: back.pem, name: shop1").statusCode());
        assertLogged("TLS with {0} failed: {1}[shop1, ");
        assertLogged("127.0.0.1");
    }

    private void assertLogged(String part) {
        assertTrue(log.lines.stream().anyMatch(line -> line.contains(part)), log.lines::toString);
    }

    @Test
    void httpsPeer_thatIsNotVerified_answersWhateverItShows() throws Exception {
        assertEquals(200, ask("127.0.0.1", ", verify: false").statusCode());
    }

    @Test
    void httpsPeer_thatSpeaksNoTls_is502() throws Exception {
        try (MargayServer front =
                server(
                        "front",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts: [{routes: {/: {gateway: back}}}]
                        upstreams: {back: {members: [{url: "https://localhost:%d"}]}}
                        work: work-front
                        """
                                .formatted(back.ports().getLast()))) {
            assertEquals(502, new Http(front.ports().getFirst()).status("/a"));
        }
    }

    @Test
    void httpsPeer_askedForAnotherHostThanTlsWasSetUpFor_is421() throws Exception {
        try (MargayServer front =
                server(
                        "front",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts: [{routes: {/: {gateway: back}}}]
                        upstreams:
                          back: {members: [{url: "https://localhost:%d", trust: back.pem}]}
                        work: work-front
                        """
                                .formatted(back.ports().getFirst()))) {
            assertEquals(421, new Http(front.ports().getFirst()).status("/a"));
        }
    }

    // What peers are told

    private static final String STRANGER =
            """
            Client-Cert: :ZXZpbA==:
            client-cert-chain: evil
            X_SSL_Client_Cert: evil
            SSL-Client-Cert: evil
            X-SSL-Subject: CN=evil
            X-SSL-Verify: SUCCESS
            X-Dropped: evil
            """;

    private static MargayServer certificateFront(String more) throws IOException {
        return server(
                "front",
                """
                listeners:
                  - https: 127.0.0.1:0
                    certificates: [{cert: back.pem, key: back.key}]
                    client-certificate: want
                    trust: other.pem
                  - http: 127.0.0.1:0
                hosts:
                  - routes:
                      /:
                        gateway: back
                        tls-fields:
                          Client-Cert: client-cert
                          Client-Cert-Chain: client-cert-chain
                          X-SSL-Client-Cert: escaped-pem
                          SSL_CLIENT_CERT: pem
                          X-SSL-DER: der
                          X-SSL-Subject: subject
                          X-SSL-Verify: verify
                          X-SSL-Protocol: protocol
                          X-Dropped: none
                %s
                upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
                work: work-front
                """
                        .formatted(more.indent(8), back.ports().getLast()));
    }

    private static String fields(SSLContext context, int port) throws Exception {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (context != null) {
            builder.sslContext(context);
        }
        try (HttpClient client = builder.build()) {
            String scheme = context == null ? "http" : "https";
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + port + "/a"))
                            .timeout(Duration.ofSeconds(30));
            STRANGER.lines()
                    .map(line -> line.split(": ", 2))
                    .forEach(field -> request.header(field[0], field[1]));
            return client.send(request.build(), BodyHandlers.ofString()).body();
        }
    }

    @Test
    void certificateOfAClient_isToldInFields_andStrangersFieldsAreDropped() throws Exception {
        String pem = Files.readString(client.cert()).strip();
        String der = pem.replaceAll("-----[A-Z ]+-----|\n", "");
        try (MargayServer server = certificateFront("")) {
            int https = server.ports().getFirst();
            String with = fields(client.showing(certificate), https);
            assertTrue(with.contains("Client-Cert: :" + der + ":\n"), with);
            assertTrue(with.contains("X-SSL-DER: " + der + "\n"), with);
            assertTrue(with.contains("SSL_CLIENT_CERT: " + pem.replace('\n', ' ') + "\n"), with);
            assertTrue(with.contains("X-SSL-Client-Cert: -----BEGIN%20CERT"), with);
            assertTrue(with.contains("X-SSL-Subject: CN=other\n"), with);
            assertTrue(with.contains("X-SSL-Verify: SUCCESS\n"), with);
            assertTrue(with.contains("X-SSL-Protocol: TLSv1.3\n"), with);
            assertFalse(with.contains("evil"), with);
            String without = fields(certificate.trusting(), https);
            assertTrue(without.contains("X-SSL-Verify: NONE\n"), without);
            assertFalse(without.contains("evil") || without.contains("Cert"), without);
            String plain = fields(null, server.ports().getLast());
            assertFalse(plain.contains("evil") || plain.contains("SSL"), plain);
        }
    }

    @Test
    void certificateFields_ofATrustedFrontEnd_areKept() throws Exception {
        try (MargayServer server = certificateFront("trust-forwarded: [127.0.0.0/8]")) {
            String seen = fields(null, server.ports().getLast());
            assertTrue(seen.contains("Client-Cert: :ZXZpbA==:\n"), seen);
            assertTrue(seen.contains("X-SSL-Subject: CN=evil\n"), seen);
            assertFalse(seen.contains("X-Dropped") || seen.contains("SSL-Client"), seen);
        }
    }

    // Ways back

    @Test
    void locationAndCookies_ofAPeer_areRewritten() throws Exception {
        int port = back.ports().getLast();
        try (MargayServer front =
                server(
                        "front",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - rules:
                              - prefix: /shop
                                to: back
                                target: /inner
                                reverse: [{from: "http://127.0.0.1:%1$d/inner", to: /shop}]
                                cookie-paths: [{from: /inner, to: /shop}]
                                cookie-domains: [{from: inner.example, to: shop.example}]
                            routes: {/: {gateway: back}}
                        upstreams: {back: {members: [{url: "http://127.0.0.1:%1$d"}]}}
                        work: work-front
                        """
                                .formatted(port))) {
            Http http = new Http(front.ports().getFirst());
            String own = "http://127.0.0.1:" + front.ports().getFirst();
            String inner = "http://127.0.0.1:" + port;
            String cookie = "cookie=a=b;%20Path=/inner/x;%20Domain=inner.example";
            HttpResponse<String> moved =
                    http.response(
                            "/shop/a?status=302&" + cookie + "&location=" + inner + "/inner/b");
            assertEquals(302, moved.statusCode());
            assertEquals(own + "/shop/b", moved.headers().firstValue("Location").orElse(""));
            assertEquals(
                    "a=b; Path=/shop; Domain=shop.example",
                    moved.headers().firstValue("Set-Cookie").orElse(""));
            HttpResponse<String> by =
                    http.response("/other?status=201&location=" + inner + "/inner/b");
            assertEquals(own + "/inner/b", by.headers().firstValue("Location").orElse(""));
            HttpResponse<String> elsewhere =
                    http.response("/shop/a?status=302&location=http://elsewhere.example/inner");
            assertEquals(
                    "http://elsewhere.example/inner",
                    elsewhere.headers().firstValue("Location").orElse(""));
        }
    }
}
