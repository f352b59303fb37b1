package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

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
}
