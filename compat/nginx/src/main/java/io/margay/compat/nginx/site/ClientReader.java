package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where clients are behind other proxies: `set_real_ip_from` and its like; and how much each may
/// ask for: `limit_req`, `limit_conn`, `limit_rate` and their like. Confined to one reading.
final class ClientReader {
    /// What rates are counted in, as nginx counts them.
    private static final long MILLI = 1000;

    private static final int CONNECTIONS_MAX = 65_535;
    private static final int BURST_MAX = 1_000_000;

    private final Reading reading;
    private final Variables variables;
    private final List<RequestLimit> limits = new ArrayList<>();

    ClientReader(Reading reading, Variables variables) {
        this.reading = reading;
        this.variables = variables;
    }

    /// What counts requests: those in a time, or those in flight.
    private enum Kind {
        REQ,
        CONN;

        String directive() {
            return "limit_" + name().toLowerCase(Locale.ROOT);
        }

        /// The variable with the block whose limits a request has come to first.
        String variable() {
            return "nginx." + directive();
        }

        /// The one that says that others do not count any more.
        String over() {
            return variable() + "_over";
        }
    }

    /// A zone.
    ///
    /// @param key template of what is counted
    /// @param milli requests in 1000 seconds; 0 = it has no rate
    private record Zone(Kind kind, String name, String key, long milli) {
        String variable() {
            return kind.variable() + "." + name;
        }

        long intervalNanos() {
            return Duration.ofSeconds(MILLI).toNanos() / milli;
        }
    }

    /// The limits of the locations so far, those on requests in a time first.
    List<RequestLimit> limits() {
        List<RequestLimit> sorted = new ArrayList<>(limits);
        sorted.sort(Comparator.comparing((RequestLimit one) -> one.rate() == null));
        return sorted;
    }

    /// Whether requests are counted in a block.
    static boolean limits(Scope scope) {
        return Stream.of(Kind.values())
                .anyMatch(kind -> !scope.nearest(kind.directive()).isEmpty());
    }

    /// Has a request that comes to the content of a block counted by its limits, unless it has come
    /// to others before.
    void limit(Scope scope, Program program) {
        for (Kind kind : Kind.values()) {
            Set<String> seen = new HashSet<>();
            for (NginxNode node : scope.nearest(kind.directive())) {
                try {
                    limit(node, scope, kind, program, seen);
                } catch (Variables.Unknown | IllegalArgumentException e) {
                    reading.wrong(node, String.valueOf(e.getMessage()));
                }
            }
            if (!seen.isEmpty()) {
                program.set(
                        PathMatch.ANY,
                        List.of(Conditions.is("%{ENV:" + kind.variable() + "}", ".")),
                        List.of(new Assignment(kind.over(), "1")));
            }
        }
    }

