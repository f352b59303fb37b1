package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.JavaxSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.testkit.Archives;
import io.margay.testkit.Folders;
import io.margay.testkit.LoggedLines;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that all applications share and that were written for the javax packages.
final class JavaxLibrariesTest {
    /// As much of the javax packages as the sources below need; none of it is deployed.
    private static final String[] API = {
        "javax.servlet.http.HttpServletRequest",
        "package javax.servlet.http; public interface HttpServletRequest {}",
        "javax.servlet.http.HttpServletResponse",
        "package javax.servlet.http; public interface HttpServletResponse {"
                + " java.io.PrintWriter getWriter() throws java.io.IOException; }",
        "javax.servlet.http.HttpServlet",
        "package javax.servlet.http; public class HttpServlet {"
                + " protected void doGet(HttpServletRequest q, HttpServletResponse r)"
                + " throws java.io.IOException {} }",
        "javax.persistence.Thing",
        "package javax.persistence; public class Thing {"
                + " public static String name() { return Thing.class.getName(); } }",
    };

    private static final String FRAMEWORK =
            """
            package lib;
            import javax.servlet.http.*;
            public class Framework extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    r.getWriter().print("framework " + new Loose().text());
                }
            }
            """;

    private static final String LOOSE =
            """
            package lib;
            public class Loose {
                public String text() { return javax.servlet.http.HttpServlet.class.getName(); }
            }
            """;

