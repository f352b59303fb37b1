package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.security.UsersFile;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tomcat's own example application, as its distribution has it.
@Tag("slow")
class TomcatExamplesTest {
    /// What needs a login (see below), a WebSocket engine or Tomcat's own classes, and pages that
    /// are parts of others or fail on purpose.
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "/jsp/security/protected/index.jsp",
                    "/jsp/security/protected/login.jsp",
                    "/jsp/security/protected/error.jsp",
                    "/jsp/error/err.jsp",
                    "/jsp/error/errorpge.jsp",
                    "/jsp/jsptoserv/hello.jsp",
                    "/WEB-INF/jsp/403.jsp");

    @TempDir static Path temp;
    private static Path examples;
    private static AppServer server;

    @BeforeAll
    static void deploy() throws IOException {
        Path root = Path.of("target/tomcat");
        assertTrue(Files.isDirectory(root), "the build unpacks Tomcat's examples to " + root);
        try (Stream<Path> versions = Files.list(root)) {
            examples =
                    versions.map(version -> version.resolve("webapps/examples"))
                            .filter(Files::isDirectory)
                            .findFirst()
                            .orElseThrow();
        }
        UsersFile users =
                UsersFile.read(
                        "tomcat-users.xml",
                        "<users><user username='tomcat' password='s' roles='tomcat'/></users>"
                                .getBytes(StandardCharsets.UTF_8));
        server = AppServer.start(examples, "/examples", temp, app -> app.withRealm(users));
    }

    @AfterAll
    static void undeploy() {
        if (server != null) {
            server.close();
        }
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    @Test
    void formLogin_leadsToWhatIsProtected() {
        String folder = "/jsp/security/protected/";
        HttpResponse<String> asked = server.get(folder + "index.jsp.html");
        assertTrue(asked.body().contains("j_security_check"), asked.body());
        String check = folder + "j_security_check?j_username=tomcat&j_password=";
        HttpResponse<String> wrong = server.send("POST", check + "x", "Cookie", cookie(asked));
        assertTrue(wrong.body().contains("Error Page For Examples"), wrong.body());
        HttpResponse<String> in = server.send("POST", check + "s", "Cookie", cookie(asked));
        assertEquals(303, in.statusCode());
        assertEquals(
                "/examples/jsp/security/protected/index.jsp.html",
                in.headers().firstValue("Location").orElseThrow());
        HttpResponse<String> page = server.get(folder + "index.jsp.html", "Cookie", cookie(in));
        assertTrue(page.body().contains("TomcatPrincipal"), page.body());
        assertEquals(
                403,
                server.send("OPTIONS", folder + "index.jsp.html", "Cookie", cookie(in))
                        .statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/|Apache Tomcat Examples",
                "/servlets/servlet/HelloWorldExample|Hello World",
                "/servlets/servlet/RequestInfoExample/extra?a=b|/examples/servlets",
                "/servlets/servlet/RequestHeaderExample|user-agent",
                "/servlets/servlet/RequestParamExample?firstname=Ann|Ann",
                "/servlets/servlet/CookieExample|Cookies Example",
                "/servlets/servlet/SessionExample?dataname=n&datavalue=kept|n = kept",
                "/servletToJsp|servletToJsp",
                "/CompressionTest|Compression Filter Test Servlet",
                "/jsp/jsp2/el/basic-arithmetic.jsp|12001.4",
                "/jsp/jsp2/el/functions.jsp?foo=JSP|PSJ",
                "/jsp/jsp2/el/implicit-objects.jsp?foo=bar|bar",
                "/jsp/jsp2/simpletag/hello.jsp|Hello, world!",
                "/jsp/jsp2/simpletag/repeat.jsp|Invocation 5 of 5",
                "/jsp/jsp2/tagfiles/hello.jsp|Hello, world!",
                "/jsp/jsp2/tagfiles/panel.jsp|Second panel",
                "/jsp/jsp2/tagfiles/products.jsp|Hand-held Color PDA",
                "/jsp/jsp2/jspx/basic.jspx|basic",
                "/jsp/jsp2/misc/config.jsp|This banner included with &lt;include-coda&gt;",
                "/jsp/jsp2/misc/dynamicattrs.jsp|blue",
                "/jsp/tagplugin/foreach.jsp|Iterating over a Vector",
                "/jsp/tagplugin/choose.jsp|Three!",
                "/jsp/tagplugin/if.jsp|result of testing for (1==1) is: true",
                "/jsp/dates/date.jsp|Year: is",
                "/jsp/sessions/carts.jsp|cart",
                "/jsp/checkbox/check.html|checkbox",
                "/jsp/simpletag/foo.jsp|Radio stations",
                "/jsp/include/include.jsp|In place evaluation",
                "/jsp/forward/forward.jsp|VM Memory usage",
                "/jsp/colors/colrs.jsp|Color",
                "/jsp/snp/snoop.jsp|Request Information",
                "/async/async0|Async dispatch worked",
                "/servlets/trailers/response|trailer fields",
            })
    void page_answersAsOnTomcat(String path, String words) {
        HttpResponse<String> response = server.get(path);
        assertEquals(200, response.statusCode(), path);
        assertTrue(
                response.body()
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains(words.toLowerCase(java.util.Locale.ROOT)),
                () -> path + ": " + response.body());
    }

    @Test
    void page_ofEachName_isTranslatedAndAnswers() throws IOException {
        List<String> failures = new ArrayList<>();
        try (Stream<Path> files = Files.walk(examples)) {
            files.map(file -> "/" + examples.relativize(file).toString().replace('\\', '/'))
                    .filter(path -> path.endsWith(".jsp") || path.endsWith(".jspx"))
                    .filter(path -> !LEFT_OUT.contains(path))
                    .sorted()
                    .forEach(path -> {
                        HttpResponse<String> response = server.get(path);
                        if (response.statusCode() != 200) {
                            failures.add(path + " " + response.statusCode());
                        }
                    });
        }
        assertEquals(List.of(), failures);
    }

    @Test
    void headers_ofTheSecurityFilter_areSent() {
        HttpResponse<String> response = server.get("/servlets/servlet/HelloWorldExample");
        assertEquals("DENY", response.headers().firstValue("x-frame-options").orElse(""));
        assertEquals("nosniff", response.headers().firstValue("x-content-type-options").orElse(""));
        assertTrue(response.headers().firstValue("strict-transport-security").isEmpty());
    }

    @Test
    void privateFiles_areNotServed() {
        for (String path :
                List.of(
                        "/WEB-INF/web.xml",
                        "/web-inf/web.xml",
                        "/META-INF/context.xml",
                        "/WEB-INF/jsp/403.jsp",
                        "/WEB-INF/")) {
            HttpResponse<String> response = server.get(path);
            assertEquals(404, response.statusCode(), path);
            assertFalse(response.body().contains("web-app"));
        }
    }
}
