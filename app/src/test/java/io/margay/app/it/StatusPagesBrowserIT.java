package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The status pages that scripts know from mod_jk, mod_proxy_balancer, mod_status and Tomcat's
/// manager, for people: on a phone, in the dark, to a screen reader, without a script or a style
/// from elsewhere.
final class StatusPagesBrowserIT {
    private static final int WIDE = 1280;

    @TempDir Path folder;

    @Test
    void pages_areUsableByAll() throws Exception {
        int admin = FreePort.next();
        Files.writeString(folder.resolve("token"), "a-token-of-status-pages");
        Files.createDirectories(folder.resolve("webapps/shop/WEB-INF"));
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                hosts:
                  - webapps: webapps
                    routes:
                      /lb/*: {gateway: lb}
                      /solo/*: {gateway: solo}
                      /jkstatus: {status: jkstatus}
                      /server-status: {status: server-status}
                      /balancer-manager: {status: balancer-manager}
                upstreams:
                  lb:
                    sticky: SID
                    members:
                      - {url: "http://127.0.0.1:9", name: tc1}
                      - {url: "http://127.0.0.1:9", name: tc2, activation: disabled}
                    health: {get: /, every: 900s, answers: {up: {status: 200-299}}}
                  solo: {members: [{url: "ajp://127.0.0.1:9", name: solo}]}
                """
                        .formatted(admin));
        try (ServerProcess process = ServerProcess.margay(folder, "run", "margay.yaml");
                Chromium chromium = Chromium.start(folder)) {
            int port = process.awaitMargay();
            assertEquals(503, new Browser(port).get("/lb/").statusCode());
            List<String> pages =
                    List.of(
                            port + "/jkstatus",
                            port + "/jkstatus?cmd=edit&w=lb&sw=tc1",
                            port + "/server-status",
                            port + "/balancer-manager",
                            admin + "/manager/status/all");
            for (String page : pages) {
                Chromium.Tab tab = chromium.open("http://127.0.0.1:" + page);
                usable(tab, page);
                if (page.endsWith("balancer-manager")) {
                    String form = "document.querySelector('td a[href*=nonce]').click()";
                    String _ = tab.evaluate(form);
                    tab.await("document.querySelector('form select')");
                    usable(tab, "the form of a member");
                }
                picture(tab, page.substring(page.indexOf('/') + 1));
            }
        }
    }

    private static void usable(Chromium.Tab tab, String page) throws Exception {
        for (int width : new int[] {390, WIDE}) {
            for (boolean dark : new boolean[] {false, true}) {
                tab.look(width, dark);
                String fits = "document.documentElement.scrollWidth <= innerWidth";
                assertEquals("true", tab.evaluate(fits), page + " at " + width);
                assertEquals("", Axe.violations(tab), page + ", dark: " + dark);
            }
        }
        String font = "getComputedStyle(document.body).fontFamily.includes('system-ui')";
        assertEquals("true", tab.evaluate(font), page + " has its style");
    }

    /// A picture of the guide, where those are made anew.
    private static void picture(Chromium.Tab tab, String page) throws Exception {
        if (Boolean.getBoolean("margay.update") && page.equals("jkstatus")) {
            tab.look(WIDE, false);
            Path images = Path.of("..", "docs", "images");
            Files.write(images.resolve("jkstatus.png"), tab.picture(WIDE, 830));
        }
    }
}
