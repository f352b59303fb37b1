package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;

/// The page that lists the other examples.
final class RootExampleTest {
    @OnEveryTransport
    void startPage_listsEveryExample_andEveryLinkAnswers(
            TransportChoice transport, ExampleServer server) throws Exception {
        HttpResponse<String> page = server.get(transport, "/");
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("Margay is running"), page.body());
        List<String> links =
                Pattern.compile("href=\"([^\"]+)\"")
                        .matcher(page.body())
                        .results()
                        .map(match -> URI.create("/").resolve(match.group(1)).getPath())
                        .toList();
        for (String example :
                List.of("heartbeat", "pages", "upload", "async", "chat", "jsp", "guestbook")) {
            assertTrue(links.stream().anyMatch(link -> link.startsWith("/" + example)), example);
        }
        for (String link : links) {
            int status = server.get(transport, link).statusCode();
            assertTrue(status == 200 || status == 405, link + " is answered with " + status);
        }
    }

    @OnEveryTransport
    void unknownPath_isNotFound(TransportChoice transport, ExampleServer server) throws Exception {
        assertEquals(404, server.get(transport, "/nowhere").statusCode());
    }

    @OnEveryTransport
    void applicationsPath_withoutSlash_isRedirectedToItself(
            TransportChoice transport, ExampleServer server) throws Exception {
        HttpResponse<String> answer = server.get(transport, "/heartbeat");
        assertEquals(302, answer.statusCode());
        assertEquals("/heartbeat/", answer.headers().firstValue("Location").orElse(""));
    }
}
