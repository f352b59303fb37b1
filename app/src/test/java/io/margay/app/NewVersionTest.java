package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.CountServlet;
import io.margay.gateway.canary.CanaryReading;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The newest of several versions of an application, which a part of the clients gets.
@Tag("slow")
@Timeout(180)
final class NewVersionTest {
    private static final int CLIENTS = 300;

    @TempDir Path folder;

    private MargayServer start(String newVersion) throws Exception {
        Wars.with("v.txt", "one")
                .servlet(CountServlet.class, "/count")
                .war(folder.resolve("one.war"));
        Wars.with("v.txt", "two")
                .and("broken.jsp", "<% response.sendError(500); %>")
                .servlet(CountServlet.class, "/count")
                .war(folder.resolve("two.war"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - routes:
                              /shop##1: {app: one.war}
                              /shop##2: {app: two.war, new-version: %s}
                        work: work
                        """
                                .formatted(newVersion));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static String cookie(HttpResponse<String> response, String name) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(one -> one.startsWith(name + "="))
                .findFirst()
                .orElseThrow()
                .split(";")[0];
    }

    private static CanaryReading read(MargayServer server) {
        return server.site().newVersions().get("/shop");
    }

    @Test
    void newVersion_getsItsShareOfClients_andEachStays() throws Exception {
        try (MargayServer server = start("{steps: 50%}")) {
            Http http = new Http(server.ports().getFirst());
            Map<String, String> versions = new HashMap<>();
            int ofNew = 0;
            for (int i = 0; i < CLIENTS; i++) {
                HttpResponse<String> first = http.response("/shop/v.txt");
                versions.put(cookie(first, "margay-canary"), first.body());
                ofNew += first.body().equals("two") ? 1 : 0;
            }
            assertEquals(0.5, (double) ofNew / CLIENTS, 0.15);
            for (Map.Entry<String, String> client : versions.entrySet()) {
                HttpResponse<String> again = http.withCookie("/shop/v.txt", client.getKey());
                assertEquals(client.getValue(), again.body());
                assertTrue(again.headers().allValues("Set-Cookie").isEmpty());
            }
            Eventually.holds(
                    "all are counted",
                    () -> read(server).fresh().all() + read(server).old().all() == 2 * CLIENTS);
            assertEquals(2 * ofNew, read(server).fresh().all());
        }
    }

    @Test
    void session_staysWithItsVersion_whateverTheClientSays() throws Exception {
        String chosen = "{steps: 0%, header: X-Version, cookie: version}";
        try (MargayServer server = start(chosen)) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("one", http.get("/shop/v.txt"));
            assertEquals("two", http.withCookie("/shop/v.txt", "version=always").body());
            String old = cookie(http.response("/shop/count"), "JSESSIONID");
            String young = cookie(http.withCookie("/shop/count", "version=always"), "JSESSIONID");
            assertEquals("two", http.withCookie("/shop/v.txt", young).body());
            assertEquals("count 2", http.withCookie("/shop/count", young).body());
            String both = old + "; version=always";
            assertEquals("one", http.withCookie("/shop/v.txt", both).body());
            assertEquals("count 2", http.withCookie("/shop/count", both).body());
        }
    }

    /// It fails at a page that the old one does not have.
    @Test
    void versionThatFails_isTakenBack_andSaysWhy() throws Exception {
        try (MargayServer server = start("{steps: 50%, stop: {errors: 1%}}")) {
            Http http = new Http(server.ports().getFirst());
            String young = "";
            while (read(server).stopped() == null) {
                HttpResponse<String> response = http.response("/shop/broken.jsp");
                if (response.statusCode() == 500) {
                    young = cookie(response, "margay-canary");
                }
            }
            String why = String.valueOf(read(server).stopped());
            assertTrue(why.contains("of its answers fail"), why);
            assertEquals(0, read(server).share());
            assertEquals("one", http.withCookie("/shop/v.txt", young).body());
            for (int i = 0; i < 20; i++) {
                assertEquals("one", http.get("/shop/v.txt"));
            }
        }
    }

    @Test
    void versionWithoutTheKey_getsAllClients() throws Exception {
        Wars.with("v.txt", "one").war(folder.resolve("one.war"));
        Wars.with("v.txt", "two").war(folder.resolve("two.war"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts: [{routes: {/shop##1: {app: one.war}, /shop##2: {app: two.war}}}]
                        work: work
                        """);
        try (MargayServer server =
                MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
            HttpResponse<String> response =
                    new Http(server.ports().getFirst()).response("/shop/v.txt");
            assertEquals("two", response.body());
            assertFalse(response.headers().firstValue("Set-Cookie").isPresent());
            assertEquals(Map.of(), server.site().newVersions());
        }
    }

    @Test
    void mistakes_areReportedWithTheirPlaces() throws IOException {
        Files.createDirectories(folder.resolve("shop"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        hosts:
                          - cache: {}
                            routes:
                              /a: {app: shop, new-version: {steps: 5%}}
                              /b##2: {app: shop, new-version: {steps: 5%, to: x}}
                        """);
        String problems = ConfigFile.read(file, Map.of()).problems().toString();
        assertTrue(problems.contains("needs a version, as in /shop##2"), problems);
        assertTrue(problems.contains("unknown key \"to\""), problems);
        assertTrue(problems.contains("needs \"cache: {memory: 0}\""), problems);
    }
}
