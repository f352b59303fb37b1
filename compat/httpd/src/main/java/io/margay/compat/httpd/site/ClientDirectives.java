package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.plan.ClientLimits;
import io.margay.compat.httpd.plan.ClientLimitsBuilder;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdTime;
import io.margay.protocol.http.PathReading.EncodedSlash;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads how long clients may take, how large their requests may be and how these may be spelt. A
/// connection is not one host's alone: of what hosts say the most holds for all, and sizes are
/// those of the first host at each place, as in httpd. Confined to one reading.
final class ClientDirectives {
    private static final int LINE_DEFAULT = 8190;
    private static final int FIELDS_DEFAULT = 100;

    /// What stands for `LimitRequestFields 0`.
    private static final int FIELDS_MAX = 1000;

    private static final int BYTES_MAX = 1_048_576;

    /// `body=20-40,MinRate=500`.
    private static final Pattern STAGE =
            Pattern.compile("([a-z]+)=([0-9]+)(?:-([0-9]+))?(?:,minrate=([0-9]+))?");

    /// What can be said, each as a number: milliseconds, bytes, or a count.
    private enum Kind {
        PAUSE,
        HEAD,
        IDLE,
        GRACE,
        RATE,
        REQUESTS,
        LINE,
        FIELD,
        FIELDS
    }

    private static final Set<Kind> LIMITING =
            EnumSet.of(Kind.HEAD, Kind.LINE, Kind.FIELD, Kind.FIELDS);

    /// What counts before the host is known.
    private static final Set<Kind> SIZES = EnumSet.of(Kind.LINE, Kind.FIELD, Kind.FIELDS);

    /// @param value less is stricter
    private record Said(HttpdNode node, int value) {}

    private final ReadingContext context;
    private final Map<Kind, Map<HttpdServer, Said>> said = new EnumMap<>(Kind.class);

    /// The sizes about which a first host says nothing.
    private final Set<Kind> byDefault = EnumSet.noneOf(Kind.class);

    ClientDirectives(ReadingContext context) {
        this.context = context;
    }

    private void say(Kind kind, HttpdServer server, HttpdNode node, long value) {
        said.computeIfAbsent(kind, _ -> new LinkedHashMap<>())
                .put(server, new Said(node, (int) Math.min(value, Integer.MAX_VALUE)));
    }

