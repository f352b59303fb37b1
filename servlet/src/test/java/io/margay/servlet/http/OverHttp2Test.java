package io.margay.servlet.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.servlet.test.Until;
import io.margay.testkit.TestCertificate;
import io.margay.testkit.program.Program;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The container over HTTP/2, by the JDK's client over TLS and by our own in clear text.
@Tag("slow")
@Timeout(60)
final class OverHttp2Test {
    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();

    /// What a test does with a server.
    @FunctionalInterface
    private interface Talk {
        void with(InetSocketAddress address) throws Exception;
    }

    private static void serve(String name, boolean tls, TestApp app, Talk talk) throws Exception {
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        try (Transport transport = Transports.open(name, TransportConfig.defaults());
                HttpServer server = new HttpServer(app.handler(), pool)) {
            ListenerConfig plain =
                    ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            TlsConfig secure =
                    TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key())
                            .withApplicationProtocols(List.of("h2", "http/1.1"));
            HttpServer.HttpListener listener =
                    server.listen(transport, tls ? plain.withTls(secure) : plain);
            talk.with((InetSocketAddress) listener.socket().address());
        } finally {
            pool.close();
            app.start().stop();
        }
    }

    private static String facts(HttpServletRequest q) {
        String cookies =
                q.getCookies() == null
                        ? ""
                        : Arrays.stream(q.getCookies())
                                .map((Cookie c) -> c.getName() + "=" + c.getValue())
                                .collect(Collectors.joining(","));
        return String.join(
                " ",
                q.getProtocol(),
                q.getServletConnection().getProtocol(),
                q.getProtocolRequestId(),
                q.getScheme(),
                q.getServerName(),
                String.valueOf(q.getParameter("x")),
                cookies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void jdkClient_overTls_getsWhatAServletAnswers(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet("/facts", (q, r) -> r.getWriter().print(facts(q)))
                        .servlet("/large", (q, r) -> r.getWriter().print("y".repeat(500_000)))
                        .servlet(
                                "/echo",
                                (q, r) -> q.getInputStream().transferTo(r.getOutputStream()))
                        .servlet(
                                "/later",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.start(() -> context.dispatch("/facts"));
                                })
                        .servlet("/302", (q, r) -> r.sendRedirect("/facts?x=redirected"))
                        .servlet(
                                "/fails",
                                (q, r) -> {
                                    throw new IllegalStateException("no");
                                });
        serve(
                transport,
                true,
                app,
                address -> {
                    try (HttpClient client =
                            HttpClient.newBuilder().sslContext(CERTIFICATE.client()).build()) {
                        String base = "https://localhost:" + address.getPort();
                        HttpResponse<String> facts = get(client, base + "/facts?x=1");
                        assertEquals(HttpClient.Version.HTTP_2, facts.version());
                        assertTrue(facts.body().startsWith("HTTP/2.0 h2 "), facts.body());
                        assertTrue(facts.body().endsWith(" https localhost 1 "), facts.body());
                        assertEquals(500_000, get(client, base + "/large").body().length());
                        assertTrue(get(client, base + "/later?x=2").body().contains(" 2 "));
                        assertEquals(404, get(client, base + "/none").statusCode());
                        assertEquals(500, get(client, base + "/fails").statusCode());
                        HttpResponse<String> redirect = get(client, base + "/302");
                        assertEquals(302, redirect.statusCode());
                        assertEquals(
                                "/facts?x=redirected",
                                redirect.headers().firstValue("location").orElseThrow());
                        manyAtATime(client, base + "/echo");
                    }
                });
    }

    private static HttpResponse<String> get(HttpClient client, String uri)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    }

    private static void manyAtATime(HttpClient client, String uri) throws Exception {
        byte[] body = new byte[300_000];
        new Random(11).nextBytes(body);
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            answers.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(uri))
                                    .POST(BodyPublishers.ofByteArray(body))
                                    .build(),
                            BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
            assertArrayEquals(body, answer.get().body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void ownClient_inClearText_seesCookiesTrailersAndFiles(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .file("/f.txt", "file")
                        .servlet("/facts", (q, r) -> r.getWriter().print(facts(q)))
                        .servlet(
                                "/t",
                                (q, r) -> {
                                    q.getInputStream().readAllBytes();
                                    String value = q.getTrailerFields().get("mytrailer");
                                    r.setTrailerFields(() -> Map.of("Answer", value + "!"));
                                    r.getWriter().print("body");
                                });
        serve(
                transport,
                false,
                app,
                address -> {
                    try (Http2Talk talk = new Http2Talk(address)) {
                        Http2Stream facts =
                                talk.request(
                                        "GET", "/facts?x=1", true, "cookie: a=b", "cookie: c=d");
                        assertEquals(
                                "HTTP/2.0 h2c 1 http a.example 1 a=b,c=d", talk.end(facts).text());
                        assertFalse(talk.on(facts).fields().contains("onnection"));
                        Http2Stream trailers = talk.request("POST", "/t", false);
                        talk.content(trailers, new byte[200_000], false);
                        talk.trailers(trailers, new FieldList().add("myTrailer", "v"));
                        assertEquals("body", talk.end(trailers).text());
                        assertEquals("v!", talk.on(trailers).trailers().get("answer"));
                        Http2Stream none = talk.request("POST", "/t", true);
                        assertEquals("body", talk.end(none).text());
                        assertEquals("null!", talk.on(none).trailers().get("answer"));
                        Http2Stream file = talk.request("GET", "/f.txt", true);
                        assertEquals("file", talk.end(file).text());
                        Http2Stream head = talk.request("HEAD", "/f.txt", true);
                        assertEquals("", talk.end(head).text());
                        assertTrue(talk.on(head).fields().contains("content-length: 4"));
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void extendedConnect_upgradesAsAGetDoes(String transport) throws Exception {
        OverHttpTest.Double.DESTROYED.set(0);
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/up",
                                (q, r) -> {
                                    r.setHeader("Upgrade", q.getHeader("upgrade"));
                                    q.upgrade(OverHttpTest.Double.class);
                                });
        serve(
                transport,
                false,
                app,
                address -> {
                    try (Http2Talk talk = new Http2Talk(address)) {
                        Http2Stream up =
                                talk.request("CONNECT", "/up", false, ":protocol: websocket");
                        talk.content(up, "abc".getBytes(StandardCharsets.US_ASCII), false);
                        assertEquals("aabbcc", talk.await(up, 6).text());
                        assertEquals(200, talk.on(up).status());
                        assertFalse(talk.on(up).fields().contains("upgrade"));
                        Http2Stream beside = talk.request("GET", "/none", true);
                        assertEquals(404, talk.end(beside).status());
                        talk.content(up, "d".getBytes(StandardCharsets.US_ASCII), true);
                        assertEquals("aabbccdd", talk.end(up).text());
                        Until.isTrue(() -> OverHttpTest.Double.DESTROYED.get() == 1);
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void earlyHints_areSentAhead(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/",
                                (q, r) -> {
                                    r.addHeader("Link", "</a.css>; rel=preload; as=style");
                                    r.sendError(103);
                                    r.getWriter().print("page");
                                });
        serve(
                transport,
                false,
                app,
                address -> {
                    Process curl =
                            new ProcessBuilder(
                                            Program.of("curl"),
                                            "-si",
                                            "--http2-prior-knowledge",
                                            "http://127.0.0.1:" + address.getPort() + "/")
                                    .start();
                    String all = new String(curl.getInputStream().readAllBytes(), UTF_8);
                    String early = "HTTP/2 103 \r\nlink: </a.css>; rel=preload; as=style\r\n\r\n";
                    assertTrue(all.startsWith(early + "HTTP/2 200 \r\nlink: "), all);
                    assertTrue(all.endsWith("\r\n\r\npage"), all);
                });
    }
}
