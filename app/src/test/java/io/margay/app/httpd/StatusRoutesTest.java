package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.config.ConfigException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Routes of `margay.yaml` that lead to status pages.
final class StatusRoutesTest {
    @TempDir Path folder;

    private MargayConfig config(String members) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0, transport: nio}]
                hosts:
                  - routes:
                      /app/*: {gateway: shop}
                      /jkstatus: {status: jkstatus, token: a-long-token, state: changes}
                      /server-status: {status: server-status}
                      /balancer-manager: {status: balancer-manager}
                upstreams:
                  shop:
                    members: [%s]
                    health: {ping: tcp, every: 50ms}
                work: work
                """
                        .formatted(members));
        return ConfigFile.read(file, Map.of()).get();
    }

    private static String get(MargayServer server, String target) throws IOException {
        InetSocketAddress address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + target
                            + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a-long-token\r\n\r\n");
            return client.response().text();
        }
    }

    private static boolean shows(MargayServer server, String text) {
        try {
            return get(server, "/jkstatus?mime=prop").contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void pages_showTheUpstreamsAndTheServer() throws IOException {
        try (ServerSocket peer = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MargayServer server =
                        MargayServer.start(
                                config(
                                        "{url: \"http://127.0.0.1:%d\", name: one}"
                                                .formatted(peer.getLocalPort())),
                                DeployProgress.NONE)) {
            String status = get(server, "/jkstatus?mime=prop");
            assertTrue(status.contains("worker.one.port=" + peer.getLocalPort()), status);
            assertTrue(status.contains("worker.shop.map.1.uri=/app/*"), status);
            assertTrue(get(server, "/balancer-manager").contains("balancer://shop"));
            // The one before is counted when its answer has gone out, perhaps after we have it.
            String auto = get(server, "/server-status?auto");
            assertTrue(auto.matches("(?s).*Total Accesses: [12]\n.*"), auto);
        }
    }

    /// What mod_jk's tools read by name, and `java.util.Properties` reads whatever the name is.
    @Test
    void members_withoutName_areCalledByTheirRoutes() throws IOException {
        String members =
                """
                {url: "http://127.0.0.1:1", route: one}, {url: "http://127.0.0.1:2"},
                {url: "http://127.0.0.1:3", route: two}, {url: "http://127.0.0.1:4", route: two}\
                """;
        try (MargayServer server = MargayServer.start(config(members), DeployProgress.NONE)) {
            Properties status = new Properties();
            status.load(new StringReader(get(server, "/jkstatus?mime=prop")));
            assertEquals("1", status.get("worker.one.port"));
            assertEquals("2", status.get("worker.http://127.0.0.1:2.port"));
            assertEquals("3", status.get("worker.http://127.0.0.1:3.port"));
            assertEquals("two", status.get("worker.http://127.0.0.1:4.route"));
            assertTrue(status.containsKey("worker.one.state"));
        }
    }

    /// As with httpd, where neither module knows the other's.
    @Test
    void pagesOfHttpdsFiles_showWhatTheirModuleBalances() throws IOException {
        Files.writeString(
                folder.resolve("workers.properties"),
                "worker.list=jk,status\nworker.jk.type=ajp13\nworker.jk.port=9\n"
                        + "worker.status.type=status\n");
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        Listen 127.0.0.1:0
                        ServerRoot %s
                        JkWorkersFile workers.properties
                        JkMount /jk/* jk
                        JkMount /jkstatus status
                        <Proxy balancer://px>
                          BalancerMember http://127.0.0.1:9 route=m1
                        </Proxy>
                        ProxyPass /px/ balancer://px/
                        <Location /balancer-manager>
                          SetHandler balancer-manager
                        </Location>
                        <Location /server-status>
                          SetHandler server-status
                        </Location>
                        """
                                .formatted(folder));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        try (MargayServer server = PlanServer.start(plan, folder.resolve("work-httpd"))) {
            String jk = get(server, "/jkstatus?mime=prop");
            assertTrue(jk.contains("worker.jk.port=9"), jk);
            assertFalse(jk.contains("px"), jk);
            String _ = get(server, "/jk/x");
            Eventually.holds(
                    "the answer of the mount is counted",
                    () -> shows(server, "worker.jk.map.1.responses_5xx=1"));
            String proxy = get(server, "/balancer-manager");
            assertTrue(proxy.contains("balancer://px"), proxy);
            assertFalse(proxy.contains("balancer://jk"), proxy);
            String auto = get(server, "/server-status?auto");
            assertTrue(auto.contains("Name: balancer://px\n"), auto);
            assertFalse(auto.contains("balancer://jk"), auto);
        }
    }

    @Test
    void page_isForThisMachine_andForWhomTheRouteAllows() throws IOException {
        Path file = folder.resolve("local.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0, transport: nio}]
                hosts:
                  - client-address: {field: X-Forwarded-For, trusted: [127.0.0.1]}
                    routes:
                      /own: {status: server-status}
                      /open: {status: server-status, allow: [203.0.113.0/24]}
                work: work-local
                """);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertEquals(200, status(server, "/own", "X-Nothing: more"));
            assertEquals(403, status(server, "/own", "X-Forwarded-For: 203.0.113.7"));
            assertEquals(200, status(server, "/open", "X-Forwarded-For: 203.0.113.7"));
            assertEquals(403, status(server, "/open", "X-Forwarded-For: 198.51.100.7"));
        }
    }

    private static int status(MargayServer server, String target, String field) throws IOException {
        InetSocketAddress address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n");
            return client.response().status();
        }
    }

    @Test
    void change_withAStateFile_holdsAfterARestart() throws IOException {
        MargayConfig config = config("{url: \"http://127.0.0.1:1\", name: one}");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertTrue(
                    get(server, "/jkstatus?cmd=update&mime=txt&w=shop&sw=one&vwf=7")
                            .contains("type=OK"));
        }
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertTrue(get(server, "/jkstatus?mime=prop").contains("worker.one.lbfactor=7\n"));
        }
    }

    @Test
    void change_holdsOverAReloadOfTheSameConfiguration() throws IOException {
        MargayConfig config = config("{url: \"http://127.0.0.1:1\", name: one}");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            get(server, "/jkstatus?cmd=update&mime=txt&w=shop&sw=one&vwa=d");
            server.reload(config);
            assertTrue(get(server, "/jkstatus?mime=prop").contains("worker.one.activation=DIS\n"));
        }
    }

    @Test
    void peer_thatFailsItsChecks_isShownInError() throws IOException {
        try (MargayServer server =
                MargayServer.start(
                        config("{url: \"http://127.0.0.1:1\", name: one}"), DeployProgress.NONE)) {
            Eventually.holds(
                    "in error",
                    () -> {
                        try {
                            return get(server, "/jkstatus?mime=prop")
                                    .contains("worker.one.state=ERR\n");
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }

    @Test
    void token_thatIsShortOrWithoutAPage_isAnError() throws IOException {
        Path file = folder.resolve("bad.yaml");
        Files.writeString(
                file,
                """
                hosts:
                  - routes:
                      /a: {status: jkstatus, token: short}
                      /b: {files: ., token: a-long-token}
                """);
        ConfigException bad =
                Assertions.assertThrows(
                        ConfigException.class, () -> ConfigFile.read(file, Map.of()).get());
        assertEquals(2, bad.problems().size(), bad::toString);
    }
}
