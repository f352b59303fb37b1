package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.margay.app.Http;
import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A member that asks the gateway for a certificate, with the TLS of either provider.
final class PeerCertificateTest {
    @TempDir static Path folder;

    @BeforeAll
    static void makeFiles() throws Exception {
        TestAuthority inner = TestAuthority.in(folder, "inner");
        Issued site = inner.issue("site", "localhost");
        Issued gateway = inner.issue("gateway");
        Files.copy(site.cert(), folder.resolve("site.pem"));
        Files.copy(site.key(), folder.resolve("site.key"));
        Files.copy(inner.cert(), folder.resolve("ca.pem"));
        // As httpd has it: both in one file.
        Files.writeString(
                folder.resolve("gateway.pem"),
                Files.readString(gateway.key()) + Files.readString(gateway.cert()));
        Files.createDirectories(folder.resolve("htdocs/with"));
        Files.writeString(folder.resolve("htdocs/with/a"), "inner");
    }

    private static MargayServer server(String name, String text) throws Exception {
        Path file = Files.writeString(folder.resolve(name), text);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    @ParameterizedTest
    @CsvSource({"jsse, https", "openssl, https", "jsse, h2", "openssl, h2"})
    void certificateOfTheGateway_isShownToAMemberThatAsks(String tls, String scheme)
            throws Exception {
        try (MargayServer back =
                        server(
                                "back.yaml",
                                """
                                listeners:
                                  - https: 127.0.0.1:0
                                    tls: %s
                                    certificates: [{cert: site.pem, key: site.key}]
                                    client-certificate: need
                                    trust: [ca.pem]
                                hosts: [{routes: {/*: {files: htdocs}}}]
                                work: work-back
                                """
                                        .formatted(tls));
                MargayServer front =
                        server(
                                "front.yaml",
                                """
                                listeners: [{http: 127.0.0.1:0}]
                                hosts:
                                  - routes:
                                      /with/*: {gateway: with, host-header: peer}
                                      /without/*: {gateway: without, host-header: peer}
                                upstreams:
                                  with:
                                    trust: ca.pem
                                    certificates: [{cert: gateway.pem}]
                                    members: [{url: "%1$s://localhost:%2$d"}]
                                  without:
                                    trust: ca.pem
                                    members: [{url: "%1$s://localhost:%2$d"}]
                                work: work-front
                                """
                                        .formatted(scheme, back.ports().getFirst()))) {
            Http http = new Http(front.ports().getFirst());
            assertEquals(200, http.status("/with/a"));
            assertTimeout(
                    Duration.ofSeconds(5), () -> assertEquals(502, http.status("/without/a")));
        }
    }
}
