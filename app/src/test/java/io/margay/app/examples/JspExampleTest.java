package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;

/// `jsp`: what pages can do.
@Tag("slow")
final class JspExampleTest {
    private static void shows(
            ExampleServer server, TransportChoice transport, String path, String... texts)
            throws Exception {
        HttpResponse<String> page = server.get(transport, path);
        assertEquals(200, page.statusCode(), page.body());
        for (String text : texts) {
            assertTrue(page.body().contains(text), "no " + text + " in " + page.body());
        }
    }

    @OnEveryTransport
    void welcomePage_isWrittenByATagFile(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(server, transport, "/jsp/", "WEB-INF/tags/page.tag", "</html>");
    }

    @OnEveryTransport
    void expressions_areEvaluatedAndEscaped(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(
                server,
                transport,
                "/jsp/el.jsp?name=%3Cb%3E%C3%A9",
                "&lt;b&gt;é",
                "<td>42</td>",
                "<td>true</td>",
                "[1, 2, 3]",
                "<td>81</td>",
                "margay",
                "<td>GET</td>");
    }

    @OnEveryTransport
    void standardTags_loopChooseFormatAndEscape(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(
                server,
                transport,
                "/jsp/jstl.jsp",
                "OCELOT",
                "climbs down head first",
                "has 6 letters",
                "1,234,567.89",
                "&lt;b&gt;not bold&lt;/b&gt;",
                "/jsp/el.jsp?name=a+b");
    }

    @OnEveryTransport
    void customTag_getsItsBodyAndAttribute(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(
                server,
                transport,
                "/jsp/tag.jsp?times=3",
                "<p>PURR! PURR! PURR!</p>",
                "<p>margay</p>");
    }

    @OnEveryTransport
    void includes_ofFileAndPage_standInThePage(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(
                server,
                transport,
                "/jsp/include.jsp",
                "sees what is declared by the page",
                "asked by the page that includes it, for /WEB-INF/part.jsp");
    }

    @OnEveryTransport
    void forward_dropsWhatWasWritten(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> page = server.get(transport, "/jsp/forward.jsp");
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("forward.jsp has forwarded"), page.body());
        assertFalse(page.body().contains("never leaves the buffer"), page.body());
    }

    @OnEveryTransport
    void servlet_forwardsToAPageThatNobodyCanAskFor(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(server, transport, "/jsp/cats", "<i>Leopardus wiedii</i>");
        assertEquals(404, server.get(transport, "/jsp/WEB-INF/cats.jsp").statusCode());
        assertEquals(404, server.get(transport, "/jsp/web-inf/cats.jsp").statusCode());
    }

    @OnEveryTransport
    void session_countsTheVisitsOfOneBrowser(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> first = server.get(transport, "/jsp/visits.jsp");
        assertTrue(first.body().contains("Visit number 1 "), first.body());
        String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(cookie.contains("HttpOnly") && cookie.contains("Path=/jsp"), cookie);
        String pair = cookie.split(";", 2)[0];
        HttpResponse<String> second =
                server.send(
                        server.request(transport, "/jsp/visits.jsp")
                                .header("Cookie", pair)
                                .build());
        assertTrue(second.body().contains("Visit number 2 "), second.body());
        assertTrue(
                server.get(transport, "/jsp/visits.jsp").body().contains("Visit number 1 "),
                "another browser");
    }

    @OnEveryTransport
    void exception_isShownByTheErrorPageOfItsType(TransportChoice transport, ExampleServer server)
            throws Exception {
        shows(server, transport, "/jsp/fail.jsp?divisor=5", "20");
        HttpResponse<String> page = server.get(transport, "/jsp/fail.jsp?divisor=0");
        assertEquals(500, page.statusCode());
        assertTrue(page.body().contains("/jsp/fail.jsp ended with status 500:"), page.body());
        assertFalse(page.body().contains("Half a page"), page.body());
        assertFalse(page.body().contains("ArithmeticException"), "no inner matters are shown");
    }

    @OnEveryTransport
    void unknownPath_isShownByTheErrorPageOfItsStatus(
            TransportChoice transport, ExampleServer server) throws Exception {
        for (String path : new String[] {"/jsp/nowhere", "/jsp/nowhere.jsp"}) {
            HttpResponse<String> page = server.get(transport, path);
            assertEquals(404, page.statusCode());
            assertTrue(page.body().contains("There is nothing at " + path), page.body());
        }
    }
}
