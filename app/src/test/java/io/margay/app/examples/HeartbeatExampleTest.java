package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.testkit.RawHttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `heartbeat`: date and time, by a JSP and by its twin, a servlet.
final class HeartbeatExampleTest {
    private static final List<String> PAGES =
            List.of("/heartbeat/heartbeat.jsp", "/heartbeat/servlet");
    private static final Pattern DATE = Pattern.compile("<p>([^<]+)</p>");
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss zzz yyyy", Locale.US);

    private static String date(String page) {
        Matcher matcher = DATE.matcher(page);
        assertTrue(matcher.find(), page);
        return matcher.group(1);
    }

    @OnEveryTransport
    void page_tellsTheTimeNow(TransportChoice transport, ExampleServer server) throws Exception {
        for (String page : PAGES) {
            Instant before = Instant.now().minusSeconds(1);
            HttpResponse<String> answer = server.get(transport, page);
            Instant told = ZonedDateTime.parse(date(answer.body()), FORMAT).toInstant();
            assertEquals(200, answer.statusCode());
            assertTrue(told.isAfter(before), told + " is before " + before);
            assertFalse(told.isAfter(Instant.now()), told + " is in the future");
        }
    }

    @OnEveryTransport
    void twins_answerAlikeButForTheDate(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> jsp = server.get(transport, PAGES.getFirst());
        HttpResponse<String> servlet = server.get(transport, PAGES.getLast());
        assertEquals(
                servlet.body().replace(date(servlet.body()), "DATE").strip(),
                jsp.body().replace(date(jsp.body()), "DATE").strip());
        assertEquals(type(servlet), type(jsp));
        assertEquals("text/html;charset=utf-8", type(jsp));
    }

    private static String type(HttpResponse<String> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        return type.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    @OnEveryTransport
    void hundredRequests_onOneConnection_areAnsweredInOrder(
            TransportChoice transport, ExampleServer server) throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            for (int i = 0; i < 100; i++) {
                RawHttpClient.Response answer = client.get(PAGES.get(i % 2));
                assertEquals(200, answer.status());
                assertFalse(answer.closes());
                assertTrue(answer.text().endsWith("</html>\n"), answer.text());
            }
            client.send(
                    """
                    GET /heartbeat/servlet HTTP/1.1\r
                    Host: a\r
                    \r
                    GET /heartbeat/nothing HTTP/1.1\r
                    Host: a\r
                    \r
                    GET /heartbeat/heartbeat.jsp HTTP/1.1\r
                    Host: a\r
                    Connection: close\r
                    \r
                    """);
            assertEquals(200, client.response().status());
            assertEquals(404, client.response().status());
            RawHttpClient.Response last = client.response();
            assertEquals(200, last.status());
            assertTrue(last.closes());
            assertEquals(-1, client.read());
        }
    }

    @OnEveryTransport
    void head_tellsWhatGetWouldSend(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            RawHttpClient.Response get = client.get("/heartbeat/servlet");
            client.send("HEAD /heartbeat/servlet HTTP/1.1\r\nHost: a\r\n\r\n");
            RawHttpClient.Response head = client.response(true);
            assertEquals(200, head.status());
            assertEquals(get.field("Content-Length"), head.field("Content-Length"));
            assertEquals(get.field("Content-Type"), head.field("Content-Type"));
            assertEquals(200, client.get("/heartbeat/servlet").status(), "nothing came after it");
        }
    }

    @OnEveryTransport
    void date_ofTheResponse_isOfNow(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> answer = server.get(transport, PAGES.getLast());
        ZonedDateTime date =
                ZonedDateTime.parse(
                        answer.headers().firstValue("Date").orElseThrow(),
                        DateTimeFormatter.RFC_1123_DATE_TIME);
        Duration age = Duration.between(date, ZonedDateTime.now());
        assertTrue(age.abs().compareTo(Duration.ofSeconds(30)) < 0, age.toString());
    }
}
