package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Archives;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What old applications do with files and statuses, in a real folder and behind a real connector,
/// with the answers that Tomcat 11 gives.
final class OldApplicationTest {
    private static final String SERVLET =
            """
            package p;
            import jakarta.servlet.annotation.*;
            import jakarta.servlet.http.*;
            @WebServlet("/old")
            public class Old extends HttpServlet {
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    if (q.getParameter("status") != null) {
                        r.setStatus(Integer.parseInt(q.getParameter("status")));
                        r.getWriter().print("content");
                    } else {
                        r.getWriter().print(getServletContext().getRealPath(q.getParameter("p")));
                    }
                }
            }
            """;

    @TempDir Path temp;
    private Path folder;
    private AppServer server;

    @BeforeEach
    void deploy() throws Exception {
        folder =
                Archives.in(temp)
                        .classes("WEB-INF/classes/", List.of(), "p.Old", SERVLET)
                        .text("reports/a.txt", "a")
                        .toFolder(temp.resolve("old"))
                        .toRealPath();
        server = AppServer.start(folder, "/old", temp.resolve("work"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String realPath(String path) {
        return server.get("/old?p=" + path).body();
    }

    @Test
    void realPath_ofAFolder_endsAsThePathDoes() {
        assertEquals(folder + "/", realPath("/"));
        assertEquals(folder + "/", realPath(""));
        assertEquals(folder + "/WEB-INF/", realPath("/WEB-INF/"));
        assertEquals(folder + "/WEB-INF", realPath("/WEB-INF"));
        assertEquals(folder + "/none/", realPath("/none/"));
        assertEquals(folder + "/none", realPath("/none"));
        assertEquals(folder + "/none", realPath("none"));
        assertEquals(folder + "/reports/a.txt", realPath("reports/a.txt"));
        assertEquals("null", realPath("/../x"));
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 700, 999})
    void statusBeyondTheClasses_isSentAsItIs(int status) {
        HttpResponse<String> response = server.get("/old?status=" + status);
        assertEquals(status, response.statusCode());
        assertEquals("content", response.body());
    }
}
