package io.margay.login.oidc;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks a provider: without following redirections, within a time for the whole answer, and no more
/// than so many octets of it. Thread-safe; waits.
final class ProviderCalls implements HTTPRequestSender, ResourceRetriever {
    private final HttpClient client;
    private final Duration timeout;
    private final int bytesMax;
    private final LoginCounters counters;

    ProviderCalls(Duration timeout, int bytesMax, LoginCounters counters) {
        this.counters = counters;
        this.timeout = timeout;
        this.bytesMax = bytesMax;
        client =
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        HttpResponse<byte[]> answer = send(request(URI.create(url.toString())).GET().build());
        if (answer.statusCode() != 200) {
            throw new IOException(url + " answers " + answer.statusCode());
        }
        return new Resource(new String(answer.body(), StandardCharsets.UTF_8), "application/json");
    }

    @Override
    public ReadOnlyHTTPResponse send(ReadOnlyHTTPRequest asked) throws IOException {
        HttpRequest.Builder request = request(asked.getURI());
        asked.getHeaderMap()
                .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        String body = asked.getBody() == null ? "" : asked.getBody();
        request.method(asked.getMethod().name(), HttpRequest.BodyPublishers.ofString(body));
        HttpResponse<byte[]> answer = send(request.build());
        if (answer.statusCode() >= 500) {
            throw new IOException(asked.getURI() + " answers " + answer.statusCode());
        }
        HTTPResponse made = new HTTPResponse(answer.statusCode());
        answer.headers()
                .map()
                .forEach((name, values) -> made.setHeader(name, values.toArray(String[]::new)));
        made.setBody(new String(answer.body(), StandardCharsets.UTF_8));
        return made;
    }

    private HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(timeout).header("Accept", "application/json");
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        long start = System.nanoTime();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(
                        request,
                        HttpResponse.BodyHandlers.limiting(
                                HttpResponse.BodyHandlers.ofByteArray(), bytesMax));
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException(request.uri() + " does not answer: " + e.getCause(), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(request.uri() + " does not answer in " + timeout, e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            counters.called(System.nanoTime() - start);
        }
    }
}
