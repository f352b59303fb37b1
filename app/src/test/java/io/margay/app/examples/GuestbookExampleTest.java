package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/// `guestbook`: rows of a database, through a data source of its context.xml.
final class GuestbookExampleTest {
    private static HttpResponse<String> write(
            TransportChoice transport, ExampleServer server, String words) throws Exception {
        String form = "author=Ada&words=" + URLEncoder.encode(words, StandardCharsets.UTF_8);
        return server.send(
                server.request(transport, "/guestbook/")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build());
    }

    @OnEveryTransport
    void entry_written_isRead(TransportChoice transport, ExampleServer server) throws Exception {
        String words = transport + " says <hello> & grüßt";
        HttpResponse<String> answer = write(transport, server, words);
        assertEquals(302, answer.statusCode(), answer.body());
        assertEquals("/guestbook/", answer.headers().firstValue("Location").orElse(""));
        String page = server.get(transport, "/guestbook/").body();
        assertTrue(page.contains(transport + " says &lt;hello&gt; &amp; grüßt"), page);
    }

    @OnEveryTransport
    void entry_tooLong_isRefused(TransportChoice transport, ExampleServer server) throws Exception {
        String words = "x".repeat(501);
        assertEquals(400, write(transport, server, words).statusCode());
        assertFalse(server.get(transport, "/guestbook/").body().contains(words));
    }
}
