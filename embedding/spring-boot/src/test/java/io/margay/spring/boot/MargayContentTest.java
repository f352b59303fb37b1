package io.margay.spring.boot;

import static io.margay.spring.boot.BootRun.port;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.embed.EmbeddedServer;
import io.margay.embed.Margay;
import io.margay.embed.WebContext;
import io.margay.testkit.Eventually;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/// What Spring Boot's own properties say of content, with both engines of TLS, and pages.
@Tag("slow")
final class MargayContentTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jsse"})
    void content_overTls_isAsThePropertiesSay(String provider) throws Exception {
        Files.writeString(folder.resolve("a.odd"), "odd ".repeat(2000));
        TestCertificate certificate = TestCertificate.in(folder);
        try (var context =
                        BootRun.run(
                                TestApplication.class,
                                WebApplicationType.SERVLET,
                                "server.margay.ssl-provider=" + provider,
                                "server.ssl.certificate=file:" + certificate.cert(),
                                "server.ssl.certificate-private-key=file:" + certificate.key(),
                                "server.http2.enabled=true",
                                "server.server-header=ours",
                                "server.compression.enabled=true",
                                "server.compression.mime-types=text/odd,text/plain",
                                "server.mime-mappings.odd=text/odd",
                                "spring.web.resources.static-locations=file:" + folder + "/",
                                "spring.web.resources.cache.cachecontrol.max-age=1h");
                HttpClient client =
                        HttpClient.newBuilder().sslContext(certificate.client()).build()) {
            String root = "https://localhost:" + port(context);
            for (String path : new String[] {"/a.odd", "/long"}) {
                HttpResponse<String> response =
                        BootRun.get(client, root + path, "Accept-Encoding", "gzip");
                assertEquals(Version.HTTP_2, response.version());
                assertField("gzip", "content-encoding", response);
                assertField("ours", "server", response);
            }
            HttpResponse<String> file = BootRun.get(client, root + "/a.odd");
            assertField("text/odd", "content-type", file);
            assertField("max-age=3600", "cache-control", file);
            assertField("", "content-encoding", file);
            String modified = file.headers().firstValue("last-modified").orElseThrow();
            HttpResponse<String> again =
                    BootRun.get(client, root + "/a.odd", "If-Modified-Since", modified);
            assertEquals(304, again.statusCode());
            assertField("ours", "server", again);
        }
    }

    private static void assertField(String value, String name, HttpResponse<?> response) {
        assertEquals(value, response.headers().firstValue(name).orElse(""), name);
    }

    /// Spring watches the files of the bundle.
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jsse"})
    void bundle_whoseFilesChange_isServed(String provider) throws Exception {
        TestCertificate first = TestCertificate.in(Files.createDirectory(folder.resolve("1")));
        TestCertificate second = TestCertificate.in(Files.createDirectory(folder.resolve("2")));
        Path live = Files.createDirectory(folder.resolve("live"));
        put(first, live);
        try (var context =
                BootRun.run(
                        TestApplication.class,
                        WebApplicationType.SERVLET,
                        "server.margay.ssl-provider=" + provider,
                        "server.ssl.bundle=web",
                        "spring.ssl.bundle.watch.file.quiet-period=100ms",
                        "spring.ssl.bundle.pem.web.reload-on-update=true",
                        "spring.ssl.bundle.pem.web.keystore.certificate=file:"
                                + live.resolve("cert.pem"),
                        "spring.ssl.bundle.pem.web.keystore.private-key=file:"
                                + live.resolve("key.pem"))) {
            String uri = "https://localhost:" + port(context) + "/hello";
            assertEquals("hello", get(first, uri));
            put(second, live);
            Eventually.holds("the other certificate is shown", () -> shows(second, uri));
        }
    }

    private static void put(TestCertificate certificate, Path live) throws IOException {
        Map<String, Path> files =
                Map.of("cert.pem", certificate.cert(), "key.pem", certificate.key());
        for (var file : files.entrySet()) {
            Files.copy(
                    file.getValue(),
                    live.resolve(file.getKey()),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static boolean shows(TestCertificate certificate, String uri) {
        try {
            return get(certificate, uri).equals("hello");
        } catch (IOException e) {
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String get(TestCertificate trusted, String uri) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusted.client()).build()) {
            return BootRun.get(client, uri).body();
        }
    }

    /// Serves a document root.
    private record Root(Path folder)
            implements WebServerFactoryCustomizer<ConfigurableServletWebServerFactory> {
        @Override
        public void customize(ConfigurableServletWebServerFactory factory) {
            factory.setDocumentRoot(folder.toFile());
            factory.getSettings().getJsp().getInitParameters().put("mappedfile", "true");
        }
    }

    @Test
    void pages_ofTheDocumentRoot_areServed() throws Exception {
        Files.writeString(folder.resolve("direct.jsp"), "${1 + 1} pages");
        Path hidden = Files.createDirectory(folder.resolve("WEB-INF"));
        Files.writeString(
                hidden.resolve("view.jsp"),
                """
                <%@ taglib prefix="s" uri="http://www.springframework.org/tags"%>\
                <s:url value="/x" var="x"/>this is ${name}\
                """);
        SpringApplication application = new SpringApplication(TestApplication.class);
        application.addInitializers(context ->
                ((GenericApplicationContext) context)
                        .registerBean(Root.class, () -> new Root(folder)));
        try (ConfigurableApplicationContext context =
                        BootRun.run(
                                application,
                                WebApplicationType.SERVLET,
                                "spring.mvc.view.prefix=/WEB-INF/",
                                "spring.mvc.view.suffix=.jsp");
                HttpClient client = HttpClient.newHttpClient()) {
            String root = "http://127.0.0.1:" + port(context);
            assertEquals("2 pages", BootRun.get(client, root + "/direct.jsp").body());
            assertEquals("this is a view", BootRun.get(client, root + "/view").body());
            assertEquals(404, BootRun.get(client, root + "/WEB-INF/view.jsp").statusCode());
            MargayWebServer server =
                    (MargayWebServer) ((WebServerApplicationContext) context).getWebServer();
            assertEquals(
                    "true",
                    server.server()
                            .contexts()
                            .getFirst()
                            .getServletRegistration("jsp")
                            .getInitParameter("mappedfile"));
        }
    }

    @Test
    void resources_ofLibraries_areServed() throws Exception {
        Path jar = folder.resolve("library.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/resources/sub/note.txt"));
            out.write("from a library".getBytes(UTF_8));
            out.putNextEntry(new JarEntry("META-INF/resources/page.jsp"));
            out.write("${2 + 2} pages".getBytes(UTF_8));
        }
        Path classes = folder.resolve("classes");
        Path inside = Files.createDirectories(classes.resolve("META-INF/resources"));
        Files.writeString(inside.resolve("other.txt"), "from a folder");
        WebContext context = WebContext.at("/").pages();
        StaticResources resources = new StaticResources(context);
        for (URL url :
                new URL[] {
                    jar.toUri().toURL(),
                    URI.create("jar:" + jar.toUri() + "!/").toURL(),
                    classes.toUri().toURL()
                }) {
            assertTrue(resources.addLibrary(url), url.toString());
        }
        try (EmbeddedServer server = Margay.builder().http(0).context(context).start();
                HttpClient client = HttpClient.newHttpClient()) {
            String root = "http://127.0.0.1:" + server.port();
            assertEquals("from a library", BootRun.get(client, root + "/sub/note.txt").body());
            assertEquals("4 pages", BootRun.get(client, root + "/page.jsp").body());
            assertEquals("from a folder", BootRun.get(client, root + "/other.txt").body());
        }
    }
}
