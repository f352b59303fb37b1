package io.margay.telemetry.otel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is posted to a collector, and what its answers may be.
@Timeout(120)
final class BoundedHttpSenderTest {
    private static final byte[] MESSAGE = "spans ".repeat(1_000).getBytes(UTF_8);
    private static final Duration LONG = Duration.ofSeconds(50);

    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, Object> said = new HashMap<>();
    private HttpServer collector;

    @BeforeEach
    void listen() throws IOException {
        collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.start();
        said.put("getEndpoint", URI.create("http://127.0.0.1:" + port() + "/v1/traces"));
        said.put("getContentType", "application/x-protobuf");
        said.put("getTimeout", LONG);
        said.put("getConnectTimeout", LONG);
        said.put("getMaxResponseBodySize", 4L << 20);
        headers(Map.of());
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private int port() {
        return collector.getAddress().getPort();
    }

    private void headers(Map<String, List<String>> headers) {
        said.put("getHeadersSupplier", (Supplier<Map<String, List<String>>>) () -> headers);
    }

    private void answers(HttpHandler by) {
        collector.createContext(
                "/v1/traces",
                exchange -> {
                    calls.incrementAndGet();
                    by.handle(exchange);
                });
    }

    private HttpResponse sent() throws Exception {
        HttpSenderConfig config =
                (HttpSenderConfig)
                        Proxy.newProxyInstance(
                                HttpSenderConfig.class.getClassLoader(),
                                new Class<?>[] {HttpSenderConfig.class},
                                (_, method, _) -> said.get(method.getName()));
        BoundedHttpSender sender = new BoundedHttpSender(config);
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        sender.send(new Message(), answer::complete, answer::completeExceptionally);
        try {
            return answer.get(100, TimeUnit.SECONDS);
        } finally {
            assertTrue(sender.shutdown().isSuccess());
        }
    }

    private Throwable failure() {
        return assertThrows(ExecutionException.class, this::sent).getCause();
    }

    private static void answer(HttpExchange exchange, int status, int length) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, length == 0 ? -1 : length);
            exchange.getResponseBody().write(new byte[length]);
        }
    }

    @Test
    void message_isPosted_withTheHeaders_compressed() throws Exception {
        AtomicReference<String> content = new AtomicReference<>();
        AtomicReference<String> fields = new AtomicReference<>();
        answers(exchange -> {
            content.set(
                    new String(
                            new GZIPInputStream(exchange.getRequestBody()).readAllBytes(), UTF_8));
            fields.set(
                    List.of("Content-Type", "Content-Encoding", "X-Key", "Upgrade").stream()
                            .map(name -> String.valueOf(exchange.getRequestHeaders().get(name)))
                            .toList()
                            .toString());
            answer(exchange, 200, 64 * 1024);
        });
        said.put("getCompressor", new Gzip());
        headers(Map.of("X-Key", List.of("a", "b")));
        HttpResponse response = sent();
        assertEquals(200, response.getStatusCode());
        assertEquals(64 * 1024, response.getResponseBody().length);
        assertEquals(new String(MESSAGE, UTF_8), content.get());
        assertEquals("[[application/x-protobuf], [gzip], [a, b], null]", fields.get());
    }

    @Test
    void answerBeyondTheBound_isAFailure() {
        answers(exchange -> answer(exchange, 200, 64 * 1024 + 1));
        assertInstanceOf(IOException.class, failure());
    }

    @Test
    void answerWithoutEnd_isOverWithTheTime_andSoIsItsConnection() throws Exception {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                while (!closed.isDone()) {
                    out.write('x');
                    out.flush();
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            } catch (IOException e) {
                closed.complete(true);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        said.put("getTimeout", Duration.ofMillis(300));
        assertEquals("the collector does not answer in time", failure().getMessage());
        assertTrue(closed.get(60, TimeUnit.SECONDS));
    }

    @Test
    void failureThatMayPass_isSentAgain_andOthersAreNot() throws Exception {
        said.put(
                "getRetryPolicy",
                RetryPolicy.builder().setInitialBackoff(Duration.ofMillis(1)).build());
        answers(exchange -> answer(exchange, calls.get() < 3 ? 503 : 400, 0));
        assertEquals(400, sent().getStatusCode());
        assertEquals(3, calls.get());
    }

    @Test
    void waitThatTheCollectorAsksFor_beyondTheTime_isAFailure() {
        said.put("getRetryPolicy", RetryPolicy.getDefault());
        answers(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "600");
            answer(exchange, 429, 0);
        });
        assertEquals("HTTP status 429", failure().getMessage());
        assertEquals(1, calls.get());
    }

    @Test
    void headerThatCannotBeSent_isNamed_withoutItsValue() {
        headers(Map.of("Authorization", List.of("Bearer secret\n")));
        Throwable failure = failure();
        assertEquals("the header Authorization cannot be sent", failure.getMessage());
        assertFalse(String.valueOf(failure.getCause()).contains("secret"));
    }

    private static final class Message implements MessageWriter {
        @Override
        public void writeMessage(OutputStream to) throws IOException {
            to.write(MESSAGE);
        }

        @Override
        public int getContentLength() {
            return MESSAGE.length;
        }
    }

    private static final class Gzip implements Compressor {
        @Override
        public String getEncoding() {
            return "gzip";
        }

        @Override
        public OutputStream compress(OutputStream to) throws IOException {
            return new GZIPOutputStream(to);
        }
    }
}
