package io.margay.app.register;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.discovery.TokenFile;
import io.margay.gateway.discovery.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The admin listener of one gateway. Used by one thread.
final class GatewayDoor implements Door {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(3);
    private static final int ANSWER_BYTES_MAX = 16 << 10;
    private static final int TEXT_MAX = 200;

    private final RegisterSettings settings;
    private final URI gateway;
    private final URI place;
    private final TokenFile token;
    private @Nullable HttpClient client;

    GatewayDoor(RegisterSettings settings, URI gateway) {
        this.settings = settings;
        this.gateway = gateway;
        place =
                URI.create(
                        gateway.toString().replaceFirst("/+$", "")
                                + "/api/upstreams/"
                                + settings.upstream()
                                + "/registrations/"
                                + settings.name());
        token = new TokenFile(settings.tokenFile(), Registrar.TOKEN_CHARS_MIN);
    }

    @Override
    public void put(boolean draining) throws IOException, InterruptedException {
        StringJoiner query = new StringJoiner("&", "?", "");
        query.add(parameter("url", settings.member().url().toString()));
        query.add("lease=" + Math.max(1, settings.lease().toSeconds()));
        settings.member().options().forEach((key, value) -> query.add(parameter(key, value)));
        if (draining) {
            query.add("activation=disabled");
        }
        send("PUT", URI.create(place + query.toString()));
    }

    private static String parameter(String key, String value) {
        return key + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        send("DELETE", place);
    }

    private void send(String method, URI to) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(to)
                        .timeout(TIMEOUT)
                        .header("Authorization", "Bearer " + token.read())
                        .method(method, BodyPublishers.noBody())
                        .build();
        HttpResponse<String> answer =
                client().send(
                                request,
                                BodyHandlers.limiting(BodyHandlers.ofString(), ANSWER_BYTES_MAX));
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + why(answer.body()));
        }
    }

    /// What a gateway says of a refusal.
    private static String why(String body) {
        String said = body;
        try {
            Map<String, Object> object = JSON.std.mapFrom(body);
            said = String.valueOf(object.getOrDefault("error", body));
        } catch (IOException e) {
            // Another server than a gateway: its text will do.
        }
        return said.substring(0, Math.min(said.length(), TEXT_MAX))
                .replaceAll("\\p{Cntrl}+", " ")
                .strip();
    }

    private HttpClient client() throws IOException {
        HttpClient made = client;
        if (made == null) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(TIMEOUT);
            if ("https".equals(gateway.getScheme())) {
                builder.sslContext(TrustedAuthorities.context(settings.trust()));
            }
            made = builder.build();
            client = made;
        }
        return made;
    }

    /// A gateway that starts and knows nobody waits a little longer for its first members.
    @Override
    public Duration pauseMax() {
        return PAUSE_MAX;
    }

    @Override
    public String toString() {
        return gateway.toString();
    }

    @Override
    public void close() {
        HttpClient made = client;
        if (made != null) {
            made.shutdownNow();
        }
    }
}
