package io.margay.app.bots;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.shield.KeyDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Fetches the keys of bots from their sites, as JSON Web Keys, and lists of their networks.
/// Thread-safe.
public final class HttpKeyDirectory implements KeyDirectory {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int KEY_BYTES_MAX = 65_536;
    private static final int LIST_BYTES_MAX = 1 << 20;
    private static final int NETWORKS_MAX = 4096;
    private static final int KEYS_MAX = 64;
    private static final int OK = 200;

    @Override
    public List<Key> fetch(URI directory) throws IOException {
        return keys(
                json(
                        directory,
                        "application/http-message-signatures-directory+json,"
                                + " application/jwk-set+json;q=0.9",
                        KEY_BYTES_MAX));
    }

    /// As Google, Microsoft and OpenAI publish them: `prefixes` with `ipv4Prefix` or `ipv6Prefix`.
    @Override
    public List<String> networks(URI list) throws IOException {
        if (!(json(list, "application/json", LIST_BYTES_MAX).get("prefixes")
                instanceof List<?> all)) {
            throw new IOException("there are no prefixes");
        }
        List<String> networks = new ArrayList<>();
        for (Object one : all) {
            if (one instanceof Map<?, ?> prefix) {
                Object four = prefix.get("ipv4Prefix");
                Object network = four == null ? prefix.get("ipv6Prefix") : four;
                if (network instanceof String text) {
                    networks.add(text);
                }
            }
        }
        if (networks.isEmpty() || networks.size() > NETWORKS_MAX) {
            throw new IOException(list + " has " + networks.size() + " networks");
        }
        return networks;
    }

    private static Map<String, Object> json(URI from, String accept, int bytesMax)
            throws IOException {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .connectTimeout(TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(from).timeout(TIMEOUT).header("Accept", accept).build();
            try {
                // The timeout of a request ends with the head of the response.
                HttpResponse<byte[]> response =
                        client.sendAsync(
                                        request,
                                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), bytesMax))
                                .get(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                if (response.statusCode() != OK) {
                    throw new IOException(from + " answers " + response.statusCode());
                }
                return JSON.std.mapFrom(response.body());
            } finally {
                client.shutdownNow();
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(from + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static List<Key> keys(Map<String, Object> set) throws IOException {
        List<Key> keys = new ArrayList<>();
        if (!(set.get("keys") instanceof List<?> all)) {
            throw new IOException("there are no keys");
        }
        for (Object one : all) {
            if (one instanceof Map<?, ?> key
                    && "OKP".equals(key.get("kty"))
                    && "Ed25519".equals(key.get("crv"))
                    && key.get("x") instanceof String x
                    && keys.size() < KEYS_MAX) {
                keys.add(new Key(x, number(key.get("nbf")), number(key.get("exp"))));
            }
        }
        return keys;
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
