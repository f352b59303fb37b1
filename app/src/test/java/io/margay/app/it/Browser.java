package io.margay.app.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// The JDK's client, pointed at one port.
record Browser(int port) {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    /// What a GET is answered.
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(path, "127.0.0.1");
    }

    /// The same for another name of the server, which must lead to this machine.
    HttpResponse<String> get(String path, String host) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
                        .timeout(ANSWER_MAX)
                        .build();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request, BodyHandlers.ofString());
        }
    }
}
