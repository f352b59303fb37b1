package io.margay.app.shadow;

import io.margay.compat.account.Meeting.Example;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Requests that are made up where there are no clients: what the configuration names and what a
/// log has, then the links of the pages that come back. One at a time, GET alone, without cookies.
/// Confined to one thread.
final class MadeTraffic {
    /// Pages beyond are not asked for.
    static final int REQUESTS_MAX = 2_000;

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int PAGE_BYTES_MAX = 1 << 20;
    private static final int BUFFER_BYTES = 1 << 16;

    /// A response that goes on longer is left, such as a stream of events.
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int URL_CHARS_MAX = 2_000;

    /// Each repetition ends at the next quote.
    private static final Pattern LINK =
            Pattern.compile("(?i)\\b(?:href|src)\\s*+=\\s*+(?:\"([^\"<>]*+)\"|'([^'<>]*+)')");

    private static final Pattern LOCATION = Pattern.compile("(?im)^location:[ \\t]*+([^\\r\\n]++)");

    /// Links of that sort may change something.
    private static final Pattern UNSAFE =
            Pattern.compile(
                    "(?i)log-?out|sign-?out|delete|remove|unsubscribe|drop|destroy|kill|stop");

    private final int port;
    private final BooleanSupplier over;
    private final ArrayDeque<Example> next = new ArrayDeque<>();
    private final Set<Example> known = new HashSet<>();

    /// @param port of the loopback
    /// @param over whether to end early
    MadeTraffic(int port, BooleanSupplier over) {
        this.port = port;
        this.over = over;
    }

    /// What is asked for first.
    void add(String host, String target) {
        Example one = new Example(host, target);
        if (known.size() < REQUESTS_MAX && !UNSAFE.matcher(target).find() && known.add(one)) {
            next.add(one);
        }
    }

    /// Asks for all, and for what they lead to.
    ///
    /// @return how many were answered
    int run() {
        int answered = 0;
        for (Example one = next.poll(); one != null && !over.getAsBoolean(); one = next.poll()) {
            try {
                String page = get(one);
                answered += page.startsWith("HTTP/1.") ? 1 : 0;
                follow(one, page);
            } catch (IOException e) {
                // Compared with what the new server does, which the report says.
            }
        }
        return answered;
    }

    private String get(Example one) throws IOException {
        try (Socket socket = new Socket()) {
            InetAddress here = InetAddress.getLoopbackAddress();
            socket.connect(new InetSocketAddress(here, port), (int) WAIT.toMillis());
            socket.setSoTimeout((int) WAIT.toMillis());
            String host = one.host().isEmpty() ? "127.0.0.1:" + port : one.host();
            String head =
                    "GET "
                            + one.path()
                            + " HTTP/1.0\r\nHost: "
                            + host
                            + "\r\nUser-Agent: margay-move\r\nAccept: text/html,*/*\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            return beginning(socket.getInputStream());
        }
    }

    /// The beginning of a response. The rest is read, too: a client that leaves is a difference.
    private static String beginning(InputStream in) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        long end = System.nanoTime() + LONGEST.toNanos();
        int count = in.read(buffer);
        while (count >= 0 && System.nanoTime() - end < 0) {
            page.write(buffer, 0, Math.min(count, PAGE_BYTES_MAX - page.size()));
            count = in.read(buffer);
        }
        return page.toString(StandardCharsets.ISO_8859_1);
    }

    private void follow(Example from, String page) {
        int end = page.indexOf("\r\n\r\n");
        String head = end < 0 ? page : page.substring(0, end);
        Matcher location = LOCATION.matcher(head);
        if (location.find()) {
            add(from, location.group(1));
        }
        if (end >= 0 && head.toLowerCase(Locale.ROOT).contains("\ncontent-type: text/html")) {
            Matcher links = LINK.matcher(page);
            while (links.find()) {
                String quoted = links.group(1);
                add(from, quoted == null ? links.group(2) : quoted);
            }
        }
    }

    private void add(Example from, String link) {
        String plain = link.replace("&amp;", "&").replaceFirst("#.*", "").strip();
        if (plain.isEmpty() || plain.length() > URL_CHARS_MAX) {
            return;
        }
        try {
            URI base = URI.create("http://" + authority(from) + from.path());
            URI to = base.resolve(plain);
            boolean web = List.of("http", "https").contains(String.valueOf(to.getScheme()));
            if (web && authority(from).equalsIgnoreCase(String.valueOf(to.getRawAuthority()))) {
                String path =
                        to.getRawPath() == null || to.getRawPath().isEmpty()
                                ? "/"
                                : to.getRawPath();
                String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
                add(from.host(), path + query);
            }
        } catch (IllegalArgumentException e) {
            // A link that no browser could follow.
        }
    }

    private String authority(Example one) {
        return one.host().isEmpty() ? "127.0.0.1:" + port : one.host();
    }
}
