package io.margay.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// The JDK's client, pointed at one port.
public final class Http {
    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();

    public Http(int port) {
        this.port = port;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30));
    }

    public HttpResponse<String> response(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    public String get(String path) throws IOException, InterruptedException {
        return response(path).body();
    }

    public int status(String path) throws IOException, InterruptedException {
        return response(path).statusCode();
    }

    public HttpResponse<String> withCookie(String path, String cookie)
            throws IOException, InterruptedException {
        return client.send(request(path).header("Cookie", cookie).build(), BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> later(String path) {
        return client.sendAsync(request(path).build(), BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> later(String path, String cookie) {
        return client.sendAsync(
                request(path).header("Cookie", cookie).build(), BodyHandlers.ofString());
    }
}
