package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.sample.StackServlet;
import io.margay.app.site.Front;
import io.margay.app.site.Site;
import io.margay.server.HttpServer;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusResponse;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Holds "Life of a request" in `ARCHITECTURE.md` true: the files that a request crosses from the
/// socket to the servlet are those that stand there, in that order, and no more than a reader can
/// hold at once.
///
/// Counted is what is on the stack when the application hands its task to the exchange, and then
/// what is on the stack in the servlet: a task begins only after the handler has returned, so that
/// neither stack alone shows the whole way.
final class LifeOfARequestTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("margay.root", ".."));

    @TempDir Path folder;

    /// Passes requests on, and remembers by which way a task came.
    private static final class WatchedHandler implements Handler {
        private final Handler handler;
        private volatile List<StackTraceElement> way = List.of();

        WatchedHandler(Handler handler) {
            this.handler = handler;
        }

        @Override
        public void handle(Exchange exchange) throws IOException {
            InvocationHandler watch =
                    (_, method, arguments) -> {
                        if (method.getName().equals("dispatch")) {
                            way = List.of(Thread.currentThread().getStackTrace());
                        }
                        return method.invoke(exchange, arguments);
                    };
            handler.handle(
                    (Exchange)
                            Proxy.newProxyInstance(
                                    getClass().getClassLoader(),
                                    new Class<?>[] {DialingExchange.class},
                                    watch));
        }
    }

    /// The files of this project among the frames, outermost first, each once.
    private static List<String> files(Stream<String> frames) {
        List<String> files = new ArrayList<>();
        frames.filter(frame -> frame.startsWith("io.margay."))
                .filter(frame -> !frame.contains("LifeOfARequestTest"))
                .filter(frame -> !frame.contains("Watched"))
                .filter(frame -> !frame.contains("StackServlet"))
                .map(frame -> frame.substring(frame.indexOf(' ') + 1))
                .forEach(files::add);
        return List.copyOf(new LinkedHashSet<>(files.reversed()));
    }

    private static List<String> filesOf(List<StackTraceElement> frames) {
        return files(frames.stream().map(each -> each.getClassName() + " " + each.getFileName()));
    }

    /// The lines ``1. `File.java`: ...`` below the heading, without the servlet itself.
    private static List<String> documented(String heading) throws Exception {
        String text = Files.readString(CHECKOUT.resolve("ARCHITECTURE.md"));
        int from = text.indexOf("### " + heading + "\n");
        assertTrue(from >= 0, "ARCHITECTURE.md has no section \"" + heading + "\"");
        int to = text.indexOf("\n#", from + 4);
        Matcher lines =
                Pattern.compile("(?m)^\\d+\\. `(\\w+\\.java)`")
                        .matcher(text.substring(from, to < 0 ? text.length() : to));
        return lines.results().map(found -> found.group(1)).toList();
    }

    private static String heading(TransportChoice choice, boolean secure) {
        String path = choice == TransportChoice.BLOCKING ? "blocking" : "loop and pool";
        return secure ? path + ", TLS" : path;
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, false, 8",
        "BLOCKING, true, 8",
        "NIO, false, 10",
        "NIO, true, 10",
        "NATIVE, false, 10",
        "NATIVE, true, 10"
    })
    void files_fromSocketToServlet_areThoseOfTheArchitecture(
            TransportChoice choice, boolean secure, int most) throws Exception {
        Pem pem = Pem.make(folder, "pem");
        Path war =
                Wars.with("index.html", "x")
                        .servlet(StackServlet.class, "/stack")
                        .war(folder.resolve("stack.war"));
        Site site =
                TestSite.of(Margay.builder().app("/", war).work(folder.resolve("work")).config());
        Front front = new Front(site);
        WatchedHandler watched = new WatchedHandler(front);
        try (WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
                Transport transport = Transports.open(choice.word(), TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(watched, pool, HttpServerConfig.defaults(), front)) {
            ListenerConfig any =
                    ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            if (secure) {
                any = any.withTls(TlsConfig.of(pem.cert(), pem.key()));
            }
            List<String> inServlet =
                    get(port(server.listen(transport, any)), secure ? pem : null).lines().toList();
            Set<String> crossed = new LinkedHashSet<>(filesOf(watched.way));
            crossed.addAll(files(inServlet.stream()));
            assertEquals(documented(heading(choice, secure)), List.copyOf(crossed));
            assertTrue(crossed.size() <= most, () -> crossed.size() + " files: " + crossed);
        } finally {
            site.retire(Site.NONE, Duration.ZERO);
        }
    }

    /// The second of two requests, whose password is remembered.
    @Test
    void files_throughAHostWithEveryStage_areThoseOfTheArchitecture() throws Exception {
        Wars.with("index.html", "x")
                .servlet(StackServlet.class, "/stack")
                .war(folder.resolve("stack.war"));
        Files.writeString(folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                hosts:
                  - client-address: {field: X-Forwarded-For}
                    encoded-slashes: decode
                    response-headers: [{set: X-Shop, value: "1"}]
                    request-sizes: [{content-max: 1MiB}]
                    bandwidth: [{rate: 500MiB}]
                    shield: {budget: {cost: 1h, window: 1h, by: address}}
                    rate-limits: [{concurrent: 9, by: all}, {concurrent: 9, by: user}]
                    rules: [{path: /old, target: /new, redirect: 301}]
                    access: {login: {users: users, name: Staff}}
                    compression: {}
                    error-pages: [{status: 404, text: gone}]
                    routes: {/: {app: stack.war}}
                work: work
                """);
        Site site = TestSite.of(ConfigFile.read(file, Map.of()).get());
        Front front = new Front(site);
        WatchedHandler watched = new WatchedHandler(front);
        try (WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
                Transport transport = Transports.open("nio", TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(watched, pool, HttpServerConfig.defaults(), front)) {
            ListenerConfig any =
                    ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = port(server.listen(transport, any));
            String _ = get(port, null);
            Set<String> crossed = new LinkedHashSet<>();
            List<String> inServlet = get(port, null).lines().toList();
            crossed.addAll(filesOf(watched.way));
            crossed.addAll(files(inServlet.stream()));
            assertEquals(documented("a host with every stage, nio"), List.copyOf(crossed));
        } finally {
            site.retire(Site.NONE, Duration.ZERO);
        }
    }

    /// @param pem of the server, or null without TLS
    private static String get(int port, @Nullable Pem pem) throws Exception {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (pem != null) {
            client.sslContext(pem.trusting());
        }
        URI uri = URI.create((pem == null ? "http" : "https") + "://localhost:" + port + "/stack");
        try (HttpClient open = client.build()) {
            HttpRequest asked =
                    HttpRequest.newBuilder(uri)
                            .header("Authorization", "Basic YWRhOnNlY3JldA==")
                            .build();
            return open.send(asked, BodyHandlers.ofString()).body();
        }
    }

    private Site gateway(int port) throws Exception {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                hosts: [{routes: {/: {gateway: back}}}]
                upstreams: {back: {members: [{url: "ajp://127.0.0.1:%d"}]}}
                work: work
                """
                        .formatted(port));
        return TestSite.of(ConfigFile.read(file, Map.of()).get());
    }

    private static int port(HttpServer.HttpListener listener) {
        return ((InetSocketAddress) listener.socket().address()).getPort();
    }

    /// The second of two requests, for which there is a connection to the member.
    @Test
    void files_fromClientToAjpMember_areThoseOfTheArchitecture() throws Exception {
        ListenerConfig any =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Handler hello = exchange -> StatusResponse.plain(exchange, 200, "hello");
        try (Transport behind = Transports.open("nio", TransportConfig.defaults());
                WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
                HttpServer member = new HttpServer(hello, workers);
                WatchedTransport nio =
                        new WatchedTransport(Transports.open("nio", TransportConfig.defaults()))) {
            Site site = gateway(port(member.listenAjp(behind, any, AjpConfig.withoutSecret())));
            Front front = new Front(site);
            try (HttpServer server =
                    new HttpServer(front, workers, HttpServerConfig.defaults(), front)) {
                Http client = new Http(port(server.listen(nio, any)));
                assertEquals(200, client.status("/"));
                assertEquals(200, client.status("/"));
                Set<String> there = new LinkedHashSet<>(filesOf(nio.queued()));
                there.addAll(filesOf(nio.toPeer()));
                assertEquals(documented("gateway, nio to AJP13"), List.copyOf(there));
                assertEquals(documented("gateway, the way back"), filesOf(nio.toClient()));
            } finally {
                site.retire(Site.NONE, Duration.ZERO);
            }
        }
    }
}
