package io.margay.frameworks.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Wicket 10: pages with a state, kept in the session and on disk.
final class WicketTest {
    @TempDir private static Path work;
    private static Served app;

    @BeforeAll
    static void start() {
        app = Served.start("wicket", work);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    /// Follows redirects, as a browser does.
    private static HttpResponse<String> open(String path) throws Exception {
        return followed(app.get(path));
    }

    private static HttpResponse<String> followed(HttpResponse<String> first) throws Exception {
        HttpResponse<String> answer = first;
        for (int i = 0; i < 5 && answer.statusCode() / 100 == 3; i++) {
            answer = app.get(Served.location(answer));
        }
        return answer;
    }

    private static String at(HttpResponse<String> page, String link) {
        return page.uri()
                .resolve(link.replace("&amp;", "&"))
                .toString()
                .replaceFirst("https?://[^/]+", "");
    }

    @Test
    void link_countsUp_andOlderVersionsOfThePageStay() throws Exception {
        HttpResponse<String> page = open("/");
        assertEquals("0", Served.found("count: <span[^>]*>([0-9]+)", page.body()));
        String link = Served.found("<a (?:[^>]* )?href=\"([^\"]+)\"[^>]*>one", page.body());
        HttpResponse<String> next = open(at(page, link));
        assertEquals("1", Served.found("count: <span[^>]*>([0-9]+)", next.body()));
        String again = Served.found("<a (?:[^>]* )?href=\"([^\"]+)\"[^>]*>one", next.body());
        HttpResponse<String> third = open(at(next, again));
        assertEquals("2", Served.found("count: <span[^>]*>([0-9]+)", third.body()));
        // The link of the first page is of that version still.
        HttpResponse<String> old = open(at(page, link));
        assertEquals("1", Served.found("count: <span[^>]*>([0-9]+)", old.body()));
    }

    @Test
    void ajax_answersWithTheChangedPart() throws Exception {
        HttpResponse<String> page = open("/");
        String url = Served.found("\"u\":\"([^\"]+)\"", page.body());
        HttpResponse<String> answer =
                app.get(
                        at(page, url),
                        "Wicket-Ajax",
                        "true",
                        "Wicket-Ajax-BaseURL",
                        page.uri().getPath().replaceFirst("^/app/", ""),
                        "X-Requested-With",
                        "XMLHttpRequest");
        assertEquals(200, answer.statusCode());
        assertTrue(answer.headers().firstValue("Content-Type").orElse("").startsWith("text/xml"));
        assertTrue(answer.body().contains(">10</span>"), answer.body());
    }

    @Test
    void form_isCheckedAndTaken() throws Exception {
        HttpResponse<String> page = open("/");
        String action = Served.found("<form[^>]*action=\"([^\"]+)\"", page.body());
        String name = Served.found("<input type=\"text\"[^>]*name=\"([^\"]+)\"", page.body());
        HttpResponse<String> wrong = followed(app.form(at(page, action), name, ""));
        assertTrue(wrong.body().contains("feedbackPanelERROR"), wrong.body());
        String retry = Served.found("<form[^>]*action=\"([^\"]+)\"", wrong.body());
        HttpResponse<String> right = followed(app.form(at(wrong, retry), name, "Löwe"));
        assertTrue(right.body().contains("hello Löwe"), right.body());
    }

    @Test
    void failure_isAnsweredByWicketsPage() throws Exception {
        HttpResponse<String> answer = open("/fail");
        assertEquals(500, answer.statusCode());
        assertTrue(answer.body().contains("Internal error"), answer.body());
        assertEquals(404, open("/nothing/here").statusCode());
    }

    @Test
    void resource_ofALibrary_isServed() throws Exception {
        String page = open("/").body();
        String script = Served.found("src=\"([^\"]*jquery[^\"]*)\"", page);
        HttpResponse<String> answer = open(at(open("/"), script));
        assertEquals(200, answer.statusCode());
        assertTrue(answer.body().length() > 10_000);
    }
}
