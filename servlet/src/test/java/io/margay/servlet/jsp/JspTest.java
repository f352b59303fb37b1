package io.margay.servlet.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.AppServer;
import io.margay.testkit.Archives;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages that are really translated, compiled and asked for.
@Tag("slow")
class JspTest {
    @TempDir Path temp;

    private AppServer serve(Archives app) {
        return serve(app, JspSettings.defaults());
    }

    private AppServer serve(Archives app, JspSettings settings) {
        return AppServer.start(
                app.toFolder(temp.resolve("app")),
                "/app",
                temp.resolve("work"),
                deploy -> deploy.withJsp(settings));
    }

    private static String body(HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response::body);
        return response.body().strip();
    }

    @Test
    void page_withScriptletExpressionAndEl_runs() {
        Archives app =
                Archives.in(temp)
                        .text(
                                "a.jsp",
                                """
                                <%@ page contentType="text/plain; charset=UTF-8" session="false" %>
                                <%! int twice(int n) { return 2 * n; } %>
                                <%= twice(21) %> ${1 + 2} ${param.q} ${[1, 2, 3].stream().sum()}
                                ä€ <%= pageContext.getServletContext().getContextPath() %>
                                """);
        try (AppServer server = serve(app)) {
            HttpResponse<String> response = server.get("/a.jsp?q=x");
            String body = body(response).replaceAll("\\s+", " ");
            assertEquals("42 3 x 6 ä€ /app", body);
            assertEquals(
                    "text/plain;charset=utf-8",
                    response.headers()
                            .firstValue("content-type")
                            .orElseThrow()
                            .toLowerCase()
                            .replace(" ", ""));
        }
    }

    @Test
    void page_withJava25_compiles() {
        Archives app =
                Archives.in(temp)
                        .text(
                                "a.jsp",
                                """
                                <%! sealed interface S permits A, B {}
                                    record A(int x) implements S {}
                                    record B(String s) implements S {}
                                    static String show(S s) {
                                        return switch (s) {
                                            case A(int x) when x > 1 -> "many";
                                            case A _ -> "one";
                                            case B(var t) -> t;
                                        };
                                    } %>
                                <%= show(new A(2)) + show(new A(1)) + show(new B("b")) %>
                                """);
        try (AppServer server = serve(app)) {
            assertEquals("manyoneb", body(server.get("/a.jsp")));
        }
    }

    @Test
    void jspx_isAPageToo() {
        Archives app =
                Archives.in(temp)
                        .text(
                                "a.jspx",
                                """
                                <a xmlns:jsp="http://java.sun.com/JSP/Page">
                                <jsp:directive.page contentType="text/xml"/>${6 * 7}</a>
                                """);
        try (AppServer server = serve(app)) {
            assertTrue(body(server.get("/a.jspx")).contains("42"));
        }
    }

    @Test
    void include_forwardAndBean_work() {
        Archives app =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "p.Bean",
                                "package p; public class Bean { private String n = \"none\"; public"
                                        + " String getN() { return n; } public void setN(String v)"
                                        + " { n = v; } }")
                        .text("static.jspf", "[static]")
                        .text("part.jsp", "[part ${param.p} ${bean.n}]")
                        .text(
                                "a.jsp",
                                """
                                <%@ include file="static.jspf" %>
                                <jsp:useBean id="bean" class="p.Bean" scope="request"/>
                                <jsp:setProperty name="bean" property="n" value="set"/>
                                <jsp:include page="part.jsp"><jsp:param name="p" value="1"/>
                                </jsp:include>
                                """)
                        .text("f.jsp", "gone<jsp:forward page=\"a.jsp\"/>");
        try (AppServer server = serve(app)) {
            String body = body(server.get("/f.jsp")).replaceAll("\\s+", " ");
            assertEquals("[static] [part 1 set]", body);
        }
    }

    @Test
    void tagFile_withAttributeAndBody_works() {
        Archives app =
                Archives.in(temp)
                        .text(
                                "WEB-INF/tags/box.tag",
                                """
                                <%@ attribute name="title" required="true" %>
                                [${title}:<jsp:doBody/>]
                                """)
                        .text(
                                "a.jsp",
                                "<%@ taglib prefix=\"t\" tagdir=\"/WEB-INF/tags\" %>"
                                        + "<t:box title=\"T\">${1+1}</t:box>");
        try (AppServer server = serve(app)) {
            assertEquals("[T:2]", body(server.get("/a.jsp")).replaceAll("\\s+", ""));
        }
    }

    @Test
    void tagLibrary_inALibrary_isFoundByItsUri() {
        byte[] library =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "p.Hello",
                                "package p; import jakarta.servlet.jsp.tagext.*; public class Hello"
                                        + " extends SimpleTagSupport { public void doTag() throws"
                                        + " java.io.IOException { getJspContext().getOut().print("
                                        + "\"hello from a tag\"); } }",
                                "p.L",
                                "package p; public class L implements"
                                        + " jakarta.servlet.ServletContextListener { public void"
                                        + " contextInitialized(jakarta.servlet.ServletContextEvent"
                                        + " e) { e.getServletContext().setAttribute(\"l\","
                                        + " \"listened\"); } }")
                        .text(
                                "META-INF/p.tld",
                                """
                                <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
                                  <tlib-version>1</tlib-version><short-name>p</short-name>
                                  <uri>urn:p</uri>
                                  <listener><listener-class>p.L</listener-class></listener>
                                  <tag><name>hello</name><tag-class>p.Hello</tag-class>
                                    <body-content>empty</body-content></tag>
                                </taglib>
                                """)
                        .toBytes();
        Archives app =
                Archives.in(temp)
                        .bytes("WEB-INF/lib/p.jar", library)
                        .text("a.jsp", "<%@ taglib prefix=\"p\" uri=\"urn:p\" %><p:hello/> ${l}");
        try (AppServer server = serve(app)) {
            assertEquals("hello from a tag listened", body(server.get("/a.jsp")));
        }
    }

    /// Jasper's parser of tag libraries is made for the first page where none can be.
    @Test
    void page_withoutAnyTagLibrary_runs_andSaysWhichOneIsMissing() {
        Archives app =
                Archives.in(temp)
                        .text("a.jsp", "${1 + 1}")
                        .text("b.jsp", "<%@ taglib prefix=\"p\" uri=\"urn:none\" %>");
        try (AppServer server = serve(app)) {
            assertEquals("2", body(server.get("/a.jsp")));
            assertEquals(500, server.get("/b.jsp").statusCode());
        }
    }

    @Test
    void listener_ofATagLibraryInAFolder_listens() {
        Archives app =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "p.L",
                                "package p; public class L implements"
                                        + " jakarta.servlet.ServletContextListener { public void"
                                        + " contextInitialized(jakarta.servlet.ServletContextEvent"
                                        + " e) { e.getServletContext().setAttribute(\"l\","
                                        + " \"listened\"); } }")
                        .text(
                                "WEB-INF/deep/deeper/p.tld",
                                """
                                <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
                                  <tlib-version>1</tlib-version><short-name>p</short-name>
                                  <uri>urn:p</uri>
                                  <listener><listener-class>p.L</listener-class></listener>
                                </taglib>
                                """)
                        .text("a.jsp", "${l}");
        try (AppServer server = serve(app)) {
            assertEquals("listened", body(server.get("/a.jsp")));
        }
    }

    @Test
    void pageInALibrary_runs() {
        byte[] library = Archives.in(temp).text("META-INF/resources/lib.jsp", "${7 * 6}").toBytes();
        Archives app = Archives.in(temp).bytes("WEB-INF/lib/p.jar", library);
        try (AppServer server = serve(app)) {
            assertEquals("42", body(server.get("/lib.jsp")));
        }
    }

    @Test
    void servlet_withJspFile_runsThePageWithItsParameters() {
        Archives app =
                Archives.in(temp)
                        .text("WEB-INF/p.jsp", "<%= config.getInitParameter(\"who\") %>")
                        .text(
                                "WEB-INF/web.xml",
                                """
                                <web-app version="6.1"><servlet><servlet-name>p</servlet-name>
                                <jsp-file>/WEB-INF/p.jsp</jsp-file><init-param><param-name>who
                                </param-name><param-value>me</param-value></init-param></servlet>
                                <servlet-mapping><servlet-name>p</servlet-name>
                                <url-pattern>/p/*</url-pattern></servlet-mapping></web-app>
                                """);
        try (AppServer server = serve(app)) {
            assertEquals("me", body(server.get("/p/x")));
            assertEquals(404, server.get("/WEB-INF/p.jsp").statusCode());
        }
    }

    @Test
    void servlet_withJspFile_isAPageWhateverJspIsMappedTo() {
        Archives app =
                Archives.in(temp)
                        .text("error.jsp", "page")
                        .text("other.jsp", "other")
                        .text(
                                "WEB-INF/web.xml",
                                """
                                <web-app version="6.1"><servlet><servlet-name>e</servlet-name>
                                <jsp-file>/error.jsp</jsp-file></servlet>
                                <servlet><servlet-name>o</servlet-name>
                                <jsp-file>/other.jsp</jsp-file></servlet>
                                <servlet-mapping><servlet-name>e</servlet-name>
                                <url-pattern>/error.jsp</url-pattern></servlet-mapping>
                                <servlet-mapping><servlet-name>o</servlet-name>
                                <url-pattern>*.jsp</url-pattern></servlet-mapping></web-app>
                                """);
        try (AppServer server = serve(app)) {
            assertEquals("page", body(server.get("/error.jsp")));
            assertEquals("other", body(server.get("/any.jsp")));
        }
    }

    @Test
    void propertyGroup_takesItsPatternFromAServlet_andSetsThePage() {
        Archives app =
                Archives.in(temp)
                        .text("a.page", "${1+1}")
                        .text("pre.jspf", "pre ")
                        .text("b.jsp", "${1+1}")
                        .text(
                                "WEB-INF/web.xml",
                                """
                                <web-app version="6.1">
                                <servlet><servlet-name>plain</servlet-name>
                                <servlet-class>jakarta.servlet.http.HttpServlet</servlet-class>
                                </servlet>
                                <servlet-mapping><servlet-name>plain</servlet-name>
                                <url-pattern>*.page</url-pattern></servlet-mapping>
                                <jsp-config>
                                <jsp-property-group><url-pattern>*.page</url-pattern>
                                <el-ignored>true</el-ignored>
                                <include-prelude>/pre.jspf</include-prelude>
                                <default-content-type>text/x-page</default-content-type>
                                </jsp-property-group></jsp-config></web-app>
                                """);
        try (AppServer server = serve(app)) {
            HttpResponse<String> page = server.get("/a.page");
            assertEquals("pre ${1+1}", body(page));
            assertTrue(
                    page.headers()
                            .firstValue("content-type")
                            .orElseThrow()
                            .startsWith("text/x-page"));
            assertEquals("2", body(server.get("/b.jsp")));
        }
    }

    @Test
    void errorPage_ofThePage_seesTheException() {
        Archives app =
                Archives.in(temp)
                        .text(
                                "err.jsp",
                                "<%@ page isErrorPage=\"true\" %>failed: <%= exception.getMessage()"
                                        + " %>")
                        .text(
                                "a.jsp",
                                "<%@ page errorPage=\"err.jsp\" %><% if (true) throw new"
                                        + " IllegalStateException(\"boom\"); %>");
        try (AppServer server = serve(app)) {
            HttpResponse<String> response = server.get("/a.jsp");
            assertEquals(500, response.statusCode());
            assertEquals("failed: boom", response.body().strip());
        }
    }

    @Test
    void page_thatDoesNotCompile_answers500WithoutItsSource() {
        Archives app = Archives.in(temp).text("a.jsp", "<% int secret = \"s3cret\"; %>");
        try (AppServer server = serve(app)) {
            HttpResponse<String> response = server.get("/a.jsp");
            assertEquals(500, response.statusCode());
            assertFalse(response.body().contains("s3cret"), response::body);
        }
    }

    @Test
    void page_absent_answers404() {
        try (AppServer server = serve(Archives.in(temp).text("a.html", "a"))) {
            assertEquals(404, server.get("/b.jsp").statusCode());
        }
    }

    @Test
    void welcomeFile_mayBeAPage() {
        try (AppServer server = serve(Archives.in(temp).text("index.jsp", "${40 + 2}"))) {
            assertEquals("42", body(server.get("/")));
        }
    }

    @Test
    void page_changed_isNoticedInAFolderUnlessSaidOtherwise() throws IOException {
        Path page = temp.resolve("app/a.jsp");
        JspSettings unwatched = new JspSettings(false, false, Duration.ZERO, false);
        try (AppServer server = serve(Archives.in(temp).text("a.jsp", "one"), unwatched)) {
            assertEquals("one", body(server.get("/a.jsp")));
            change(page, "two");
            assertEquals("one", body(server.get("/a.jsp")));
        }
        JspSettings watched = new JspSettings(false, true, Duration.ZERO, false);
        try (AppServer server = serve(Archives.in(temp).text("a.jsp", "three"), watched)) {
            assertEquals("three", body(server.get("/a.jsp")));
            change(page, "four");
            assertEquals("four", body(server.get("/a.jsp")));
        }
        assertTrue(JspSettings.defaults().watches(true));
        assertFalse(JspSettings.defaults().watches(false));
        assertTrue(new JspSettings(true, false, Duration.ZERO, false).watches(false));
    }

    @Test
    void includedPage_changedInAFolder_isNoticed() throws IOException {
        Archives app =
                Archives.in(temp)
                        .text("a.jsp", "<%@ include file=\"part.jspf\" %>")
                        .text("part.jspf", "one");
        JspSettings watched = new JspSettings(false, true, Duration.ZERO, false);
        try (AppServer server = serve(app, watched)) {
            assertEquals("one", body(server.get("/a.jsp")));
            change(temp.resolve("app/part.jspf"), "two");
            assertEquals("two", body(server.get("/a.jsp")));
            change(temp.resolve("app/a.jsp"), "<% broken");
            HttpResponse<String> broken = server.get("/a.jsp");
            assertEquals(500, broken.statusCode());
            assertFalse(broken.body().contains("broken"), broken::body);
            change(temp.resolve("app/a.jsp"), "mended");
            Files.setLastModifiedTime(
                    temp.resolve("app/a.jsp"), FileTime.from(Instant.now().plusSeconds(120)));
            assertEquals("mended", body(server.get("/a.jsp")));
        }
    }

    private static void change(Path page, String text) throws IOException {
        Files.writeString(page, text);
        Files.setLastModifiedTime(page, FileTime.from(Instant.now().plusSeconds(60)));
    }

    @Test
    void precompile_translatesAllPagesBeforeTheFirstRequest() throws IOException {
        Archives app =
                Archives.in(temp).text("a.jsp", "a").text("b/c.jsp", "c").text("bad.jsp", "<%");
        try (AppServer server = serve(app, new JspSettings(false, true, Duration.ZERO, true))) {
            try (Stream<Path> files = Files.walk(temp.resolve("work/pages"))) {
                List<String> classes =
                        files.map(file -> file.getFileName().toString())
                                .filter(name -> name.endsWith(".class"))
                                .sorted()
                                .toList();
                assertEquals(List.of("a_jsp.class", "c_jsp.class"), classes);
            }
            assertEquals("c", body(server.get("/b/c.jsp")));
            assertEquals(500, server.get("/bad.jsp").statusCode());
        }
    }
}
