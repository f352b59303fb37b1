package io.margay.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.StartException;
import io.margay.testkit.Eventually;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class ProjectServerTest {
    private static final String COUNTER =
            """
            package shop;
            import API.servlet.annotation.WebServlet;
            import API.servlet.http.*;
            @WebServlet("/count")
            public class Counter extends HttpServlet {
                protected void doGet(HttpServletRequest q, HttpServletResponse s)
                        throws java.io.IOException {
                    Object known = q.getSession().getAttribute("count");
                    int count = known == null ? 1 : (Integer) known + 1;
                    q.getSession().setAttribute("count", count);
                    s.getWriter().print("WORD " + count);
                }
            }
            """;

    @TempDir Path project;
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private Path webapp;
    private Path classes;

    @BeforeEach
    void makeProject() throws Exception {
        webapp = Files.createDirectories(project.resolve("src/main/webapp"));
        classes = Files.createDirectories(project.resolve("target/classes"));
        Files.writeString(webapp.resolve("page.html"), "first page");
        Files.writeString(webapp.resolve("page.jsp"), "${1 + 1} first");
        compile("jakarta", "first");
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void compile(String api, String word) throws Exception {
        Path source = project.resolve("Counter.java");
        Files.writeString(source, COUNTER.replace("API", api).replace("WORD", word));
        String[] arguments = {
            "-proc:none", "-d", classes.toString(), "-cp", jar(), source.toString()
        };
        assertEquals(
                0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments), word);
    }

    private static String jar() throws Exception {
        return Path.of(
                        jakarta.servlet.Servlet.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                .toString();
    }

    private ProjectServer serve() throws Exception {
        Sources sources = new Sources(webapp, List.of(classes), List.of());
        return new ProjectServer(sources, project.resolve("target/margay"), "/", 0);
    }

    private String get(ProjectServer server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.ports().getFirst() + path);
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        return response.statusCode() == 200
                ? response.body()
                : String.valueOf(response.statusCode());
    }

    private String got(ProjectServer server, String path) {
        try {
            return get(server, path);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// Until two looks have found the same.
    private static ProjectServer.Look look(ProjectServer server) throws Exception {
        assertEquals(ProjectServer.Look.CHANGING, server.look());
        return server.look();
    }

    @Test
    void classes_thatChange_areServed_andSessionsStay() throws Exception {
        try (ProjectServer server = serve()) {
            int port = server.ports().getFirst();
            assertEquals("first 1", get(server, "/count"));
            assertEquals(ProjectServer.Look.UNCHANGED, server.look());
            compile("jakarta", "second");
            assertEquals(ProjectServer.Look.DEPLOYED, look(server));
            assertEquals("second 2", get(server, "/count"));
            assertEquals(port, server.ports().getFirst());
            assertEquals(ProjectServer.Look.UNCHANGED, server.look());
        }
    }

    @Test
    void pages_thatChange_areServed_withoutDeployment() throws Exception {
        try (ProjectServer server = serve()) {
            assertEquals("first page", get(server, "/page.html"));
            assertEquals("2 first", get(server, "/page.jsp"));
            Files.writeString(webapp.resolve("page.html"), "second page");
            Files.delete(webapp.resolve("page.jsp"));
            assertEquals(ProjectServer.Look.COPIED, look(server));
            // What the server knows of a file holds for a moment.
            Eventually.holds("the page", () -> "second page".equals(got(server, "/page.html")));
            Eventually.holds("no page", () -> "404".equals(got(server, "/page.jsp")));
        }
    }

    @Test
    void applicationThatDoesNotStart_leavesTheOneBefore() throws Exception {
        try (ProjectServer server = serve()) {
            Path descriptor = Files.createDirectories(webapp.resolve("WEB-INF")).resolve("web.xml");
            Files.writeString(descriptor, "<web-app><listener/></web-app>");
            assertEquals(ProjectServer.Look.CHANGING, server.look());
            StartException refused = assertThrows(StartException.class, server::look);
            assertTrue(refused.getMessage().contains("listener"), refused.getMessage());
            assertEquals("first 1", get(server, "/count"));
            Files.delete(descriptor);
            assertEquals(ProjectServer.Look.DEPLOYED, look(server));
            assertEquals("first 2", get(server, "/count"));
        }
    }

    /// A compiler removes classes before it writes them.
    @Test
    void classes_thatAreGone_areWaitedFor() throws Exception {
        try (ProjectServer server = serve()) {
            Path counter = classes.resolve("shop/Counter.class");
            byte[] bytes = Files.readAllBytes(counter);
            Files.delete(counter);
            assertEquals(ProjectServer.Look.CHANGING, look(server));
            Files.write(counter, bytes);
            assertEquals(ProjectServer.Look.DEPLOYED, look(server));
            assertEquals("first 1", get(server, "/count"));
            Files.delete(counter);
            for (int i = 0; i < ProjectServer.LOOKS_WHEN_GONE; i++) {
                assertEquals(ProjectServer.Look.CHANGING, server.look());
            }
            assertEquals(ProjectServer.Look.DEPLOYED, server.look());
            assertEquals("404", get(server, "/count"));
        }
    }

    /// What an earlier run has left is not served.
    @Test
    void folder_ofARunBefore_isCleared() throws Exception {
        Path left =
                Files.createDirectories(project.resolve("target/margay/webapp"))
                        .resolve("left.html");
        Files.writeString(left, "left");
        try (ProjectServer server = serve()) {
            assertEquals("404", get(server, "/left.html"));
        }
    }
}
