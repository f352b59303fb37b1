package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.DeploymentException;
import io.margay.testkit.Archives;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Classes and files from elsewhere, as `Resources` and `Loader` declare them, and folders that are
/// listed.
final class ResourceSetsTest {
    private static final String SET =
            "<%s className=\"org.apache.catalina.webresources.%sResourceSet\" base=\"%s\" %s/>";

    private static final String SAYS =
            "package %s; public class Says { public static String text() { return \"%s\"; } }";

    @TempDir Path temp;

    private Archives application(String context) {
        return Archives.in(temp)
                .text("META-INF/context.xml", "<Context>" + context + "</Context>")
                .text("both.txt", "own")
                .text("own.txt", "own");
    }

    private static String set(String name, String kind, Path base, String more) {
        return SET.formatted(name, kind, base, more);
    }

    private Path file(String name, String text) throws Exception {
        Path file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private AppServer serve(Archives application) {
        Path war = application.to(temp.resolve("app.war"));
        return AppServer.start(war, "/app", temp.resolve("work"), UnaryOperator.identity());
    }

    private static String get(AppServer server, String path) {
        HttpResponse<String> response = server.get(path);
        return response.statusCode() == 200
                ? response.body().strip()
                : String.valueOf(response.statusCode());
    }

    @Test
    void files_ofSets_areThoseOfTheApplication_inTomcatsOrder() throws Exception {
        Path _ = file("pre/both.txt", "pre");
        Path _ = file("post/both.txt", "post");
        Path _ = file("post/sub/more.txt", "post");
        Path _ = file("post/page.jsp", "<%= application.getResource(\"/sub/more.txt\") != null %>");
        Path one = file("one/notes.txt", "one");
        Path jar =
                Archives.in(temp)
                        .text("both.txt", "jar")
                        .text("in/jar.txt", "jar")
                        .text("WEB-INF/web.xml", "hidden")
                        .to(temp.resolve("files.jar"));
        String resources =
                "<Resources cachingAllowed=\"true\">"
                        + set("PostResources", "Dir", temp.resolve("post"), "")
                        + set("PostResources", "Dir", temp.resolve("post"), "webAppMount=\"/at\"")
                        + set("JarResources", "Jar", jar, "internalPath=\"/in\"")
                        + set("JarResources", "Jar", jar, "webAppMount=\"/jar\"")
                        + set("PostResources", "File", one, "webAppMount=\"/read.txt\"")
                        + set("PreResources", "Dir", temp.resolve("pre"), "")
                        + "</Resources>";
        try (AppServer server = serve(application(resources))) {
            assertEquals("pre", get(server, "/both.txt"));
            assertEquals("own", get(server, "/own.txt"));
            assertEquals("post", get(server, "/sub/more.txt"));
            assertEquals("post", get(server, "/at/both.txt"));
            assertEquals("true", get(server, "/page.jsp"));
            assertEquals("jar", get(server, "/jar.txt"));
            assertEquals("jar", get(server, "/jar/in/jar.txt"));
            assertEquals("one", get(server, "/read.txt"));
            assertEquals("404", get(server, "/read.txt/notes.txt"));
            assertEquals("404", get(server, "/atboth.txt"));
            assertEquals("404", get(server, "/at/../../one/notes.txt"));
            assertEquals("404", get(server, "/jar/WEB-INF/web.xml"));
        }
    }

    @Test
    void jarWithinAWar_isReadInPlaceOfAFile() throws Exception {
        Path jar =
                Archives.in(temp)
                        .classes("", List.of(), "lib.Says", SAYS.formatted("lib", "nested"))
                        .text("in/jar.txt", "from the jar")
                        .to(temp.resolve("nested.jar"));
        Path war =
                Archives.in(temp)
                        .bytes("WEB-INF/lib/nested.jar", Files.readAllBytes(jar))
                        .to(temp.resolve("other.war"));
        Files.delete(jar);
        String resources =
                "<Resources>"
                        + set(
                                "JarResources",
                                "JarWar",
                                war,
                                "archivePath=\"/WEB-INF/lib/nested.jar\" internalPath=\"/in\"")
                        + set(
                                "PostResources",
                                "JarWar",
                                war,
                                "archivePath=\"WEB-INF/lib/nested.jar\""
                                        + " webAppMount=\"/WEB-INF/classes\"")
                        + "</Resources>";
        Archives application = application(resources).text("page.jsp", "<%= lib.Says.text() %>");
        for (int i = 0; i < 2; i++) {
            try (AppServer server = serve(application)) {
                assertEquals("from the jar", get(server, "/jar.txt"));
                assertEquals("nested", get(server, "/page.jsp"));
            }
        }
    }

    @Test
    void classesAndLibraries_ofSets_areThoseOfTheApplication() throws Exception {
        Path _ = file("conf/settings.properties", "colour=red");
        Path _ =
                Archives.in(temp)
                        .classes("", List.of(), "lib.Says", SAYS.formatted("lib", "library"))
                        .to(temp.resolve("libraries/says.jar"));
        Path _ =
                Archives.in(temp)
                        .classes("", List.of(), "own.Says", SAYS.formatted("own", "first"))
                        .toFolder(temp.resolve("first"));
        String resources =
                "<Resources>"
                        + set(
                                "PreResources",
                                "Dir",
                                temp.resolve("first"),
                                "webAppMount=\"/WEB-INF/classes\"")
                        + set(
                                "PostResources",
                                "Dir",
                                temp.resolve("conf"),
                                "webAppMount=\"/WEB-INF/classes\"")
                        + set(
                                "PostResources",
                                "Dir",
                                temp.resolve("libraries"),
                                "webAppMount=\"/WEB-INF/lib\"")
                        + "</Resources>";
        Archives application =
                application(resources)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "own.Says",
                                SAYS.formatted("own", "second"))
                        .text(
                                "page.jsp",
                                "<%= lib.Says.text() %> <%= own.Says.text() %>"
                                        + " <%= Thread.currentThread().getContextClassLoader()"
                                        + ".getResource(\"settings.properties\") != null %>");
        try (AppServer server = serve(application)) {
            assertEquals("library first true", get(server, "/page.jsp"));
            assertEquals("404", get(server, "/WEB-INF/classes/settings.properties"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Dir|/no-such-folder|webAppMount='/'|is not there",
                "Dir|relative|webAppMount='/'|must be an absolute path",
                "Odd|/tmp|webAppMount='/'|only DirResourceSet",
                "JarWar|/tmp/no.war|webAppMount='/'|archivePath is missing",
                "JarWar|/tmp/no.war|archivePath='/a.jar'|a.jar is not there in /tmp/no.war",
                "Dir|/tmp|webAppMount='/a/../..'|paths that begin with /",
                "Dir|/tmp|webAppMount='/WEB-INF/classes/deep'|is within the classes",
            })
    void set_thatCannotBe_stopsTheDeployment(
            String kind, String base, String more, String expected) {
        String resources =
                "<Resources>" + SET.formatted("PostResources", kind, base, more) + "</Resources>";
        DeploymentException e =
                assertThrows(
                        DeploymentException.class, () -> serve(application(resources)).close());
        assertTrue(String.valueOf(e.getMessage()).contains(expected), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("context.xml:1:"), e.getMessage());
    }

    @Test
    void folders_areListed_whereTheDefaultServletSaysSo() throws Exception {
        String webXml =
                """
                <web-app><servlet><servlet-name>default</servlet-name>
                <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                <init-param><param-name>listings</param-name><param-value>%s</param-value>
                </init-param></servlet></web-app>
                """;
        for (boolean listed : List.of(true, false)) {
            Archives application =
                    application("")
                            .text("WEB-INF/web.xml", webXml.formatted(listed))
                            .text("sub/a b&c<d>.txt", "12345678901")
                            .text("sub/deep/x.txt", "x")
                            .text("with/index.html", "welcome");
            try (AppServer server = serve(application)) {
                HttpResponse<String> sub = server.get("/sub/");
                assertEquals(listed ? 200 : 404, sub.statusCode());
                assertEquals("welcome", get(server, "/with/"));
                assertEquals(404, server.get("/none/").statusCode());
                if (listed) {
                    String page = sub.body();
                    assertTrue(
                            page.contains(
                                    "<a href=\"/app/sub/a%20b&amp;c%3Cd%3E.txt\">"
                                            + "a b&amp;c&lt;d&gt;.txt</a>"),
                            page);
                    assertTrue(page.contains("<a href=\"/app/sub/deep/\">deep/</a>"), page);
                    assertTrue(page.contains("<a href=\"/app/\">../</a>"), page);
                    assertEquals(
                            "text/html;charset=UTF-8",
                            sub.headers().firstValue("content-type").orElse(""));
                    String root = server.get("/").body();
                    assertTrue(root.contains("own.txt"), root);
                    assertFalse(root.contains("INF"), root);
                    assertEquals("", server.send("HEAD", "/sub/").body());
                }
            }
        }
    }
}
