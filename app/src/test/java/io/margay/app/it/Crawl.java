package io.margay.app.it;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks two servers for the pages of one application, and compares: from its root on, what the
/// pages of the first one link to. Used by one thread.
final class Crawl {
    private static final int URLS_MAX = 40;
    private static final Pattern LINK =
            Pattern.compile("(?i)(?:href|src|action)\\s*=\\s*[\"']([^\"'#>{}$\\s]+)");
    private static final String CONTEXT = "/app/";

    private final int first;
    private final int second;
    private final HttpClient ofFirst = client();
    private final HttpClient ofSecond = client();

    /// @param urls that were asked for
    /// @param differences a line each
    record Result(int urls, List<String> differences) {}

    Crawl(int first, int second) {
        this.first = first;
        this.second = second;
    }

    private static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
                .build();
    }

    /// What a server answers for the root of the application.
    static int status(int port) throws InterruptedException {
        return ask(client(), port, CONTEXT).status();
    }

    Result run() throws InterruptedException {
        List<String> differences = new ArrayList<>();
        Queue<String> next = new ArrayDeque<>(List.of(CONTEXT));
        Set<String> seen = new LinkedHashSet<>(next);
        int urls = 0;
        while (!next.isEmpty() && urls < URLS_MAX) {
            String path = next.remove();
            urls++;
            Answer one = ask(ofFirst, first, path);
            Answer other = ask(ofSecond, second, path);
            one.difference(other).ifPresent(said -> differences.add(path + " " + said));
            for (String link : one.links(path)) {
                if (seen.size() < 10 * URLS_MAX && seen.add(link)) {
                    next.add(link);
                }
            }
        }
        return new Result(urls, differences);
    }

    private static Answer ask(HttpClient client, int port, String path)
            throws InterruptedException {
        try {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            HttpRequest request =
                    HttpRequest.newBuilder(uri)
                            .timeout(Duration.ofSeconds(120))
                            .header("Accept", "text/html,*/*")
                            .build();
            return Answer.of(client.send(request, BodyHandlers.ofByteArray()), port);
        } catch (IOException | IllegalArgumentException e) {
            return new Answer(0, "", "", "no answer: " + e.getClass().getSimpleName(), "");
        }
    }

    /// What is compared of an answer.
    ///
    /// @param body as it came
    /// @param plain without what is another each time
    private record Answer(int status, String type, String location, String body, String plain) {
        static Answer of(HttpResponse<byte[]> response, int port) {
            String body = new String(response.body(), StandardCharsets.ISO_8859_1);
            return new Answer(
                    response.statusCode(),
                    response.headers()
                            .firstValue("Content-Type")
                            .orElse("")
                            .replaceAll("\\s", "")
                            .toLowerCase(java.util.Locale.ROOT),
                    plain(response.headers().firstValue("Location").orElse(""), port)
                            .replaceFirst("^http://HOST", ""),
                    body,
                    plain(body, port));
        }

        private static String plain(String text, int port) {
            return text.replace("127.0.0.1:" + port, "HOST")
                    .replaceAll("(?i);jsessionid=[^\"'?&#\\s<]*", "")
                    .replaceAll("[0-9A-Fa-f]{16,}", "ID")
                    .replaceAll("(Apache Tomcat|Margay)/[0-9.]+", "SERVER")
                    .replaceAll("@[0-9a-f]{5,8}", "@ID")
                    .replaceAll("[0-9]+", "0")
                    .replaceAll("\\s+", " ");
        }

        java.util.Optional<String> difference(Answer other) {
            if (status != other.status) {
                return java.util.Optional.of("status " + status + ", here " + other.status);
            }
            if (!location.equals(other.location)) {
                return java.util.Optional.of("to " + location + ", here " + other.location);
            }
            if (status >= 400) {
                return java.util.Optional.empty();
            }
            if (!type.equals(other.type)) {
                return java.util.Optional.of("type " + type + ", here " + other.type);
            }
            if (!plain.equals(other.plain)) {
                int at = 0;
                int end = Math.min(plain.length(), other.plain.length());
                while (at < end && plain.charAt(at) == other.plain.charAt(at)) {
                    at++;
                }
                return java.util.Optional.of(
                        "content \""
                                + part(plain, at)
                                + "\", here \""
                                + part(other.plain, at)
                                + "\"");
            }
            return java.util.Optional.empty();
        }

        private static String part(String text, int at) {
            return text.substring(Math.max(0, at - 20), Math.min(text.length(), at + 60));
        }

        /// Paths of the application that the page, or the redirect, leads to.
        List<String> links(String from) {
            List<String> links = new ArrayList<>();
            if (!location.isEmpty()) {
                add(links, from, location);
            }
            if (type.startsWith("text/html")) {
                Matcher link = LINK.matcher(body);
                while (link.find()) {
                    add(links, from, link.group(1).replace("&amp;", "&"));
                }
            }
            return links;
        }

        private static void add(List<String> links, String from, String link) {
            try {
                URI uri =
                        URI.create("http://HOST" + from)
                                .resolve(link.replaceFirst(";jsessionid=[^?#]*", ""));
                String path = uri.getRawPath();
                if ("HOST".equals(uri.getHost())
                        && path != null
                        && path.startsWith(CONTEXT)
                        && !path.matches("(?i).*(logout|shutdown|delete|stop).*")) {
                    links.add(path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()));
                }
            } catch (IllegalArgumentException e) {
                return; // Not a link that can be followed.
            }
        }
    }
}