    private static final String WEB_XML =
            """
            <web-app>
              <servlet><servlet-name>f</servlet-name><servlet-class>%s</servlet-class></servlet>
              <servlet-mapping><servlet-name>f</servlet-name><url-pattern>/f</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    @TempDir Path folder;

    private Path base;
    private Path compiled;

    @BeforeEach
    void libraries() throws IOException {
        base = Files.createDirectories(folder.resolve("base")).toRealPath();
        String[] sources = new String[API.length + 4];
        System.arraycopy(API, 0, sources, 0, API.length);
        System.arraycopy(
                new String[] {"lib.Framework", FRAMEWORK, "lib.Loose", LOOSE},
                0,
                sources,
                API.length,
                4);
        compiled =
                Archives.in(folder).classes("", List.of(), sources).toFolder(folder.resolve("all"));
        Path _ = jar("framework.jar", "lib/Framework.class");
        Path _ = jar("persistence.jar", "javax/persistence/Thing.class");
        Path loose = Files.createDirectories(base.resolve("lib/lib"));
        Files.copy(compiled.resolve("lib/Loose.class"), loose.resolve("Loose.class"));
        Path _ =
                Archives.in(folder)
                        .text("WEB-INF/web.xml", WEB_XML.formatted("lib.Framework"))
                        .text("page.jsp", "<%= new javax.persistence.Thing().name() %>")
                        .toFolder(base.resolve("webapps/app"));
    }

    private Path jar(String name, String type) throws IOException {
        return Archives.in(folder)
                .bytes(type, Files.readAllBytes(compiled.resolve(type)))
                .to(base.resolve("lib").resolve(name));
    }

    private void conf(String namespace) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                base.resolve("conf/web.xml"),
                "<web-app xmlns=\"" + namespace + "\" version=\"4.0\"/>");
        Files.writeString(
                base.resolve("conf/server.xml"),
                """
                <Server port="-1"><Service name="Catalina">
                  <Connector port="0" address="127.0.0.1" />
                  <Engine name="Catalina" defaultHost="localhost">
                    <Host name="localhost" appBase="webapps" />
                  </Engine>
                </Service></Server>
                """);
    }

    private MargayServer start(MargayConfig config) {
        return MargayServer.start(config.withWork(folder.resolve("work")), DeployProgress.NONE);
    }

    private static String get(MargayServer server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.ports().getFirst() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body().strip();
        }
    }

    private MargayConfig ofBase() throws IOException {
        return TomcatConfig.of(CatalinaBase.read(base, Map.of()).plan());
    }

    @Test
    void base_ofTomcat9_runsWithTheLibrariesOfItsLib() throws Exception {
        conf("http://xmlns.jcp.org/xml/ns/javaee");
        for (String account :
                List.of("converted from javax: 3 classes", "converted from javax before")) {
            try (LoggedLines log = LoggedLines.of("io.margay.app.deploy");
                    MargayServer server = start(ofBase())) {
                assertEquals(
                        "200 framework jakarta.servlet.http.HttpServlet", get(server, "/app/f"));
                assertEquals("200 jakarta.persistence.Thing", get(server, "/app/page.jsp"));
                assertEquals(
                        1, log.count("libraries of all applications: " + account), log::toString);
            }
        }
    }

    @Test
    void sharedLoader_declaresForEachApplication_convertedOnce() throws Exception {
        conf("http://xmlns.jcp.org/xml/ns/javaee");
        Path shared = Files.createDirectories(base.resolve("shared"));
        Files.move(base.resolve("lib/framework.jar"), shared.resolve("framework.jar"));
        Files.move(base.resolve("lib/lib"), shared.resolve("lib"));
        Files.writeString(
                base.resolve("conf/catalina.properties"),
                "shared.loader=${catalina.base}/shared,${catalina.base}/shared/*.jar\n");
        Files.createDirectories(shared.resolve("META-INF"));
        Files.writeString(
                shared.resolve("META-INF/web-fragment.xml"),
                WEB_XML.formatted("lib.Framework")
                        .replace("web-app>", "web-fragment>")
                        .replace("/f<", "/declared<")
                        .replace("name>f<", "name>declared<"));
        for (int i = 0; i < 2; i++) {
            try (MargayServer server = start(ofBase())) {
                assertEquals(
                        "200 framework jakarta.servlet.http.HttpServlet",
                        get(server, "/app/declared"));
            }
        }
    }

    @Test
    void lib_withNothingToConvert_isNotSpokenOf_butApplicationsAreLikelyForJavax()
            throws Exception {
        conf("http://xmlns.jcp.org/xml/ns/javaee");
        Folders.delete(base.resolve("lib"));
        Files.createDirectories(base.resolve("lib"));
        Path _ =
                Archives.in(folder)
                        .text("index.html", "no classes")
                        .toFolder(base.resolve("webapps/app"));
        for (int i = 0; i < 2; i++) {
            try (LoggedLines log = LoggedLines.of("io.margay.app.deploy");
                    MargayServer server = start(ofBase())) {
                assertTrue(get(server, "/app/index.html").startsWith("200 "));
                assertEquals(0, log.count("libraries of all applications"), log::toString);
            }
        }
        try (Stream<Path> made = Files.list(folder.resolve("work/converted/shared"))) {
            assertEquals(
                    List.of("not-needed"), made.map(one -> one.getFileName().toString()).toList());
        }
    }

    @Test
    void libraries_asTheyWere_areForgottenAtTheNextStart() throws Exception {
        conf("http://xmlns.jcp.org/xml/ns/javaee");
        for (String name : List.of("one.jar", "two.jar")) {
            Path _ = jar(name, "lib/Framework.class");
            try (MargayServer server = start(ofBase())) {
                assertTrue(get(server, "/app/f").startsWith("200 "));
            }
        }
        try (Stream<Path> made = Files.list(folder.resolve("work/converted/shared"))) {
            assertEquals(1, made.count());
        }
    }

    @Test
    void base_ofTomcat10_hasItsLibrariesAsTheyAre() throws Exception {
        conf("https://jakarta.ee/xml/ns/jakartaee");
        Path _ =
                Archives.in(folder)
                        .text("page.jsp", "<%= new javax.persistence.Thing().name() %>")
                        .toFolder(base.resolve("webapps/other"));
        try (MargayServer server = start(ofBase())) {
            assertEquals("200 javax.persistence.Thing", get(server, "/other/page.jsp"));
        }
    }

    @Test
    void libraries_ofTheConfiguration_areConvertedByWhatTheyUse_unlessThatIsOff() throws Exception {
        MargayConfig config =
                MargayConfig.defaults()
                        .withListeners(
                                List.of(ListenerSettings.http(new Endpoint(Endpoint.LOOPBACK, 0))))
                        .withHosts(
                                List.of(
                                        HostSettings.any(
                                                List.of(
                                                        new RouteSettings.Webapps(
                                                                base.resolve("webapps"))))));
        DeployOptions options = DeployOptions.defaults().withLibraries(base.resolve("lib"));
        Path _ = jar("loose.jar", "lib/Loose.class");
        try (MargayServer server = start(config.withDeploy(options))) {
            assertEquals("200 framework jakarta.servlet.http.HttpServlet", get(server, "/app/f"));
        }
        JavaxSettings off = new JavaxSettings(JavaxSettings.Mode.OFF, List.of());
        try (MargayServer server = start(config.withDeploy(options.withJavax(off)))) {
            assertTrue(get(server, "/app/f").startsWith("404 "), "it is not deployed");
        }
    }
}
