package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.deploy.RunningApp;
import io.margay.app.sample.AcrossServlet;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.SlowServlet;
import io.margay.servlet.deploy.Deployment;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applications that are deployed anew, in versions, and undeployed, while requests come.
@Tag("slow")
final class RedeployTest {
    private static final Duration OFTEN = Duration.ofMillis(50);

    @TempDir Path folder;

    private Margay.Builder builder() {
        return Margay.builder().http(0).work(folder.resolve("work")).drain(Duration.ofSeconds(10));
    }

    /// The counter, and a file that tells which build it is.
    private Path count(String file, String build) throws IOException {
        Path war =
                Wars.with("v.txt", build)
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("built.war"));
        return put(war, folder.resolve("webapps").resolve(file));
    }

    /// Puts a file in place at once, as old as a file that was written before the test.
    private static Path put(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.setLastModifiedTime(from, FileTime.from(Instant.now().minusSeconds(3)));
        return Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    private static AppName app(String path) {
        return new AppName(List.of(), path, "");
    }

    @Test
    void redeploy_underLoad_losesNoRequestAndNoCount() throws Exception {
        count("shop.war", "one");
        try (MargayServer server = builder().webapps(folder.resolve("webapps")).start()) {
            Http http = new Http(server.ports().getFirst());
            String cookie = cookie(http.response("/shop/count"));
            CompletableFuture<Integer> load =
                    CompletableFuture.supplyAsync(
                            () -> load(server.ports().getFirst(), "/shop/count", cookie, 400));
            for (int i = 0; i < 5; i++) {
                count("shop.war", "build " + i);
                assertEquals(List.of(), server.change(Set.of(app("/shop")), ChangeCause.PROGRAM));
                assertEquals("build " + i, http.get("/shop/v.txt"));
            }
            assertEquals(401, load.get(60, TimeUnit.SECONDS));
            eventually(() -> unpacked() == 1);
        }
    }

    private static void eventually(Callable<Boolean> condition) {
        Eventually.holds(
                "the change",
                Duration.ofSeconds(30),
                () -> {
                    try {
                        return condition.call();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /// Unpacked WARs in the work folder.
    private long unpacked() throws IOException {
        try (Stream<Path> folders = Files.walk(folder.resolve("work/unpacked"), 2)) {
            return folders.filter(path -> path.getNameCount() == folder.getNameCount() + 4).count();
        }
    }

    /// Each answer must be one more than that before; nothing is sent twice.
    private static int load(int port, String path, String cookie, int requests) {
        int count = 1;
        String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nCookie: ";
        try (RawHttpClient http = RawHttpClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            for (int i = 0; i < requests; i++) {
                RawHttpClient.Response response = http.send(head + cookie + "\r\n\r\n").response();
                assertEquals(200, response.status());
                count++;
                assertEquals("count " + count, response.text());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return count;
    }

    /// The two applications of one WAR: sessions of the counter, changed by the slow one.
    private Path slow() throws IOException {
        return Wars.with("v.txt", "one")
                .servlet(CountServlet.class, "/count")
                .servlet(SlowServlet.class, "/slow")
                .war(folder.resolve("webapps/slow.war"));
    }

    private CompletableFuture<HttpResponse<String>> slowRequest(Http http, String cookie) {
        CompletableFuture<HttpResponse<String>> request =
                http.later("/slow/slow?note=changed&until=" + folder.resolve("go"), cookie);
        eventually(() -> Files.exists(folder.resolve("go.begun")));
        return request;
    }

    @Test
    void stopAndStart_withRequestInFlight_keepsItsSessionAndItsLastChange() throws Exception {
        try (MargayServer server = builder().webapps(slow().getParent()).start()) {
            Http http = new Http(server.ports().getFirst());
            String cookie = cookie(http.response("/slow/count"));
            CompletableFuture<HttpResponse<String>> request = slowRequest(http, cookie);
            server.stopped(app("/slow"), true);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            assertEquals(404, http.status("/slow/count"));
            server.stopped(app("/slow"), false);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            CompletableFuture<HttpResponse<String>> next = http.later("/slow/slow", cookie);
            assertFalse(request.isDone());
            Files.writeString(folder.resolve("go"), "");
            assertEquals("null", request.get(20, TimeUnit.SECONDS).body());
            assertEquals("changed", next.get(20, TimeUnit.SECONDS).body());
            assertEquals("count 2", http.withCookie("/slow/count", cookie).body());
        }
    }

    @Test
    void stopOfApplicationThenOfServer_withRequestInFlight_keepsItsLastChange() throws Exception {
        Path webapps = slow().getParent();
        String cookie;
        try (MargayServer server = builder().webapps(webapps).start()) {
            Http http = new Http(server.ports().getFirst());
            cookie = cookie(http.response("/slow/count"));
            CompletableFuture<HttpResponse<String>> request = slowRequest(http, cookie);
            server.stopped(app("/slow"), true);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            Files.writeString(folder.resolve("go"), "");
            assertEquals("null", request.get(20, TimeUnit.SECONDS).body());
        }
        try (MargayServer server = builder().webapps(webapps).start()) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("changed", http.withCookie("/slow/slow", cookie).body());
        }
    }

    @Test
    void redeploy_withRequestInFlight_finishesItOnTheOldOne() throws Exception {
        Path war =
                Wars.with("v.txt", "one")
                        .servlet(SlowServlet.class, "/slow")
                        .war(folder.resolve("webapps/slow.war"));
        try (MargayServer server = builder().webapps(war.getParent()).start()) {
            Http http = new Http(server.ports().getFirst());
            Path until = folder.resolve("go");
            CompletableFuture<HttpResponse<String>> request =
                    http.later("/slow/slow?until=" + until);
            eventually(() -> Files.exists(folder.resolve("go.begun")));
            Wars.with("v.txt", "two").servlet(SlowServlet.class, "/slow").war(war);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            assertEquals("two", http.get("/slow/v.txt"));
            assertFalse(request.isDone());
            Files.writeString(until, "");
            assertEquals("slow but sure", request.get(20, TimeUnit.SECONDS).body());
        }
    }

    /// A request that another application has sent there is one that the old one has begun.
    @Test
    void redeploy_withAForwardFromElsewhereInFlight_stopsTheOldOneAfterIt() throws Exception {
        Wars slow = Wars.with("v.txt", "one").servlet(SlowServlet.class, "/slow");
        Path war = slow.war(folder.resolve("webapps/slow.war"));
        Wars.with("META-INF/context.xml", "<Context crossContext='true'/>")
                .servlet(AcrossServlet.class, "/across")
                .war(folder.resolve("webapps/other.war"));
        try (MargayServer server = builder().webapps(war.getParent()).start()) {
            Http http = new Http(server.ports().getFirst());
            Path until = folder.resolve("go");
            CompletableFuture<HttpResponse<String>> request =
                    http.later("/other/across?until=" + until);
            eventually(() -> Files.exists(folder.resolve("go.begun")));
            Deployment first = server.site().app(app("/slow")).deployment();
            slow.and("v.txt", "two").war(war);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            Deployment second = server.site().app(app("/slow")).deployment();
            slow.and("v.txt", "three").war(war);
            assertEquals(List.of(), server.change(Set.of(app("/slow")), ChangeCause.PROGRAM));
            eventually(second::isOver);
            assertFalse(first.isOver());
            Files.writeString(until, "");
            assertEquals("slow but sure", request.get(20, TimeUnit.SECONDS).body());
            eventually(first::isOver);
        }
    }

    private static final String FORM =
            """
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>counter</web-resource-name>
                  <url-pattern>/count</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>shopper</role-name></auth-constraint>
              </security-constraint>
              <login-config>
                <auth-method>FORM</auth-method>
                <form-login-config>
                  <form-login-page>/in.txt</form-login-page>
                  <form-error-page>/in.txt</form-error-page>
                </form-login-config>
              </login-config>
              <security-role><role-name>shopper</role-name></security-role>
            </web-app>
            """;

    private MargayServer withUser(String name) throws IOException {
        String users = "<tomcat-users><user username='%s' password='p' roles='shopper'/>";
        Path file = folder.resolve("users.xml");
        Files.writeString(file, users.formatted(name) + "</tomcat-users>");
        return builder().users(file).webapps(folder.resolve("webapps")).start();
    }

    /// The cookie of a session that has logged in.
    private static String loggedIn(int port) throws IOException {
        String form = "j_username=ada&j_password=p";
        try (RawHttpClient http = RawHttpClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            RawHttpClient.Response response =
                    http.send(
                                    "POST /shop/j_security_check HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Content-Type: application/x-www-form-urlencoded\r\n"
                                            + "Content-Length: "
                                            + form.length()
                                            + "\r\n\r\n"
                                            + form)
                            .response();
            assertEquals(303, response.status());
            return response.field("Set-Cookie").split(";")[0];
        }
    }

    @Test
    void login_byForm_outlivesRedeploymentsAndRestartsAsLongAsTheUserExists() throws Exception {
        Wars shop = Wars.with("in.txt", "who?").servlet(CountServlet.class, "/count");
        Path war = shop.withinWebXml(FORM).war(folder.resolve("webapps/shop.war"));
        String cookie;
        try (MargayServer server = withUser("ada")) {
            int port = server.ports().getFirst();
            Http http = new Http(port);
            assertEquals("who?", http.get("/shop/count"));
            cookie = loggedIn(port);
            assertEquals("count 1", http.withCookie("/shop/count", cookie).body());
            shop.and("more.txt", "").war(war);
            assertEquals(List.of(), server.change(Set.of(app("/shop")), ChangeCause.PROGRAM));
            assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
        }
        try (MargayServer server = withUser("ada")) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("count 3", http.withCookie("/shop/count", cookie).body());
        }
        try (MargayServer server = withUser("bob")) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("who?", http.withCookie("/shop/count", cookie).body());
        }
    }

    @Test
    void sessions_ofAStopDuringARedeploy_areKept() throws Exception {
        count("shop.war", "one");
        String cookie;
        try (MargayServer server = builder().webapps(folder.resolve("webapps")).start()) {
            Http http = new Http(server.ports().getFirst());
            cookie = cookie(http.response("/shop/count"));
            assertEquals(List.of(), server.change(Set.of(app("/shop")), ChangeCause.PROGRAM));
        }
        try (MargayServer server = builder().webapps(folder.resolve("webapps")).start()) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
        }
    }

    @Test
    void files_changedInTheFolder_areDeployedAndUndeployed() throws Exception {
        Path webapps = folder.resolve("webapps");
        Path shop = count("shop.war", "one");
        Path open =
                Wars.with("v.txt", "open")
                        .and("WEB-INF/web.xml", WEB_XML)
                        .folder(webapps.resolve("open"));
        try (MargayServer server =
                builder()
                        .webapps(webapps)
                        .autoDeploy(new AutoDeploySettings(OFTEN, false))
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            String cookie = cookie(http.response("/shop/count"));
            count("shop.war", "the second");
            eventually(() -> http.get("/shop/v.txt").equals("the second"));
            assertEquals("count 2", http.withCookie("/shop/count", cookie).body());

            count("other.war", "other");
            eventually(() -> http.status("/other/v.txt") == 200);

            Object before = server.site().app(app("/open"));
            Files.setLastModifiedTime(
                    open.resolve("WEB-INF/web.xml"),
                    FileTime.from(Instant.now().minusSeconds(100)));
            eventually(() -> server.site().app(app("/open")) != before);

            Files.delete(shop);
            eventually(() -> http.status("/shop/v.txt") == 404);
            assertEquals("other", http.get("/other/v.txt"));
        }
    }

    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"/>
            """;

    @Test
    void war_halfCopied_leavesTheOldOneInService() throws Exception {
        Path shop = count("shop.war", "one");
        try (MargayServer server =
                builder()
                        .webapps(folder.resolve("webapps"))
                        .autoDeploy(new AutoDeploySettings(OFTEN, false))
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            byte[] whole = Files.readAllBytes(shop);
            Path half = folder.resolve("half.war");
            Files.write(half, java.util.Arrays.copyOf(whole, whole.length / 2));
            put(half, shop);
            eventually(() -> !server.failures().isEmpty());
            assertTrue(
                    server.failures().getFirst().contains("shop.war"), server.failures()::toString);
            assertEquals("one", http.get("/shop/v.txt"));
            count("shop.war", "a good one");
            eventually(() -> http.get("/shop/v.txt").equals("a good one"));
            assertEquals(List.of(), server.failures());
        }
    }

    @Test
    void versions_sideBySide_keepTheirSessions() throws Exception {
        count("shop##1.war", "one");
        Path webapps = folder.resolve("webapps");
        try (MargayServer server =
                builder()
                        .webapps(webapps)
                        .autoDeploy(new AutoDeploySettings(OFTEN, true))
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            String old = cookie(http.response("/shop/count"));
            count("shop##2.war", "two");
            eventually(() -> http.get("/shop/v.txt").equals("two"));
            assertEquals("one", http.withCookie("/shop/v.txt", old).body());
            assertEquals("count 2", http.withCookie("/shop/count", old).body());
            String young = cookie(http.response("/shop/count"));
            assertEquals("two", http.withCookie("/shop/v.txt", young).body());

            RunningApp first = server.site().app(new AppName(List.of(), "/shop", "1"));
            first.deployment().webApp().liveSessions().forEach(session -> session.invalidate());
            eventually(() -> server.site().apps().size() == 1);
            assertFalse(Files.exists(webapps.resolve("shop##1.war")));
            assertEquals("two", http.withCookie("/shop/v.txt", old).body());
            assertEquals("count 2", http.withCookie("/shop/count", young).body());
        }
    }

    @Test
    void sessionIds_withRoute_endWithIt() throws Exception {
        count("shop.war", "one");
        try (MargayServer server =
                builder()
                        .webapps(folder.resolve("webapps"))
                        .sessions(SessionSettings.defaults().withRoute("tc1"))
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            String cookie = cookie(http.response("/shop/count"));
            assertTrue(cookie.matches("JSESSIONID=[0-9A-F]{32}\\.tc1"), cookie);
            assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
        }
    }

    @Test
    void contexts_ofOthers_areSeenByWhoMaySeeThem() throws Exception {
        for (String flag : List.of("true", "false")) {
            Wars.with("v.txt", flag)
                    .and("META-INF/context.xml", "<Context crossContext='" + flag + "'/>")
                    .war(folder.resolve("webapps/" + flag + ".war"));
        }
        try (MargayServer server = builder().webapps(folder.resolve("webapps")).start()) {
            ServletContext may = server.site().app(app("/true")).deployment().webApp().context();
            ServletContext mayNot =
                    server.site().app(app("/false")).deployment().webApp().context();
            assertEquals("/false", may.getContext("/false/v.txt").getContextPath());
            assertEquals(may, may.getContext("/true/v.txt"));
            assertNull(may.getContext("/none"));
            assertNull(mayNot.getContext("/true/v.txt"));
            assertEquals(List.of(), server.change(Set.of(app("/false")), ChangeCause.PROGRAM));
            assertEquals(
                    server.site().app(app("/false")).deployment().webApp().context(),
                    may.getContext("/false/v.txt"));
        }
    }

    @Test
    void applications_aHundred_areDeployedSideBySideAndCounted() throws Exception {
        for (int i = 0; i < 100; i++) {
            Wars.with("v.txt", "app " + i).war(folder.resolve("webapps/app" + i + ".war"));
        }
        Set<Integer> counted = ConcurrentHashMap.newKeySet();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        DeployProgress progress =
                (done, total, last) -> {
                    assertEquals(100, total);
                    counted.add(done);
                    threads.add(Thread.currentThread().getName());
                };
        try (MargayServer server =
                MargayServer.start(
                        builder().webapps(folder.resolve("webapps")).config(), progress)) {
            assertEquals(List.of(), server.failures());
            assertEquals(100, counted.size());
            assertTrue(
                    threads.stream().allMatch(name -> name.startsWith("margay-deploy-")),
                    threads.toString());
            Http http = new Http(server.ports().getFirst());
            for (int i = 0; i < 100; i++) {
                assertEquals("app " + i, http.get("/app" + i + "/v.txt"));
            }
        }
    }
}
