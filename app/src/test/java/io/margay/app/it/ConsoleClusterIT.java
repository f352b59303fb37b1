package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The console of a gateway among others: two that share a store, and a container that registers
/// with one of them and keeps its sessions there.
final class ConsoleClusterIT {
    private static final String KEY = "what the servers share and nobody else knows";
    private static final int WIDE = 1280;
    private static final int HIGH = 830;

    @TempDir Path folder;

    private ServerProcess start(String name, String yaml) throws Exception {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("webapps/shop/WEB-INF"));
        Files.writeString(home.resolve("webapps/shop/index.jsp"), "<%= session.getId() %>");
        Files.writeString(home.resolve("margay.yaml"), yaml);
        ServerProcess process = ServerProcess.margay(home, "run", "margay.yaml");
        int _ = process.awaitMargay();
        return process;
    }

    private ServerProcess gateway(String name, int admin, RedisProcess redis) throws Exception {
        return start(
                name,
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                hosts: [{routes: {/*: {gateway: shop}}}]
                shared: {url: "redis://127.0.0.1:%d", key: %s, node: %s}
                upstreams:
                  shop:
                    members: {registered: {token-file: ../token, from: [127.0.0.0/8], wait: 0s}}
                """
                        .formatted(admin, redis.port(), KEY, name));
    }

    private ServerProcess container(int admin, int gateway, RedisProcess redis) throws Exception {
        int port = FreePort.next();
        return start(
                "tc1",
                """
                listeners: [{http: "127.0.0.1:%1$d"}]
                admin: 127.0.0.1:%2$d
                hosts: [{webapps: webapps}]
                sessions: {store: valkey, url: "redis://127.0.0.1:%3$d", key: %4$s, route: tc1}
                register:
                  upstream: shop
                  to: http://127.0.0.1:%5$d
                  url: "http://127.0.0.1:%1$d"
                  token-file: ../token
                  lease: 30s
                """
                        .formatted(port, admin, redis.port(), KEY, gateway));
    }

    @Test
    void cluster_showsGatewaysMembersAndSessions_andAStoreThatIsAway() throws Exception {
        Files.writeString(folder.resolve("token"), "a-token-of-registrars\n");
        int first = FreePort.next();
        int second = FreePort.next();
        int own = FreePort.next();
        try (RedisProcess redis = RedisProcess.start();
                Chromium chromium = Chromium.start(folder);
                ServerProcess gateway = gateway("gw1", first, redis);
                ServerProcess _ = gateway("gw2", second, redis);
                ServerProcess _ = container(own, first, redis)) {
            Chromium.Tab tab = cluster(chromium, first);
            tab.await("document.querySelector('#page').innerText.includes('registered here')");
            tab.await("document.querySelector('#page').innerText.includes('gw2')");
            Browser browser = new Browser(gateway.awaitMargay());
            assertEquals(200, browser.get("/shop/").statusCode());
            picture(tab, "console-cluster");
            usable(tab);
            String shown = tab.evaluate("document.querySelector('#page').innerText");
            assertTrue(shown.contains("this server"), shown);
            assertFalse(shown.contains(KEY), shown);
            String _ = tab.evaluate("location.hash = 'upstreams'");
            tab.await("document.querySelector('#health .timeline .usable')");
            picture(tab, "console-upstreams");
            Chromium.Tab container = cluster(chromium, own);
            container.await("document.querySelector('#page').innerText.includes('valkey')");
            container.await("document.querySelector('#page td.good')");
            usable(container);
            redis.stop();
            HttpResponse<String> _ = browser.get("/shop/"); // Which notices it.
            container.await("document.querySelector('#page').innerText.includes('not answer')");
            Chromium.Tab again = cluster(chromium, first);
            again.await("document.querySelector('#page').innerText.includes('works by itself')");
            usable(again);
        }
    }

    /// In a tab of its own: one behind another is told nothing.
    private static Chromium.Tab cluster(Chromium chromium, int admin) throws InterruptedException {
        return chromium.open("http://127.0.0.1:" + admin + "/#cluster");
    }

    private static void usable(Chromium.Tab tab) throws IOException, InterruptedException {
        for (int width : new int[] {390, WIDE}) {
            for (boolean dark : new boolean[] {false, true}) {
                tab.look(width, dark);
                String fits = "document.documentElement.scrollWidth <= innerWidth";
                assertEquals("true", tab.evaluate(fits), "at " + width);
                assertEquals("", Axe.violations(tab), width + ", dark: " + dark);
            }
        }
    }

    /// A picture of the guide, where those are made anew.
    private static void picture(Chromium.Tab tab, String name) throws Exception {
        if (Boolean.getBoolean("margay.update")) {
            tab.look(WIDE, false);
            Path images = Path.of("..", "docs", "images");
            Files.write(images.resolve(name + ".png"), tab.picture(WIDE, HIGH));
        }
    }
}
