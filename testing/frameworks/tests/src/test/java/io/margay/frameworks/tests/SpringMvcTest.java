package io.margay.frameworks.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spring MVC with pages of JSP, JSTL and Spring's own tags.
final class SpringMvcTest {
    @TempDir private static Path work;
    private static Served app;

    @BeforeAll
    static void start() {
        app = Served.start("mvc", work);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void page_showsWhatJndiHolds() throws Exception {
        String page = app.get("/notes").body();
        assertTrue(page.contains("<h1>Hello from JNDI</h1>"), page);
        assertTrue(page.contains("<p id=\"told\">nothing told</p>"), page);
    }

    @Test
    void form_posted_redirectsAndShowsTheNoteOnce() throws Exception {
        HttpResponse<String> posted = app.form("/notes", "text", "größer <b>");
        assertEquals(302, posted.statusCode(), posted.body());
        String page = app.get(Served.location(posted)).body();
        assertTrue(page.contains("größer &lt;b&gt;</li>"), page);
        assertTrue(page.contains("<p id=\"told\">note "), page);
        assertFalse(app.get("/notes").body().contains("<p id=\"told\">note "));
    }

    @Test
    void form_wrong_isShownWithItsError() throws Exception {
        HttpResponse<String> answer = app.form("/notes", "text", " ");
        assertEquals(200, answer.statusCode());
        assertTrue(
                answer.body().contains("class=\"error\">a note has words</span>"), answer.body());
    }

    @Test
    void failure_isHandledByAPage() throws Exception {
        HttpResponse<String> answer = app.get("/fail");
        assertEquals(409, answer.statusCode());
        assertTrue(answer.body().contains("failed: as meant"), answer.body());
    }

    @Test
    void files_areLeftToTheContainer_viewsAreHidden() throws Exception {
        HttpResponse<String> file = app.get("/style.css");
        assertEquals("body { margin: 0 }\n", file.body());
        assertTrue(file.headers().firstValue("ETag").isPresent());
        assertEquals(404, app.get("/WEB-INF/views/notes.jsp").statusCode());
        assertEquals(404, app.get("/nothing").statusCode());
    }
}
