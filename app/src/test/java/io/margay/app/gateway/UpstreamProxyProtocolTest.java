package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Gateways whose members want to know the client by the PROXY protocol.
final class UpstreamProxyProtocolTest {
    @TempDir Path folder;

    private MargayServer start(String name, String yaml) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, yaml);
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        MargayConfig config = read.get().withWork(folder.resolve("work-" + name));
        return MargayServer.start(config, DeployProgress.NONE);
    }

    private MargayServer member() throws IOException {
        Wars.with(
                        "index.jsp",
                        "<%= request.getRemoteAddr() %> <%= request.getRemotePort() %>"
                                + " <%= request.getScheme() %>")
                .folder(folder.resolve("any"));
        return start(
                "member",
                """
                listeners: [{http: 127.0.0.1:0, proxy-protocol: [127.0.0.1]}]
                hosts: [{routes: {/: {app: any}}}]
                """);
    }

    private MargayServer gateway(MargayServer member, String version, String more)
            throws IOException {
        return start(
                "gateway",
                """
                listeners: [{http: 127.0.0.1:0, proxy-protocol: [127.0.0.1]}]
                upstreams:
                  one: {proxy-protocol: %s, members: [{url: "http://127.0.0.1:%d"}]%s}
                hosts: [{routes: {/*: {gateway: one}}}]
                """
                        .formatted(version, member.ports().getFirst(), more));
    }

    /// Asks on one connection, so that the gateway could keep one, too.
    private static String ask(MargayServer server, String client, int requests) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.ports().getFirst())) {
            socket.setSoTimeout(20_000);
            StringBuilder text = new StringBuilder("PROXY " + client + "\r\n");
            for (int i = 1; i <= requests; i++) {
                text.append("GET / HTTP/1.1\r\nHost: a\r\n")
                        .append(i == requests ? "Connection: close\r\n" : "")
                        .append("\r\n");
            }
            socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "v1, TCP4 203.0.113.9 198.51.100.7 1234 80, 203.0.113.9 1234 http",
        "v2, TCP4 203.0.113.9 198.51.100.7 1234 80, 203.0.113.9 1234 http",
        "v1, TCP6 2001:db8::9 2001:db8::7 1234 80, 2001:db8:0:0:0:0:0:9 1234 http",
        "v2, TCP6 2001:db8::9 2001:db8::7 1234 80, 2001:db8:0:0:0:0:0:9 1234 http"
    })
    void member_isToldOfEachClient(String version, String client, String seen) throws Exception {
        try (MargayServer member = member();
                MargayServer gateway = gateway(member, version, "")) {
            String both = ask(gateway, client, 2);
            assertEquals(3, both.split(seen, -1).length, both);
            String other = ask(gateway, "TCP4 203.0.113.77 198.51.100.7 99 80", 1);
            assertTrue(other.contains("203.0.113.77 99"), other);
        }
    }

    @ParameterizedTest
    @CsvSource({"v1", "v2"})
    void healthChecks_speakForTheGateway(String version) throws Exception {
        try (MargayServer member = member();
                MargayServer gateway =
                        gateway(member, version, ", health: {get: /, every: 50ms}")) {
            Eventually.holds(
                    "the member is checked",
                    () -> member.site().apps().getFirst().requests().begun() > 2);
            assertTrue(
                    ask(gateway, "TCP4 203.0.113.9 198.51.100.7 1234 80", 1)
                            .contains("203.0.113.9"));
        }
    }

    @Test
    void proxyProtocol_beforeTls_isRefusedByTheFile() throws Exception {
        Path file = folder.resolve("wrong.yaml");
        for (String url : List.of("https://127.0.0.1:1", "h2c://127.0.0.1:1")) {
            Files.writeString(
                    file,
                    """
                    upstreams:
                      one: {proxy-protocol: v2, members: [{url: "%s"}]}
                    hosts: [{routes: {/*: {gateway: one}}}]
                    """
                            .formatted(url));
            List<String> problems =
                    ConfigFile.read(file, Map.of()).problems().stream()
                            .map(Object::toString)
                            .toList();
            assertEquals(1, problems.size(), problems::toString);
            assertTrue(problems.getFirst().contains("without TLS and HTTP/2"), problems::toString);
        }
    }
}
