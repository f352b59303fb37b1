package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.agreement.nginx.EchoMember;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The cookie of the gateway's own leads a client to its member again, whatever else it has.
final class StickyCookieTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"margay", "mod_jk", "mod_proxy"})
    void ownCookie_ofAnotherNameThanTheSessions_leadsToItsMember(String dialect) throws Exception {
        try (EchoMember a = new EchoMember("X-Member: a\r\n");
                EchoMember b = new EchoMember("X-Member: b\r\n")) {
            Path file =
                    Files.writeString(
                            folder.resolve("margay.yaml"),
                            """
                            listeners: [{http: "127.0.0.1:0"}]
                            work: work
                            hosts: [{routes: {/*: {gateway: app}}}]
                            upstreams:
                              app:
                                dialect: %s
                                sticky-set-cookie: ROUTE
                                members:
                                  - {url: "http://127.0.0.1:%d", route: a}
                                  - {url: "http://127.0.0.1:%d", route: b}
                            """
                                    .formatted(dialect, a.port(), b.port()));
            try (MargayServer server =
                    MargayServer.start(
                            ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
                int port = server.ports().getFirst();
                for (String cookies : List.of("ROUTE=.b", "JSESSIONID=x; ROUTE=.b")) {
                    assertEquals("b", member(port, cookies), cookies);
                    assertEquals("b", member(port, cookies), cookies);
                }
                assertEquals("a", member(port, "JSESSIONID=x.a; ROUTE=.b"));
            }
        }
    }

    private static String member(int port, String cookies) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            return client.send("GET / HTTP/1.1\r\nHost: h\r\nCookie: " + cookies + "\r\n\r\n")
                    .response()
                    .field("x-member");
        }
    }
}
