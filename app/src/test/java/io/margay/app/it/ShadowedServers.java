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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `margay shadow` in front of two servers, and browsers that ask it: first for what their pages
/// link to, then again and again for all of that, in sessions. Used by one thread.
final class ShadowedServers implements AutoCloseable {
    private static final Pattern LINK =
            Pattern.compile("(?i)(?:href|src|action)\\s*=\\s*[\"']([^\"'#>{}$\\s]+)");
    private static final int BROWSERS = 4;
    private static final int PAGES_OF_A_SESSION = 40;

    /// Changes something, never ends, or shows the memory of its server or when a session began.
    private static final Pattern LEFT_OUT =
            Pattern.compile(
                    "(?i).*(logout|shutdown|delete|stop|/async/|/forward[.]jsp|SessionExample).*");

    private final ServerProcess shadow;
    private final int port;
    private final int pagesMax;
    private final List<String> pages = new ArrayList<>();

    /// @param pagesMax that are followed
    /// @param options of the command
    ShadowedServers(Path folder, int old, int fresh, int pagesMax, String... options)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("shadow", "0", url(old), url(fresh)));
        words.addAll(List.of("--load", "100%"));
        words.addAll(List.of(options));
        shadow = ServerProcess.margay(folder, words.toArray(String[]::new));
        port = shadow.awaitMargay();
        this.pagesMax = pagesMax;
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /// Follows the links of the pages, one after the other.
    ///
    /// @return how many pages there are
    int follow(List<String> from) throws IOException, InterruptedException {
        Set<String> seen = new LinkedHashSet<>(from);
        Queue<String> next = new ArrayDeque<>(from);
        HttpClient browser = browser();
        while (!next.isEmpty() && pages.size() < pagesMax) {
            String path = next.remove();
            HttpResponse<byte[]> response = get(browser, path);
            pages.add(path);
            links(path, response).stream()
                    .filter(link -> from.stream().anyMatch(link::startsWith) && seen.add(link))
                    .forEach(next::add);
        }
        return pages.size();
    }

    /// Asks for the pages until there were so many requests.
    void browse(int requests, long seed) throws InterruptedException, ExecutionException {
        AtomicInteger left = new AtomicInteger(requests);
        try (ExecutorService browsers = Executors.newFixedThreadPool(BROWSERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < BROWSERS; i++) {
                Random random = new Random(seed + i);
                all.add(
                        browsers.submit(() -> {
                            while (left.get() > 0) {
                                HttpClient browser = browser();
                                for (int page = 0; page < PAGES_OF_A_SESSION; page++) {
                                    if (left.getAndDecrement() > 0) {
                                        get(browser, pages.get(random.nextInt(pages.size())));
                                    }
                                }
                            }
                            return left;
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static HttpClient browser() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
                .build();
    }

    private HttpResponse<byte[]> get(HttpClient browser, String path)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url(port) + path))
                        .timeout(Duration.ofMinutes(2))
                        .header("Accept", "text/html,*/*")
                        .build();
        return browser.send(request, BodyHandlers.ofByteArray());
    }

    private List<String> links(String from, HttpResponse<byte[]> response) {
        List<String> links = new ArrayList<>();
        response.headers().firstValue("Location").ifPresent(to -> add(links, from, to));
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("text/html")) {
            Matcher link = LINK.matcher(new String(response.body(), StandardCharsets.ISO_8859_1));
            while (link.find()) {
                add(links, from, link.group(1).replace("&amp;", "&"));
            }
        }
        return links;
    }

    private void add(List<String> links, String from, String link) {
        try {
            URI base = URI.create(url(port) + from);
            URI to = base.resolve(link.replaceFirst(";jsessionid=[^?#]*", ""));
            String path = to.getRawPath();
            if (path != null
                    && base.getRawAuthority().equals(to.getRawAuthority())
                    && !LEFT_OUT.matcher(path).matches()) {
                links.add(path + (to.getRawQuery() == null ? "" : "?" + to.getRawQuery()));
            }
        } catch (IllegalArgumentException e) {
            return; // Not a link that can be followed.
        }
    }

    /// Ends it.
    ///
    /// @return its report
    List<String> report() throws InterruptedException {
        shadow.terminate();
        return shadow.output();
    }

    @Override
    public void close() {
        shadow.close();
    }
}
