package io.margay.app.it;

import io.margay.app.it.PageList.Page;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/// One of two servers that are asked for the same pages, with its cookies. Thread-safe, but for
/// pages of the same jar.
final class AskedServer implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final PageList list;
    private final int port;
    private final Map<String, Map<String, String>> jars = new ConcurrentHashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    AskedServer(PageList list, int port) {
        this.list = list;
        this.port = port;
    }

    private String authority() {
        return "127.0.0.1:" + port;
    }

    /// Status, the fields to compare and the body as one text, without what may differ.
    Future<String> ask(Page page) {
        return threads.submit(() -> answer(page));
    }

    private String answer(Page page) throws InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + authority() + page.path))
                        .timeout(ANSWER_MAX)
                        .header("User-Agent", "a comparison of pages");
        page.headers.forEach(header -> request.header(header[0], header[1]));
        Map<String, String> jar =
                page.jar == null
                        ? new LinkedHashMap<>()
                        : jars.computeIfAbsent(page.jar, name -> new LinkedHashMap<>());
        if (!jar.isEmpty()) {
            StringBuilder cookies = new StringBuilder();
            jar.forEach((name, value) -> cookies.append("; ").append(name + "=" + value));
            request.header("Cookie", cookies.substring(2));
        }
        request.method(
                page.method,
                page.body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(page.body));
        try {
            HttpResponse<byte[]> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            keepCookies(response, jar);
            return comparable(page, text(page, response), jar);
        } catch (IOException e) {
            return "no answer: " + e;
        }
    }

    private static void keepCookies(HttpResponse<byte[]> response, Map<String, String> jar) {
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            String pair = cookie.split(";", 2)[0];
            int equals = pair.indexOf('=');
            jar.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
    }

    private String text(Page page, HttpResponse<byte[]> response) {
        StringBuilder text = new StringBuilder("status " + response.statusCode() + "\n");
        if (page.statusOnly) {
            return text.toString();
        }
        for (String name : list.headers()) {
            for (String value : response.headers().allValues(name)) {
                text.append(name).append(": ").append(shown(name, value)).append('\n');
            }
        }
        // One character per byte, so that a wrong encoding differs.
        String body = new String(response.body(), StandardCharsets.ISO_8859_1);
        return text.append('\n').append(body.replace("\r\n", "\n")).toString();
    }

    /// Attributes of a cookie have no order, and neither blanks nor case count in the parameters of
    /// a type.
    private static String shown(String name, String value) {
        if (name.equals("Content-Type")) {
            return value.replace(" ", "").toLowerCase(Locale.ROOT);
        }
        if (name.equals("Set-Cookie")) {
            String[] attributes = value.split("; *");
            Arrays.sort(attributes, 1, attributes.length);
            return String.join("; ", attributes);
        }
        return value;
    }

    private String comparable(Page page, String text, Map<String, String> jar) {
        String session = jar.get("JSESSIONID");
        String same = session == null ? text : text.replace(session, "SESSION");
        same = same.replace("http://" + authority(), "BASE").replace(authority(), "HOST:PORT");
        same = same.replaceAll("\\b" + port + "\\b", "PORT");
        same = same.replaceAll("\"requestId\":\"[^\"]*\"", "\"requestId\":\"ID\"");
        for (Pattern pattern : list.drops()) {
            same = pattern.matcher(same).replaceAll("");
        }
        for (Pattern pattern : page.hides) {
            same = pattern.matcher(same).replaceAll("*");
        }
        return page.sortLines ? same.lines().sorted().reduce("", (a, b) -> a + "\n" + b) : same;
    }

    @Override
    public void close() {
        threads.close();
        client.close();
    }
}
