package io.margay.frameworks.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// Spring Boot, deployed as a WAR.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SpringBootTest {
    @TempDir private static Path work;
    private static Served app;

    @BeforeAll
    static void start() {
        app = Served.start("boot", work);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static String type(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void controller_answersJson() throws Exception {
        HttpResponse<String> answer = app.get("/people/Ada%20L%C3%B6we?age=7");
        assertEquals("{\"name\":\"Ada Löwe\",\"age\":7}", answer.body());
        assertEquals("application/json", type(answer));
    }

    @Test
    void json_valid_isTaken() throws Exception {
        HttpResponse<String> answer =
                app.post("/people", "application/json", "{\"name\":\"Ada\",\"age\":36}");
        assertEquals(201, answer.statusCode());
        assertEquals("{\"name\":\"Ada\",\"age\":36}", answer.body());
    }

    @Test
    void json_invalid_isABadRequest() throws Exception {
        HttpResponse<String> blank =
                app.post("/people", "application/json", "{\"name\":\" \",\"age\":-1}");
        assertEquals(400, blank.statusCode());
        assertTrue(blank.body().contains("\"status\":400"), blank.body());
        assertTrue(blank.body().contains("/app/people"), blank.body());
        assertEquals(400, app.post("/people", "application/json", "{").statusCode());
        assertEquals(415, app.post("/people", "text/plain", "x").statusCode());
        assertEquals(405, app.get("/people").statusCode());
    }

    @Test
    void failure_isAnsweredByTheErrorPage() throws Exception {
        HttpResponse<String> answer = app.get("/fail", "Accept", "application/json");
        assertEquals(500, answer.statusCode());
        assertTrue(answer.body().contains("\"path\":\"/app/fail\""), answer.body());
        HttpResponse<String> page = app.get("/fail", "Accept", "text/html");
        assertTrue(page.body().contains("Whitelabel Error Page"), page.body());
        HttpResponse<String> missing = app.get("/nowhere", "Accept", "application/json");
        assertEquals(404, missing.statusCode());
        assertTrue(missing.body().contains("\"status\":404"), missing.body());
    }

    @Test
    void async_ofEachKind_isAnswered() throws Exception {
        assertTrue(app.get("/callable").body().startsWith("on "));
        assertEquals("{\"name\":\"Later\",\"age\":1}", app.get("/deferred").body());
        HttpResponse<String> late = app.get("/timeout");
        assertEquals(503, late.statusCode());
        assertEquals("too late", late.body());
        HttpResponse<String> events = app.get("/events");
        assertTrue(type(events).startsWith("text/event-stream"), type(events));
        assertEquals(
                "id:0\ndata:tick 0\n\nid:1\ndata:tick 1\n\nid:2\ndata:tick 2\n\n", events.body());
        assertEquals(1 << 20, app.get("/stream").body().length());
    }

    @Test
    void upload_isRead_andBounded() throws Exception {
        assertEquals(
                "a note a.txt 100000", app.upload("/upload", "a.txt", new byte[100_000]).body());
        int status = app.upload("/upload", "b.txt", new byte[3_000_000]).statusCode();
        assertEquals(413, status);
    }

    @Test
    void staticResource_isServedAndRevalidated() throws Exception {
        HttpResponse<String> file = app.get("/hello.txt");
        assertEquals("static\n", file.body());
        String modified = file.headers().firstValue("Last-Modified").orElseThrow();
        assertEquals(304, app.get("/hello.txt", "If-Modified-Since", modified).statusCode());
    }

    @Test
    void actuator_isUp() throws Exception {
        HttpResponse<String> health = app.get("/actuator/health");
        assertEquals(200, health.statusCode());
        assertTrue(health.body().contains("\"status\":\"UP\""), health.body());
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void stop_waitsForRequests_thenClosesTheContext() throws Exception {
        System.clearProperty("margay.frameworks.boot");
        CompletableFuture<HttpResponse<String>> slow = app.later("/slow?millis=700");
        Eventually.holds(
                "the request runs",
                () -> "slow".equals(System.getProperty("margay.frameworks.boot")));
        app.server().close();
        assertEquals("closed", System.getProperty("margay.frameworks.boot"));
        assertEquals("done", slow.get(10, TimeUnit.SECONDS).body());
    }
}
