package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests of HTTP/1.0 without `Host`, which health checks of load balancers send.
final class HostlessRequestTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();

    @TempDir Path folder;

    /// A server whose hosts have one file each, with their names.
    private MargayServer serve(String listeners, String... names) throws Exception {
        StringBuilder hosts = new StringBuilder();
        for (String name : names) {
            Path files = Files.createDirectories(folder.resolve(name));
            Files.writeString(files.resolve("name"), name);
            hosts.append("  - name: '%s'\n    routes: {/: {files: '%s'}}\n".formatted(name, files));
        }
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, "listeners:\n" + listeners + "hosts:\n" + hosts);
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.missing());
        return MargayServer.start(read.get(), DeployProgress.NONE);
    }

    private static String answer(RawHttpClient.Response response) {
        return response.status() == 200 ? response.text() : "" + response.status();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.example b.example", "a.example *.a.example", "*.c.example a.example"})
    void request_withoutHost_isAnsweredByTheFirstNamedHost(String names) throws Exception {
        try (MargayServer server = serve("  - http: 127.0.0.1:0\n", names.split(" "));
                RawHttpClient client =
                        RawHttpClient.connect(
                                new InetSocketAddress("127.0.0.1", server.ports().getFirst()))) {
            client.send("GET /name HTTP/1.0\r\n\r\n");
            assertEquals("a.example", answer(client.response()));
        }
    }

    @Test
    void request_forAnotherHost_is421() throws Exception {
        try (MargayServer server = serve("  - http: 127.0.0.1:0\n", "a.example");
                RawHttpClient client =
                        RawHttpClient.connect(
                                new InetSocketAddress("127.0.0.1", server.ports().getFirst()))) {
            client.send("GET /name HTTP/1.0\r\nHost: b.example\r\n\r\n");
            assertEquals("421", answer(client.response()));
        }
    }

    private static final String TLS =
            """
              - https: 127.0.0.1:0
                certificates: [{cert: %1$s, key: %2$s}]
                sni:
                  - names: [guarded.example]
                    client-certificate: need
                    trust: [%1$s]
            """
                    .formatted(CERTIFICATE.cert(), CERTIFICATE.key());

    private static String overTls(MargayServer server, @Nullable String named, String request)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress("127.0.0.1", server.ports().getFirst()),
                        CERTIFICATE.client(),
                        named)) {
            client.send(request);
            return answer(client.response());
        }
    }

    /// The first host asks for certificates in its handshakes; a connection that was made for
    /// another host, or for none, has shown none.
    @Test
    void overTls_hostThatWantsCertificates_isNotReachedWithoutName() throws Exception {
        String hostless = "GET /name HTTP/1.0\r\n\r\n";
        try (MargayServer server = serve(TLS, "guarded.example", "open.example", "b.example")) {
            assertEquals("421", overTls(server, null, hostless));
            assertEquals("open.example", overTls(server, "open.example", hostless));
            assertEquals("b.example", overTls(server, "b.example", hostless));
            assertEquals("421", overTls(server, "nobody.example", hostless));
        }
    }

    @Test
    void overTls_hostThatAsksNothing_isReachedWithoutName() throws Exception {
        try (MargayServer server = serve(TLS, "open.example", "guarded.example")) {
            assertEquals("open.example", overTls(server, null, "GET /name HTTP/1.0\r\n\r\n"));
        }
    }
}
