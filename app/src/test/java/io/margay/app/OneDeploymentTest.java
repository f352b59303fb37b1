package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.sample.WaitingStart;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that takes its time to start is started once, in whichever way it is deployed,
/// while auto-deploy looks at the same files.
@Tag("slow")
final class OneDeploymentTest {
    private static final String TOKEN = "a token for this test";

    @TempDir Path folder;
    private MargayServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("webapps"));
        server =
                Margay.builder()
                        .http(0)
                        .work(folder.resolve("work"))
                        .webapps(folder.resolve("webapps"))
                        .admin("127.0.0.1:0", TOKEN)
                        .drain(Duration.ofSeconds(10))
                        .autoDeploy(new AutoDeploySettings(Duration.ofMillis(20), false))
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private Path starts() {
        return folder.resolve("starts");
    }

    private Path go() {
        return folder.resolve("starts.go");
    }

    private byte[] war(String build) throws IOException {
        return Files.readAllBytes(
                Wars.with("v.txt", build)
                        .type(WaitingStart.class)
                        .and(
                                "WEB-INF/web.xml",
                                """
                                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                                  <context-param>
                                    <param-name>starts</param-name>
                                    <param-value>%s</param-value>
                                  </context-param>
                                  <listener><listener-class>%s</listener-class></listener>
                                </web-app>
                                """
                                        .formatted(starts(), WaitingStart.class.getName()))
                        .war(folder.resolve("built.war")));
    }

    private long count() {
        try {
            return Files.exists(starts()) ? Files.readAllLines(starts()).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread autoDeploy() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("margay-auto-deploy"))
                .findAny()
                .orElseThrow();
    }

    /// Whether auto-deploy has found something, and waits until nobody else deploys.
    private static boolean waitsForItsTurn() {
        return autoDeploy().getState() == Thread.State.WAITING;
    }

    /// Whether auto-deploy has nothing to do until its next look.
    private static boolean isBetweenLooks() {
        return Stream.of(autoDeploy().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.margay."))
                .findFirst()
                .map(frame -> frame.getMethodName().equals("run"))
                .orElse(false);
    }

    private static void eventually(String what, BooleanSupplier condition) {
        Eventually.holds(what, Duration.ofSeconds(30), condition);
    }

    private String send(String method, String path, String authorization, byte[] body)
            throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path))
                        .timeout(Duration.ofSeconds(60))
                        .header("Authorization", authorization)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private String api(String method, String path, byte[] body) throws Exception {
        return send(method, "/api/applications" + path, "Bearer " + TOKEN, body);
    }

    private String manager(String method, String path, byte[] body) throws Exception {
        String user = "deployer:" + TOKEN;
        String basic = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        return send(method, "/manager/text" + path, "Basic " + basic, body);
    }

    /// What has an application deployed, and what is answered.
    @FunctionalInterface
    private interface Way {
        String go() throws Exception;
    }

    /// Deploys, lets auto-deploy find the file and wait for its turn, then lets the application
    /// start.
    private void startsOnce(String expected, Way way) throws Exception {
        Files.deleteIfExists(starts());
        Files.deleteIfExists(go());
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return way.go();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        eventually("the application begins", () -> count() > 0);
        eventually("auto-deploy waits", OneDeploymentTest::waitsForItsTurn);
        Files.writeString(go(), "");
        assertEquals(expected, answer.get(60, TimeUnit.SECONDS).strip());
        eventually("auto-deploy is done", OneDeploymentTest::isBetweenLooks);
        assertEquals(1, count());
    }

    @Test
    void deployAndUpdate_byTheApi_startOnce() throws Exception {
        byte[] one = war("one");
        byte[] two = war("two");
        startsOnce("200 {\"done\":true}", () -> api("PUT", "?path=/shop", one));
        startsOnce("200 {\"done\":true}", () -> api("PUT", "?path=/shop&update=true", two));
        assertEquals("two", new Http(server.ports().getFirst()).get("/shop/v.txt"));
    }

    @Test
    void deployAndUpdate_byTheManagerAndMavenTools_startOnce() throws Exception {
        String done = "200 OK - Deployed application at context path [/shop]";
        byte[] one = war("one");
        byte[] two = war("two");
        startsOnce(done, () -> manager("PUT", "/deploy?path=/shop", one));
        startsOnce(done, () -> manager("PUT", "/deploy?path=/shop&update=true", two));
        String built = "file:" + folder.resolve("built.war");
        startsOnce(
                "200 OK - Deployed application at context path [/local]",
                () -> manager("GET", "/deploy?path=/local&war=" + built, new byte[0]));
    }

    @Test
    void start_ofAStoppedApplication_startsOnce() throws Exception {
        Files.writeString(go(), "");
        assertEquals("200 {\"done\":true}\n", api("PUT", "?path=/shop", war("one")));
        assertEquals("200 {\"done\":true}\n", api("POST", "/stop?path=/shop", new byte[0]));
        startsOnce("200 {\"done\":true}", () -> api("POST", "/start?path=/shop", new byte[0]));
    }

    @Test
    void reloadOfTheConfiguration_withANewFile_startsOnce() throws Exception {
        startsOnce(
                "reloaded",
                () -> {
                    server.lock(); // Auto-deploy, which is as fast, shall not come first.
                    try {
                        drop("one");
                        server.reload(server.config());
                    } finally {
                        server.unlock();
                    }
                    return "reloaded";
                });
    }

    @Test
    void file_thatIsPutIntoTheFolder_startsOnce() throws Exception {
        Files.writeString(go(), "");
        for (String build : List.of("one", "two")) {
            Files.deleteIfExists(starts());
            drop(build);
            Http http = new Http(server.ports().getFirst());
            eventually(
                    "build " + build,
                    () -> {
                        try {
                            return http.response("/shop/v.txt").body().equals(build);
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
            eventually("auto-deploy is done", OneDeploymentTest::isBetweenLooks);
            assertEquals(1, count());
        }
    }

    /// Puts the application into the folder at once, as old as one that was built before.
    private void drop(String build) throws IOException {
        Path built = Files.write(folder.resolve("dropped.war"), war(build));
        Files.setLastModifiedTime(built, FileTime.from(Instant.now().minusSeconds(3)));
        Files.move(built, folder.resolve("webapps/shop.war"), StandardCopyOption.REPLACE_EXISTING);
    }
}