    private void limit(NginxNode node, Scope scope, Kind kind, Program program, Set<String> seen)
            throws Variables.Unknown {
        List<String> words = node.words();
        String name =
                kind == Kind.CONN
                        ? words.getFirst()
                        : words.stream()
                                .filter(word -> word.startsWith("zone="))
                                .map(word -> word.substring(word.indexOf('=') + 1))
                                .findFirst()
                                .orElse("");
        if (!seen.add(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is duplicate");
        }
        Zone zone = zone(scope, kind, name);
        String id = Integer.toString(scope.id());
        program.set(
                PathMatch.ANY,
                List.of(
                        Conditions.is("%{ENV:" + kind.over() + "}", "^$"),
                        Conditions.is(zone.key, ".")),
                List.of(
                        new Assignment(kind.variable(), id),
                        new Assignment(zone.variable(), zone.key)));
        String word = scope.word(kind.directive() + "_status", "503");
        if (!word.matches("[45][0-9]{2}")) {
            throw new IllegalArgumentException("value must be between 400 and 599");
        }
        limits.add(
                new RequestLimit(
                        limitName(zone),
                        List.of(Conditions.has(kind.variable(), id)),
                        new LimitKey.Zone(
                                zone.variable(),
                                "%{ENV:" + zone.variable() + "}",
                                Integer.parseInt(word)),
                        rate(words, zone),
                        kind == Kind.CONN ? connections(words.get(1)) : 0,
                        queue(words, zone),
                        scope.isOn(kind.directive() + "_dry_run", false)));
    }

    private String limitName(Zone zone) {
        String plain = zone.name.replaceAll("[^A-Za-z0-9_.-]", "_");
        String name =
                zone.kind.directive() + "-" + plain.substring(0, Math.min(plain.length(), 40));
        long alike = limits.stream().filter(one -> one.name().startsWith(name)).count();
        return alike == 0 ? name : name + "-" + (alike + 1);
    }

    private static RequestLimit.@Nullable Rate rate(List<String> words, Zone zone) {
        return zone.milli == 0
                ? null
                : new RequestLimit.Rate(
                        Math.toIntExact(zone.milli),
                        Duration.ofSeconds(MILLI),
                        early(words) + 1,
                        false);
    }

    private static Duration queue(List<String> words, Zone zone) {
        return zone.milli == 0
                ? Duration.ZERO
                : Duration.ofNanos((burst(words) - early(words)) * zone.intervalNanos());
    }

    private static int burst(List<String> words) {
        return number(words, "burst=", 0);
    }

    /// How many of the burst do not wait.
    private static int early(List<String> words) {
        int burst = burst(words);
        return words.contains("nodelay") ? burst : Math.min(burst, number(words, "delay=", 0));
    }

    private static int number(List<String> words, String prefix, int otherwise) {
        int found = otherwise;
        for (String word : words) {
            boolean known =
                    word.startsWith("zone=")
                            || word.equals("nodelay")
                            || word.matches("(?:burst|delay)=[0-9]{1,7}");
            if (!known) {
                throw new IllegalArgumentException("invalid parameter \"" + word + "\"");
            }
            if (word.startsWith(prefix)) {
                found = Math.min(BURST_MAX, Integer.parseInt(word.substring(prefix.length())));
            }
        }
        return found;
    }

    private static int connections(String word) {
        int most = word.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(word) : 0;
        if (most < 1 || most > CONNECTIONS_MAX) {
            throw new IllegalArgumentException("invalid number of connections \"" + word + "\"");
        }
        return most;
    }

    /// Reads the zone of a name.
    private Zone zone(Scope scope, Kind kind, String name) throws Variables.Unknown {
        for (NginxNode node : scope.nearest(kind.directive() + "_zone")) {
            String own = "";
            long milli = 0;
            for (String word : node.words().subList(1, node.words().size())) {
                if (word.startsWith("zone=")) {
                    own = word.substring("zone=".length()).replaceFirst(":.*", "");
                } else if (word.startsWith("rate=") && kind == Kind.REQ) {
                    milli = milli(word);
                } else {
                    throw new IllegalArgumentException("invalid parameter \"" + word + "\"");
                }
            }
            if (own.equals(name)) {
                // Addresses are told apart by either.
                String key = node.word(0).replace("$binary_remote_addr", "$remote_addr");
                return new Zone(
                        kind,
                        name,
                        variables.template(key),
                        kind == Kind.CONN ? 0 : milli == 0 ? MILLI : milli);
            }
        }
        throw new IllegalArgumentException("zero size shared memory zone \"" + name + "\"");
    }

    private static long milli(String word) {
        if (!word.matches("rate=[1-9][0-9]{0,5}r/[sm]")) {
            throw new IllegalArgumentException("invalid rate \"" + word + "\"");
        }
        String digits = word.substring("rate=".length(), word.indexOf('r', "rate=".length()));
        return Long.parseLong(digits) * MILLI / (word.endsWith("s") ? 1 : 60);
    }

    /// How fast responses are sent.
    List<BandwidthRule> bandwidth(List<Scope> scopes) {
        Map<BandwidthRule.Fixed, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            BandwidthRule.Fixed speed =
                    new BandwidthRule.Fixed(
                            bytes(scope.last("limit_rate")), bytes(scope.last("limit_rate_after")));
            if (speed.bytesPerSecond() > 0) {
                alike.computeIfAbsent(speed, _ -> new ArrayList<>()).add(scope.id());
            }
        }
        List<BandwidthRule> rules = new ArrayList<>();
        alike.forEach((speed, ids) ->
                rules.add(new BandwidthRule(PathMatch.ANY, Conditions.at(ids), speed)));
        return rules;
    }

    private long bytes(@Nullable NginxNode node) {
        if (node == null) {
            return 0;
        }
        if (Variables.isIn(node.word(0))) {
            reading.changed(node, "with variables nothing is sent more slowly");
            return 0;
        }
        Long bytes = Units.bytes(node.word(0));
        if (bytes == null) {
            reading.wrong(node, "invalid value \"" + node.word(0) + "\"");
            return 0;
        }
        return bytes;
    }

    /// From whom a server believes where its clients are; null = nobody.
    ///
    /// @param inner its locations, which have to say the same
    @Nullable ClientAddress of(Scope server, List<Scope> inner) {
        for (Scope one : inner) {
            for (String name : List.of("set_real_ip_from", "real_ip_header", "real_ip_recursive")) {
                if (!one.equals(server)) {
                    one.own(name).forEach(node -> reading.wrong(node, "is read for servers alone"));
                }
            }
        }
        List<NginxNode> nodes = server.nearest("set_real_ip_from");
        NginxNode field = server.last("real_ip_header");
        boolean recursive = server.isOn("real_ip_recursive", false);
        List<String> trusted = new ArrayList<>();
        for (NginxNode node : nodes) {
            String word = node.word(0);
            if (word.equals("unix:")) {
                reading.noted(node, "clients come by TCP");
            } else if (Network.parse(word).isPresent()) {
                trusted.add(word);
            } else {
                reading.wrong(node, "is translated for addresses and networks: \"" + word + "\"");
            }
        }
        String name = field == null ? "X-Real-IP" : field.word(0);
        if (name.toLowerCase(Locale.ROOT).equals("proxy_protocol")) {
            if (field != null) {
                reading.wrong(field, "proxy_protocol is not translated");
            }
            return null;
        }
        return trusted.isEmpty()
                ? null
                : new ClientAddress(name, List.of(), trusted, null, recursive ? 0 : 1, true);
    }
}
