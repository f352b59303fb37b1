package io.margay.frameworks.javax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A client with cookies that writes down what it is answered, without what no two servers have
/// alike. Confined to one thread.
final class Visitor implements AutoCloseable {
    private final HttpClient client;
    private final String base;
    private final @Nullable String host;
    private final StringBuilder transcript = new StringBuilder();
    private URI at;
    private String body = "";

    Visitor(String base) {
        this(base, null, null);
    }

    /// @param host as requests name it; null = by its address
    /// @param trusting whom the client trusts; null = as the JDK says
    Visitor(String base, @Nullable String host, @Nullable SSLContext trusting) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .cookieHandler(new CookieManager())
                        .followRedirects(HttpClient.Redirect.NORMAL);
        client = (trusting == null ? builder : builder.sslContext(trusting)).build();
        this.host = host;
        this.base = base;
        at = URI.create(base + "/");
    }

    /// Plays the script of an application on both servers, which must answer it alike.
    static void compare(Application application, Visitor here, Visitor there) throws IOException {
        compare(application.script(), application.expected(), here, there);
    }

    /// @param expected in what Tomcat answers
    static void compare(
            Application.Script script, List<String> expected, Visitor here, Visitor there)
            throws IOException {
        script.play(there);
        script.play(here);
        for (String text : expected) {
            assertTrue(there.transcript().contains(text), there.transcript());
        }
        assertEquals(there.transcript(), here.transcript());
    }

    /// Everything that has been answered.
    String transcript() {
        return transcript.toString();
    }

    String base() {
        return base;
    }

    void get(String path, String... fields) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(at.resolve(path));
        send(fields.length > 0 ? request.headers(fields) : request);
    }

    /// What is answered to a request for a page.
    String answer(String path, String... fields) throws IOException {
        transcript.setLength(0);
        get(path, fields);
        return transcript.toString();
    }

    void post(String path, String type, String content, String... fields) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at.resolve(path))
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(content));
        if (fields.length > 0) {
            request.headers(fields);
        }
        send(request);
    }

    void form(String path, String... namesAndValues) throws IOException {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            form.append(form.isEmpty() ? "" : "&")
                    .append(URLEncoder.encode(namesAndValues[i], StandardCharsets.UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8));
        }
        post(path, "application/x-www-form-urlencoded", form.toString());
    }

    /// The first group of the first match in the last answer.
    String found(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(body);
        if (!matcher.find()) {
            throw new AssertionError(pattern + " is not in " + body);
        }
        return matcher.group(1);
    }

    private void send(HttpRequest.Builder request) throws IOException {
        if (host != null) {
            request.setHeader("Host", host);
        }
        HttpRequest built = request.timeout(Duration.ofSeconds(60)).build();
        try {
            HttpResponse<String> answer = client.send(built, BodyHandlers.ofString());
            at = answer.uri();
            body = answer.body();
            write(built, answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void write(HttpRequest request, HttpResponse<String> answer) {
        boolean own = !body.contains("<h1>HTTP Status") && !body.contains("<!doctype html><html");
        String type =
                answer.headers()
                        .firstValue("Content-Type")
                        .orElse("none")
                        .toLowerCase(Locale.ROOT)
                        .replace(" ", "");
        transcript
                .append(request.method())
                .append(' ')
                .append(plain(request.uri().toString()))
                .append(" -> ")
                .append(answer.statusCode());
        if (own) {
            transcript.append(' ').append(type).append('\n').append(plain(body));
        }
        transcript.append('\n');
    }

    private String plain(String text) {
        return text.replace(base, "BASE")
                .replace(at.getAuthority(), "AUTHORITY")
                .replaceAll("Server port: \\d+", "Server port")
                .replaceAll("\\b[0-9A-F]{32}\\b", "SESSION")
                .replaceAll("(\\w+)@[0-9a-f]{5,8}\\b", "$1")
                .replaceAll(";jsessionid=[0-9A-Za-z.]+", "")
                .replaceAll("-?\\d{9,}:-?\\d{9,}", "STATE")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
                .replaceAll("name=\"(_sourcePage|__fp)\" value=\"[^\"]*\"", "$1")
                .replaceAll("\\\\\"type(Mappings|InheritanceMap)\\\\\" : \\{[^}]*}", "TYPES")
                .replaceAll("\"timestamp\":\"[^\"]*\"", "TIME");
    }

    @Override
    public void close() {
        client.close();
    }
}
