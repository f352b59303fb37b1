package io.margay.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.compression.CompressionConfig;
import io.margay.testkit.TestCertificate;
import io.margay.transport.factory.Transports;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class EmbeddedServerTest {
    private static final byte[] PONG = "pong".getBytes(StandardCharsets.UTF_8);
    private static final Filter NAMING =
            (request, response, chain) -> {
                request.setAttribute("name", "you");
                chain.doFilter(request, response);
            };

    @TempDir Path folder;
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> get(EmbeddedServer server, String path, String... fields)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void parts_instancesAndClasses_areServed(String transport) throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Files.writeString(folder.resolve("page.html"), "<p>page</p>");
        ServletContextListener listener =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        told.add("started");
                    }

                    @Override
                    public void contextDestroyed(ServletContextEvent event) {
                        told.add("stopped");
                    }
                };
        try (EmbeddedServer server =
                Margay.builder()
                        .http(0)
                        .transport(transport)
                        .servlet("/one", new Greeting())
                        .servlet("/two", Greeting.class)
                        .filter("/*", NAMING)
                        .listener(listener)
                        .initializer((classes, context) ->
                                context.addServlet("three", new Greeting()).addMapping("/three"))
                        .resources(folder)
                        .classPathResources("pages")
                        .handler("/api/*", exchange -> exchange.end(PONG, 0, PONG.length))
                        .context(WebContext.at("/shop").servlet("/one", Greeting.class))
                        .start()) {
            assertEquals("hello you", get(server, "/one").body());
            assertEquals("hello you", get(server, "/two").body());
            assertEquals("hello you", get(server, "/three").body());
            assertEquals("<p>page</p>", get(server, "/page.html").body());
            assertEquals("from the class path\n", get(server, "/note.txt").body());
            assertEquals("pong", get(server, "/api/ping").body());
            assertEquals("hello null", get(server, "/shop/one").body());
            assertEquals(404, get(server, "/nothing").statusCode());
            assertEquals(List.of("started"), told);
        }
        assertEquals(List.of("started", "stopped"), told);
    }

    @Test
    void restart_keepsThePort_andMakesNewContexts() throws Exception {
        try (EmbeddedServer server =
                Margay.builder().http(0).servlet("/", Greeting.class).start()) {
            int port = server.port();
            Object context = server.contexts().getFirst();
            server.restart();
            assertEquals(port, server.port());
            assertFalse(server.contexts().contains(context));
            assertEquals("hello null", get(server, "/").body());
        }
    }

    @Test
    void pause_closesTheListeners_andKeepsTheContexts() throws Exception {
        try (EmbeddedServer server =
                Margay.builder().http(0).servlet("/", Greeting.class).start()) {
            Object context = server.contexts().getFirst();
            int port = server.port();
            server.pause();
            URI uri = URI.create("http://127.0.0.1:" + port + "/");
            assertThrows(
                    ConnectException.class,
                    () ->
                            client.send(
                                    HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()));
            server.start();
            assertEquals(context, server.contexts().getFirst());
            assertEquals(200, get(server, "/").statusCode());
        }
    }

    /// A servlet that answers when it is told to.
    private static final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1L;
        final transient CountDownLatch begun = new CountDownLatch(1);
        final transient CountDownLatch end = new CountDownLatch(1);

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().write("done");
        }
    }

    @Test
    void stop_withCallback_letsRequestsEnd() throws Exception {
        Waiting waiting = new Waiting();
        EmbeddedServer server = Margay.builder().http(0).servlet("/", waiting).start();
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        waiting.begun.await();
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        server.stop(Duration.ofSeconds(20), ended::complete);
        assertFalse(ended.isDone());
        waiting.end.countDown();
        assertEquals("done", response.get().body());
        assertTrue(ended.get());
        assertFalse(server.isListening());
    }

    @Test
    void keyManager_servesTls() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        EmbeddedServer server =
                Margay.builder()
                        .https(0, keys(folder.resolve("store.p12")))
                        .strictSni(false)
                        .servlet("/", new Greeting())
                        .start();
        try (server;
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(certificate.client()).build()) {
            URI uri = URI.create("https://localhost:" + server.port() + "/");
            HttpResponse<String> response =
                    trusting.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals("hello null", response.body());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
        }
    }

    /// Where OpenSSL can, responses over TCP tell of it; else the server says what it needs.
    @Test
    void http3_isToldOf_orWhatItNeeds() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        Margay.Builder builder =
                Margay.builder()
                        .https(0, keys(folder.resolve("store.p12")))
                        .strictSni(false)
                        .http3()
                        .servlet("/", new Greeting());
        if (Transports.datagramProblem() != null) {
            var failure = assertThrows(ServerStartException.class, builder::start);
            assertTrue(failure.getMessage().contains("HTTP/3 needs OpenSSL 3.5"));
            return;
        }
        try (EmbeddedServer server = builder.start();
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(certificate.client()).build()) {
            URI uri = URI.create("https://localhost:" + server.port() + "/");
            HttpResponse<String> response =
                    trusting.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            String other = response.headers().firstValue("alt-svc").orElse("");
            assertTrue(other.startsWith("h3=\":" + server.port() + "\""), other);
        }
    }

    private static X509KeyManager keys(Path store) throws Exception {
        char[] password = "testkit".toCharArray();
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(KeyStore.getInstance(store.toFile(), password), password);
        return (X509KeyManager) factory.getKeyManagers()[0];
    }

    @Test
    void compression_isApplied() throws Exception {
        try (EmbeddedServer server =
                Margay.builder()
                        .http(0)
                        .compression(
                                CompressionConfig.defaults()
                                        .withMinBytes(1)
                                        .withTypes(List.of("text/*")))
                        .initializer((classes, context) ->
                                context.addServlet("text", new Text()).addMapping("/"))
                        .start()) {
            HttpResponse<String> response = get(server, "/", "Accept-Encoding", "gzip");
            assertEquals("gzip", response.headers().firstValue("content-encoding").orElse(""));
        }
    }

    static final class Text extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain");
            response.getWriter().write("text".repeat(1000));
        }
    }

    @Test
    void start_whenSomethingIsWrong_leavesNothing() {
        ServerStartException failed =
                assertThrows(
                        ServerStartException.class,
                        () ->
                                Margay.builder()
                                        .http(0)
                                        .initializer((classes, context) -> {
                                            throw new IllegalStateException("not today");
                                        })
                                        .start());
        assertTrue(failed.getMessage().contains("not today"), failed.getMessage());
    }

    @Test
    void servlets_thatLoadOnStartup_areMadeWhenTheServerStarts() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        HttpServlet eager =
                new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void init() {
                        told.add("loaded");
                    }

                    @Override
                    public void destroy() {
                        told.add("destroyed");
                    }
                };
        EmbeddedServer server =
                Margay.builder()
                        .http(0)
                        .initializer((classes, context) -> {
                            told.add("initialized");
                            context.addServlet("eager", eager).setLoadOnStartup(1);
                        })
                        .build();
        server.deploy();
        assertEquals(List.of("initialized"), told);
        server.start();
        server.pause();
        server.start();
        assertEquals(List.of("initialized", "loaded"), told);
        server.close();
        assertEquals(List.of("initialized", "loaded", "destroyed"), told);
    }

    @Test
    void servlet_thatRefusesToLoad_endsTheStart() {
        HttpServlet failing =
                new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void init() {
                        throw new IllegalStateException("not today");
                    }
                };
        EmbeddedServer server =
                Margay.builder()
                        .http(0)
                        .initializer((classes, context) ->
                                context.addServlet("failing", failing).setLoadOnStartup(0))
                        .build();
        server.deploy();
        ServerStartException failed = assertThrows(ServerStartException.class, server::start);
        assertTrue(failed.getMessage().contains("not today"), failed.getMessage());
        assertEquals(List.of(), server.contexts());
        assertTrue(failed.port().isEmpty());
    }

    /// Begun, but not started: what listeners have opened is closed all the same.
    @Test
    void context_thatIsOnlyDeployed_isStopped() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        ServletContextListener listener =
                new ServletContextListener() {
                    @Override
                    public void contextDestroyed(ServletContextEvent event) {
                        stopped.countDown();
                    }
                };
        EmbeddedServer server = Margay.builder().http(0).listener(listener).build();
        server.deploy();
        server.close();
        assertEquals(0, stopped.getCount());
    }

    @Test
    void port_inUse_isNamed() throws Exception {
        try (EmbeddedServer first = Margay.builder().http(0).start()) {
            int taken = first.port();
            ServerStartException failed =
                    assertThrows(
                            ServerStartException.class,
                            () -> Margay.builder().http(0).http(taken).start());
            assertEquals(taken, failed.port().orElseThrow());
        }
    }

    @Test
    void root_ofAContextWithoutFiles_isAnEmptyFolder() throws Exception {
        try (EmbeddedServer server = Margay.builder().http(0).servlet("/a", Text.class).start()) {
            ServletContext context = server.contexts().getFirst();
            assertEquals("file", context.getResource("/").getProtocol());
            assertNull(context.getResourcePaths("/"));
            assertEquals(404, get(server, "/").statusCode());
        }
    }

    /// Neither the current folder nor that of temporary files keeps anything.
    @Test
    void folders_areGoneAfterwards() throws Exception {
        Path work;
        try (EmbeddedServer server =
                Margay.builder().http(0).servlet("/", new Greeting()).start()) {
            Object temporary =
                    server.contexts().getFirst().getAttribute("jakarta.servlet.context.tempdir");
            work = ((java.io.File) temporary).toPath();
            assertTrue(Files.isDirectory(work));
        }
        assertFalse(Files.exists(work));
        assertFalse(Files.exists(work.getParent().getParent()));
        assertFalse(Files.exists(Path.of("work")));
    }
}
