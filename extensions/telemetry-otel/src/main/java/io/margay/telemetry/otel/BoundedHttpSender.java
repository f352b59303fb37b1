package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// Posts to a collector by the JDK's client, each call on a virtual thread of its own. A call is
/// over with its time, wherever it is: also a response that has begun. Thread-safe.
final class BoundedHttpSender implements HttpSender {
    /// By OTLP's specification of failures.
    private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

    /// Bytes of an answer, which says no more than what was not taken.
    private static final long ANSWER_BYTES_MAX = 64 * 1024;

    private static final int RETRY_AFTER_DIGITS_MAX = 6;

    private final HttpSenderConfig config;
    private final HttpClient client;
    private final long answerBytesMax;
    private volatile boolean closed;

    /// What a call has brought.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(int getStatusCode, byte[] body, Duration pause) implements HttpResponse {
        @Override
        public String getStatusMessage() {
            return "HTTP status " + getStatusCode;
        }

        @Override
        public byte[] getResponseBody() {
            return body;
        }
    }

    BoundedHttpSender(HttpSenderConfig config) {
        this.config = config;
        client = client(config);
        answerBytesMax = Math.min(ANSWER_BYTES_MAX, config.getMaxResponseBodySize());
    }

    /// HTTP/1.1, which every collector speaks: the end of a call is the end of its connection.
    private static HttpClient client(HttpSenderConfig config) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (config.getConnectTimeout().isPositive()) {
            builder.connectTimeout(config.getConnectTimeout());
        }
        if (config.getSslContext() != null) {
            builder.sslContext(config.getSslContext());
        }
        ProxyOptions proxy = config.getProxyOptions();
        if (proxy != null) {
            builder.proxy(proxy.getProxySelector());
        }
        List<String> versions = config.getEnabledProtocols();
        if (versions != null && !versions.isEmpty()) {
            SSLParameters parameters = new SSLParameters();
            parameters.setProtocols(versions.toArray(String[]::new));
            builder.sslParameters(parameters);
        }
        return builder.build();
    }

    @Override
    public void send(
            MessageWriter message, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
        HttpRequest request;
        try {
            request = request(message);
        } catch (IOException | RuntimeException e) {
            failed.accept(e);
            return;
        }
        long end = CollectorCalls.endNanos(config.getTimeout());
        CollectorCalls.start(
                () ->
                        CollectorCalls.made(
                                new Sending(request), end, config.getRetryPolicy(), () -> closed),
                answered,
                failed);
    }

    private HttpRequest request(MessageWriter message) throws IOException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(config.getEndpoint());
        Map<String, List<String>> further = config.getHeadersSupplier().get();
        if (further != null) {
            further.forEach((name, values) -> values.forEach(value -> add(builder, name, value)));
        }
        builder.setHeader("Content-Type", config.getContentType());
        Compressor compressor = config.getCompressor();
        ByteArrayOutputStream content = new ByteArrayOutputStream(message.getContentLength());
        if (compressor != null) {
            builder.setHeader("Content-Encoding", compressor.getEncoding());
        }
        CollectorCalls.write(message, compressor, content);
        return builder.POST(BodyPublishers.ofByteArray(content.toByteArray())).build();
    }

    /// The client's words on a header hold its value, which may be a secret.
    private static void add(HttpRequest.Builder builder, String name, String value) {
        try {
            builder.header(name, value);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("the header " + name + " cannot be sent");
        }
    }

    private final class Sending implements CollectorCalls.Call<Answer> {
        private final HttpRequest request;

        Sending(HttpRequest request) {
            this.request = request;
        }

        @Override
        public Answer make(long nanos) throws IOException, InterruptedException {
            CompletableFuture<java.net.http.HttpResponse<byte[]>> call =
                    client.sendAsync(
                            request,
                            BodyHandlers.limiting(BodyHandlers.ofByteArray(), answerBytesMax));
            try {
                return answer(call.get(nanos, TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                throw new IOException("the collector does not answer in time", e);
            } catch (ExecutionException e) {
                Throwable why = e.getCause();
                throw why instanceof IOException known ? known : new IOException(why);
            } finally {
                call.cancel(true);
            }
        }

        @Override
        public @Nullable String passing(Answer response) {
            int status = response.getStatusCode();
            return PASSING.contains(status) ? response.getStatusMessage() : null;
        }

        @Override
        public boolean mayPass(IOException why) {
            RetryPolicy policy = config.getRetryPolicy();
            Predicate<IOException> says =
                    policy == null ? null : policy.getRetryExceptionPredicate();
            return says == null ? !(why instanceof SSLException) : says.test(why);
        }

        @Override
        public Duration pause(Answer response) {
            return response.pause();
        }
    }

    private static Answer answer(java.net.http.HttpResponse<byte[]> response) {
        String after = response.headers().firstValue("Retry-After").orElse("");
        boolean tells = after.matches("[0-9]{1," + RETRY_AFTER_DIGITS_MAX + "}");
        return new Answer(
                response.statusCode(),
                response.body(),
                tells ? Duration.ofSeconds(Integer.parseInt(after)) : Duration.ZERO);
    }

    @Override
    public CompletableResultCode shutdown() {
        closed = true;
        client.shutdownNow();
        return CompletableResultCode.ofSuccess();
    }
}
