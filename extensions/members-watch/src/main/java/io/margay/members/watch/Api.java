package io.margay.members.watch;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.discovery.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An API that speaks JSON over HTTP. Used by one thread.
final class Api implements AutoCloseable {
    private static final int OK = 200;
    private static final int GONE = 410;
    private static final int TEXT_MAX = 200;

    private final @Nullable Path trust;
    private final WatchLimits limits;
    private @Nullable HttpClient client;

    /// @param trust PEM file of the authorities that are believed; null = the JDK's
    Api(@Nullable Path trust, WatchLimits limits) {
        this.trust = trust;
        this.limits = limits;
    }

    /// An answer that is no success.
    static final class StatusException extends IOException {
        private static final long serialVersionUID = 1;
        private final int status;

        StatusException(int status, String text) {
            super(status + ": " + text);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /// Asks for something.
    ///
    /// @param token of the `Authorization` field; empty = none
    /// @param body null = GET
    Map<String, Object> ask(URI at, String token, @Nullable Map<String, Object> body)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer =
                send(
                        request(at, token, body),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), limits.answerBytesMax()));
        if (answer.statusCode() != OK) {
            throw refused(answer.statusCode(), answer.body());
        }
        return JSON.std.mapFrom(answer.body());
    }

    /// Begins an answer that does not end.
    EventLines watch(URI at, String token, @Nullable Map<String, Object> body)
            throws IOException, InterruptedException {
        HttpResponse<EventLines> answer =
                send(request(at, token, body), _ -> new EventLines(limits));
        EventLines lines = answer.body();
        if (answer.statusCode() == OK) {
            return lines;
        }
        try (lines) {
            String text = lines.next(limits.timeout().toNanos());
            String said = text == null ? "" : text;
            throw refused(answer.statusCode(), said.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// A request is over within the time, its content included: the client's own timeout ends with
    /// the head of the answer.
    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client().sendAsync(request, handler);
        try {
            return answer.get(limits.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it does not answer in time", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String why = cause.getMessage();
            throw new IOException(why == null ? cause.toString() : why, cause);
        } finally {
            answer.cancel(true);
        }
    }

    private static HttpRequest request(URI at, String token, @Nullable Map<String, Object> body)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at).header("Accept", "application/json");
        if (!token.isEmpty()) {
            try {
                request.header("Authorization", token);
            } catch (IllegalArgumentException e) {
                throw new IOException("the token is none", e);
            }
        }
        if (body != null) {
            request.header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(JSON.std.asBytes(body)));
        }
        return request.build();
    }

    private static IOException refused(int status, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        try {
            Map<String, Object> object = JSON.std.mapFrom(text);
            text = String.valueOf(object.getOrDefault("message", text));
        } catch (IOException e) {
            // Not JSON: the text will do.
        }
        String cut =
                text.substring(0, Math.min(text.length(), TEXT_MAX))
                        .replaceAll("\\p{Cntrl}+", " ")
                        .strip();
        return status == GONE ? new ExpiredException(cut) : new StatusException(status, cut);
    }

    private HttpClient client() throws IOException {
        HttpClient made = client;
        if (made == null) {
            made =
                    HttpClient.newBuilder()
                            .connectTimeout(limits.timeout())
                            .sslContext(TrustedAuthorities.context(trust))
                            .build();
            client = made;
        }
        return made;
    }

    /// A section of an object; empty when there is none.
    @SuppressWarnings("unchecked") // what JSON has made
    static Map<String, Object> section(Map<String, Object> of, String key) {
        return of.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /// The objects of a list; empty when there is none.
    @SuppressWarnings("unchecked") // what JSON has made
    static List<Map<String, Object>> list(Map<String, Object> of, String key) {
        return of.get(key) instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(each -> (Map<String, Object>) each)
                        .toList()
                : List.of();
    }

    /// A text; empty when there is none.
    static String text(Map<String, Object> of, String key) {
        return of.get(key) instanceof String text ? text : "";
    }

    @Override
    public void close() {
        HttpClient made = client;
        if (made != null) {
            made.shutdownNow();
            client = null;
        }
    }
}
