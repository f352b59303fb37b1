package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.http.HttpServletMapping;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which servlet answers which path (Servlet 6.1 §12), and what is closed.
final class MappingTest {
    private static final TestApp.Service TELL =
            (q, r) -> {
                HttpServletMapping m = q.getHttpServletMapping();
                r.getWriter()
                        .print(
                                m.getMappingMatch()
                                        + " "
                                        + m.getPattern()
                                        + " "
                                        + m.getMatchValue()
                                        + " "
                                        + q.getServletPath()
                                        + " "
                                        + q.getPathInfo());
            };

    private static TestApp all() {
        TestApp app = TestApp.root();
        for (String pattern : List.of("", "/exact", "/p/*", "/p/longer/*", "*.ext", "/")) {
            app.servlet(pattern, TELL);
        }
        return app;
    }

    @Test
    void paths_findTheirServlet() throws Exception {
        TestApp app = all();
        assertEquals("CONTEXT_ROOT    /", app.get("/").body());
        assertEquals("EXACT /exact exact /exact null", app.get("/exact").body());
        assertEquals("PATH /p/*  /p null", app.get("/p").body());
        assertEquals("PATH /p/*  /p /", app.get("/p/").body());
        assertEquals("PATH /p/* a.ext /p /a.ext", app.get("/p/a.ext").body());
        assertEquals("PATH /p/longer/* x /p/longer /x", app.get("/p/longer/x").body());
        assertEquals("EXTENSION *.ext a/b /a/b.ext null", app.get("/a/b.ext").body());
        assertEquals("DEFAULT /  /a.ext/c null", app.get("/a.ext/c").body());
        assertEquals("DEFAULT /  /px null", app.get("/px").body());
    }

    @Test
    void welcomeFiles_areFoundInOrder() throws Exception {
        TestApp app =
                TestApp.root()
                        .welcome("index.html")
                        .welcome("start.do")
                        .file("/d/index.html", "static")
                        .file("/e/x.txt", "x")
                        .servlet("*.do", TELL);
        assertEquals("static", app.get("/d/").body());
        assertEquals("EXTENSION *.do e/start /e/start.do null", app.get("/e/").body());
        ScriptedExchange redirect = app.get("/d?q");
        assertEquals(302, redirect.status());
        assertEquals("/d/?q", redirect.field("Location"));
    }

    @Test
    void cve2021_28164_ambiguousPaths_areRefused() throws Exception {
        TestApp app = TestApp.at("/c").file("/WEB-INF/web.xml", "secret").file("/x", "x");
        for (String path :
                List.of(
                        "/c/%2e%2e/x",
                        "/c/..;/x",
                        "/c/a%2fb",
                        "/c/a%5cb",
                        "/c/%00",
                        "/c/%c0%ae/x",
                        "/c/%252e%252e/%",
                        "/../x")) {
            assertEquals(400, app.get(path).status(), path);
        }
        for (String path :
                List.of(
                        "/c/WEB-INF/web.xml",
                        "/c/WEB-INF;x/web.xml",
                        "/c/./WEB-INF/web.xml",
                        "/c/x/../WEB-INF/web.xml",
                        "/c//WEB-INF//web.xml",
                        "/c/%57EB-INF/web.xml",
                        "/c/web-inf/web.xml",
                        "/c/WEB-INF",
                        "/c/WEB-INF/",
                        "/c/META-INF/MANIFEST.MF")) {
            ScriptedExchange exchange = app.get(path);
            assertEquals(404, exchange.status(), path);
            assertTrue(!exchange.body().contains("secret"));
        }
    }

    @Test
    void cve2018_11784_folderRedirect_staysOnThisHost() throws Exception {
        TestApp app = TestApp.root().file("/evil.example/index.html", "x");
        ScriptedExchange exchange = app.get("//evil.example");
        String location = exchange.field("Location");
        assertTrue(location == null || location.equals("/evil.example/"), location);
    }

    private static SecurityConstraint constraint(
            String pattern, Set<String> methods, Set<String> roles, String transport) {
        return new SecurityConstraint(
                List.of(new WebResourceCollection("c", List.of(pattern), methods, Set.of())),
                roles,
                transport);
    }

    @Test
    void constraints_withoutAuthenticator_areClosed() throws Exception {
        TestApp app =
                TestApp.root()
                        .constraint(constraint("/in/*", Set.of(), Set.of("role"), "NONE"))
                        .constraint(constraint("/nobody", Set.of(), Set.of(), "NONE"))
                        .constraint(constraint("/post", Set.of("POST"), Set.of("role"), "NONE"))
                        .constraint(constraint("/tls", Set.of(), null, "CONFIDENTIAL"))
                        .constraint(constraint("*.secret", Set.of(), Set.of("role"), "NONE"))
                        .servlet("/", TELL);
        for (String closed :
                List.of(
                        "/in",
                        "/in/x",
                        "/in;a=b/x",
                        "/nobody",
                        "/tls",
                        "/a/b.secret",
                        "/x/../in/y")) {
            assertEquals(403, app.get(closed).status(), closed);
        }
        for (String open : List.of("/post", "/out", "/inn")) {
            assertEquals(200, app.get(open).status(), open);
        }
        assertEquals(403, app.run(ScriptedExchange.of("POST", "/post", new byte[0])).status());
        assertEquals(200, app.run(ScriptedExchange.secure("/tls", null)).status());
    }

    @Test
    void cve2026_65182_rootPatternAndWelcomeFile_areConstrained() throws Exception {
        TestApp app =
                TestApp.root()
                        .constraint(constraint("", Set.of(), Set.of("role"), "NONE"))
                        .constraint(constraint("/d/index.html", Set.of(), Set.of("role"), "NONE"))
                        .welcome("index.html")
                        .file("/index.html", "x")
                        .file("/d/index.html", "y");
        assertEquals(403, app.get("/").status());
        assertEquals(403, app.get("/d/").status());
        assertEquals(200, app.get("/index.html").status());
    }

    @Test
    void login_withoutAuthenticator_fails() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    assertNull(q.getUserPrincipal());
                                    assertNull(q.getRemoteUser());
                                    r.getWriter().print(q.isUserInRole("x"));
                                    q.login("a", "b");
                                })
                        .get("/a");
        assertEquals(500, exchange.status());
    }
}