    /// `Timeout`, which is honoured for peers, too.
    void timeout(HttpdNode node, HttpdServer server, Duration time) {
        if (time.isPositive()) {
            say(Kind.PAUSE, server, node, time.toMillis());
        }
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server) {
        switch (directive) {
            case KEEP_ALIVE_TIMEOUT -> {
                Optional<Duration> time = HttpdTime.parse(node.argument(0), 1000);
                if (time.isEmpty()) {
                    context.wrong(node, "\"" + node.argument(0) + "\" is not a number of seconds");
                    return;
                }
                context.honoured(node);
                say(Kind.IDLE, server, node, Math.max(1, time.get().toMillis()));
            }
            case MAX_KEEP_ALIVE_REQUESTS -> {
                int number = number(node);
                if (number >= 0) {
                    context.honoured(node);
                    say(Kind.REQUESTS, server, node, number == 0 ? Integer.MAX_VALUE : number + 1L);
                }
            }
            case LIMIT_REQUEST_LINE -> size(Kind.LINE, node, server);
            case LIMIT_REQUEST_FIELD_SIZE -> size(Kind.FIELD, node, server);
            case LIMIT_REQUEST_FIELDS -> {
                int number = number(node);
                if (number >= 0) {
                    context.honoured(node, number == 0 ? FIELDS_MAX + " are the most" : "");
                    say(Kind.FIELDS, server, node, number == 0 ? FIELDS_MAX : number);
                }
            }
            case REQUEST_READ_TIMEOUT -> stages(node, server);
            case ALLOW_ENCODED_SLASHES -> encodedSlashes(node, server);
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private void encodedSlashes(HttpdNode node, HttpdServer server) {
        switch (node.argument(0).toLowerCase(Locale.ROOT)) {
            case "on" -> server.encodedSlash = EncodedSlash.DECODE;
            case "off" -> server.encodedSlash = EncodedSlash.NOT_FOUND;
            case "nodecode" -> server.encodedSlash = EncodedSlash.PASSTHROUGH;
            default -> {
                context.wrong(node, "write On, Off or NoDecode");
                return;
            }
        }
        context.honoured(node);
    }

    /// The number that a directive says, or -1 where it is none.
    private int number(HttpdNode node) {
        if (!node.argument(0).matches("[0-9]{1,9}")) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a number");
            return -1;
        }
        return Integer.parseInt(node.argument(0));
    }

    private void size(Kind kind, HttpdNode node, HttpdServer server) {
        int bytes = number(node);
        if (bytes > BYTES_MAX) {
            context.changed(node, BYTES_MAX + " bytes are the most");
        } else if (bytes >= 0) {
            context.honoured(node);
        }
        if (bytes >= 0) {
            say(kind, server, node, Math.min(bytes, BYTES_MAX));
        }
    }

    /// `RequestReadTimeout header=20-40,MinRate=500 body=20,MinRate=500`.
    private void stages(HttpdNode node, HttpdServer server) {
        boolean exact = true;
        for (String word : node.arguments()) {
            Matcher stage = STAGE.matcher(word.toLowerCase(Locale.ROOT));
            if (!stage.matches()) {
                context.wrong(node, "\"" + word + "\" is not STAGE=SECONDS[-SECONDS][,MinRate=N]");
                return;
            }
            long seconds = Long.parseLong(stage.group(2));
            switch (stage.group(1)) {
                case "header" -> say(Kind.HEAD, server, node, millis(seconds));
                case "body" -> {
                    String rate = stage.group(4);
                    say(Kind.GRACE, server, node, millis(seconds));
                    say(Kind.RATE, server, node, rate == null ? 0 : Long.parseLong(rate));
                    exact &= seconds == 0 || (rate != null && stage.group(3) == null);
                }
                case "handshake" -> exact &= seconds == 0;
                default -> {
                    context.wrong(node, "\"" + stage.group(1) + "\" is not a stage");
                    return;
                }
            }
        }
        if (exact) {
            context.honoured(node);
        } else {
            context.noted(
                    node,
                    "content must arrive at a rate, which is the only limit of its time; a"
                            + " handshake may take 10 seconds");
        }
    }

    /// No time is a time without end.
    private static long millis(long seconds) {
        return seconds == 0 ? Integer.MAX_VALUE : seconds * 1000;
    }

    /// What holds for all hosts; complains of those that say less.
    ClientLimits build(HttpdConfig config) {
        HttpdServer main = config.main;
        Set<HttpdServer> first = firstHosts(config);
        SIZES.forEach(kind -> ofFirst(kind, first, main));
        Integer pause = most(Kind.PAUSE, 0);
        Integer head = most(Kind.HEAD, 0);
        Integer grace = most(Kind.GRACE, 0);
        boolean endless = head != null && head == Integer.MAX_VALUE;
        return ClientLimitsBuilder.builder()
                .pause(time(pause))
                .head(time(endless ? pause : head))
                .idle(time(most(Kind.IDLE, 0)))
                .bodyGrace(time(grace))
                .bodyRate(least(main))
                .requests(most(Kind.REQUESTS, 0))
                .lineBytes(most(Kind.LINE, LINE_DEFAULT))
                .fieldBytes(most(Kind.FIELD, LINE_DEFAULT))
                .fields(most(Kind.FIELDS, FIELDS_DEFAULT))
                .build();
    }

    /// The hosts whose sizes count: the first at each place, and the main server where none is.
    private static Set<HttpdServer> firstHosts(HttpdConfig config) {
        Map<String, HttpdServer> first = new LinkedHashMap<>();
        for (HttpdServer server : config.servers) {
            server.addresses.forEach(address -> first.putIfAbsent(address, server));
        }
        boolean everywhere =
                !config.listens.isEmpty()
                        && config.listens.stream()
                                .map(listen -> "*:" + listen.plan().port())
                                .allMatch(first::containsKey);
        Set<HttpdServer> hosts = new LinkedHashSet<>(first.values());
        if (!everywhere && !first.containsKey("*")) {
            hosts.add(config.main);
        }
        return hosts;
    }

    /// Leaves of a size what the first hosts say: those without a word, or with 0, have what the
    /// main server says.
    private void ofFirst(Kind kind, Set<HttpdServer> first, HttpdServer main) {
        Map<HttpdServer, Said> all = said.getOrDefault(kind, Map.of());
        Map<HttpdServer, Said> counting = new LinkedHashMap<>();
        Said ofMain = all.get(main);
        for (HttpdServer server : first) {
            Said own = all.get(server);
            Said one = own == null || own.node.argument(0).matches("0+") ? ofMain : own;
            if (one == null) {
                byDefault.add(kind);
            } else {
                counting.put(server, one);
            }
        }
        all.forEach((server, one) -> {
            if (server != main && !first.contains(server)) {
                context.noted(
                        one.node, "has no effect, as in httpd: the first host at a place counts");
            }
        });
        said.put(kind, counting);
    }

    private static @Nullable Duration time(@Nullable Integer millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /// @param httpds what holds where nothing is said
    private @Nullable Integer most(Kind kind, int httpds) {
        Map<HttpdServer, Said> all = said.getOrDefault(kind, Map.of());
        if (all.isEmpty()) {
            return null;
        }
        int most = byDefault.contains(kind) ? httpds : 0;
        for (Said one : all.values()) {
            most = Math.max(most, one.value);
        }
        for (Said one : new LinkedHashSet<>(all.values())) {
            if (one.value < most) {
                String text =
                        "a connection is not one host's alone: "
                                + most
                                + (kind.compareTo(Kind.GRACE) <= 0 ? " ms" : "")
                                + ", the largest value, applies to all hosts";
                if (LIMITING.contains(kind)) {
                    context.changed(one.node, text);
                } else {
                    context.noted(one.node, text);
                }
            }
        }
        return most;
    }

    private @Nullable Integer least(HttpdServer main) {
        Map<HttpdServer, Said> all = said.getOrDefault(Kind.RATE, Map.of());
        Said ofMain = all.get(main);
        return all.isEmpty()
                ? null
                : ofMain != null
                        ? (Integer) ofMain.value
                        : (Integer)
                                all.values().stream().mapToInt(one -> one.value).min().getAsInt();
    }
}
