package io.margay.frameworks.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Struts 7: actions behind a filter, with pages.
final class StrutsTest {
    @TempDir private static Path work;
    private static Served app;

    @BeforeAll
    static void start() {
        app = Served.start("struts", work);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void action_withoutClass_showsItsPage() throws Exception {
        HttpResponse<String> page = app.get("/index.action");
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("action=\"/app/greet.action\""), page.body());
        assertTrue(page.body().contains("name=\"name\""), page.body());
    }

    @Test
    void form_isBoundAndShown() throws Exception {
        String page = app.form("/greet.action", "name", "Ada <Löwe>", "times", "3").body();
        assertTrue(page.contains("Hello, Ada &lt;L&ouml;we&gt;!"), page);
        assertTrue(page.contains("<b>1</b><b>2</b><b>3</b>"), page);
        assertTrue(page.contains("href=\"/app/index.action\""), page);
    }

    @Test
    void form_invalid_isShownAgain() throws Exception {
        String page = app.form("/greet.action", "name", " ").body();
        assertTrue(page.contains("a name is needed"), page);
        String wrongType = app.form("/greet.action", "name", "x", "times", "many").body();
        assertTrue(wrongType.contains("Invalid field value for field"), wrongType);
    }

    @Test
    void redirect_leadsToTheAction() throws Exception {
        HttpResponse<String> answer = app.get("/again.action");
        assertEquals(302, answer.statusCode());
        assertEquals("/app/index.action", Served.location(answer));
    }

    @Test
    void upload_isReadByTheFramework() throws Exception {
        HttpResponse<String> answer = app.upload("/upload.action", "a.txt", new byte[100_000]);
        assertEquals("a.txt 100000;", answer.body().strip());
    }

    @Test
    void file_isServedByTheContainer() throws Exception {
        assertEquals("plain\n", app.get("/plain.txt").body());
        assertEquals(404, app.get("/WEB-INF/index.jsp").statusCode());
    }
}
