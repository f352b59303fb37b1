package io.margay.frameworks.tests;

import io.margay.app.Margay;
import io.margay.app.MargayServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One application at `/app`, and a client with cookies that is not ours.
final class Served implements AutoCloseable {
    private final MargayServer server;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .cookieHandler(new CookieManager())
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();

    private Served(MargayServer server) {
        this.server = server;
    }

    /// @param name of the module
    static Served start(String name, Path work) {
        Path webapp =
                Path.of(System.getProperty("margay.frameworks"), name, "target", "webapp")
                        .normalize();
        return new Served(
                Margay.builder()
                        .http(0)
                        .work(work)
                        .drain(Duration.ofSeconds(10))
                        .app("/app", webapp)
                        .start());
    }

    MargayServer server() {
        return server;
    }

    HttpRequest.Builder request(String path) {
        String whole = path.startsWith("/app") ? path : "/app" + path;
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.ports().getFirst() + whole))
                .timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> get(String path, String... fields) throws IOException {
        HttpRequest.Builder request = request(path);
        if (fields.length > 0) {
            request.headers(fields);
        }
        return send(request.build());
    }

    HttpResponse<String> post(String path, String type, String body) throws IOException {
        return post(path, type, BodyPublishers.ofString(body));
    }

    HttpResponse<String> post(String path, String type, BodyPublisher body) throws IOException {
        return send(request(path).header("Content-Type", type).POST(body).build());
    }

    HttpResponse<String> form(String path, String... namesAndValues) throws IOException {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            form.append(form.isEmpty() ? "" : "&")
                    .append(namesAndValues[i])
                    .append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8));
        }
        return post(path, "application/x-www-form-urlencoded", form.toString());
    }

    /// A form with one file and one text.
    HttpResponse<String> upload(String path, String file, byte[] content) throws IOException {
        String head =
                "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\na note\r\n"
                        + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                        + file
                        + "\"\r\nContent-Type: text/plain\r\n\r\n";
        return post(
                path,
                "multipart/form-data; boundary=b",
                BodyPublishers.concat(
                        BodyPublishers.ofString(head),
                        BodyPublishers.ofByteArray(content),
                        BodyPublishers.ofString("\r\n--b--\r\n")));
    }

    HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    CompletableFuture<HttpResponse<String>> later(String path) {
        return client.sendAsync(request(path).build(), BodyHandlers.ofString());
    }

    /// Where a redirect leads, as a path.
    static String location(HttpResponse<String> answer) {
        URI location = answer.uri().resolve(answer.headers().firstValue("Location").orElseThrow());
        return location.getRawQuery() == null
                ? location.getRawPath()
                : location.getRawPath() + "?" + location.getRawQuery();
    }

    /// The first group of the first match.
    static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError(pattern + " is not in " + text);
        }
        return matcher.group(1);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
