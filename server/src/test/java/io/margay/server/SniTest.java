package io.margay.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import io.margay.testkit.TestCertificate;
import io.margay.testkit.program.Program;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SniTest {
    @Test
    void CVE_2026_32990_otherHostThanInTheHandshake_isMisdirected() throws Exception {
        TestCertificate certificate = TestCertificate.temporary();
        try (Transport transport = Transports.open("nio", TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(TestHandlers::handle, new VirtualDispatcher(10))) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), 0))
                                    .withTls(TlsConfig.of(certificate.cert(), certificate.key())));
            InetSocketAddress address = (InetSocketAddress) listener.socket().address();
            try (RawHttpClient client =
                    RawHttpClient.connect(address, certificate.client(), "localhost")) {
                for (String host : new String[] {"localhost", "LOCALHOST:8443", "localhost."}) {
                    client.send("GET /a HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                    assertEquals("GET /a", client.response().text());
                }
                client.send("GET /a HTTP/1.1\r\nHost: admin\r\n\r\n");
                Response response = client.response();
                assertEquals(421, response.status());
                assertTrue(response.closes());
            }
        }
    }

    /// A client that names no host in the handshake, or another, does not get round what a host
    /// asks there: with HTTP/1.1, and on a shared connection of HTTP/2.
    @Test
    void host_thatAsksForCertificates_isMisdirectedOnOtherConnections() throws Exception {
        TestCertificate certificate = TestCertificate.temporary();
        TlsConfig open = TlsConfig.of(certificate.cert(), certificate.key());
        TlsConfig guarded =
                open.withClients(ClientCertificates.of(ClientAuth.NEED, certificate.cert()));
        TlsConfig tls =
                open.withApplicationProtocols(List.of("h2", "http/1.1"))
                        .withNamed(List.of(new TlsConfig.Named(List.of("admin"), guarded)));
        try (Transport transport = Transports.open("nio", TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(
                                TestHandlers::handle,
                                new VirtualDispatcher(10),
                                HttpServerConfig.defaults().withStrictSni(false),
                                null)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), 0))
                                    .withTls(tls));
            InetSocketAddress address = (InetSocketAddress) listener.socket().address();
            try (RawHttpClient client =
                    RawHttpClient.connect(address, certificate.client(), "localhost")) {
                client.send("GET /a HTTP/1.1\r\nHost: other\r\n\r\n");
                assertEquals("GET /a", client.response().text());
                client.send("GET /a HTTP/1.1\r\nHost: Admin.:443\r\n\r\n");
                assertEquals(421, client.response().status());
            }
            for (String version : List.of("--http1.1", "--http2")) {
                for (String host : List.of("127.0.0.1", "localhost")) {
                    assertEquals("200", curl(address.getPort(), version, host, "other"));
                    assertEquals("421", curl(address.getPort(), version, host, "admin"));
                }
            }
        }
    }

    /// The status for a host, asked of a connection that was made for another.
    private static String curl(int port, String version, String at, String host) throws Exception {
        Process process =
                new ProcessBuilder(
                                Program.of("curl"),
                                "-sk",
                                "-m20",
                                version,
                                "-o/dev/null",
                                "-w%{http_code}",
                                "-HHost: " + host,
                                "https://" + at + ":" + port + "/a")
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        return output;
    }
}
