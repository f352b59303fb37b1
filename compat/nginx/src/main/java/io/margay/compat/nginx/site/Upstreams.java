package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfig.Failures;
import io.margay.gateway.config.PeerConfig.Share;
import io.margay.gateway.config.PeerConfig.Timeouts;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The upstreams of the files: their `upstream` blocks, and one for each other address that is
/// passed on to. Confined to one reading.
final class Upstreams {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final Pattern HASH_NAMED = Pattern.compile("\\$(cookie|http)_([A-Za-z0-9_]+)");

    private final Reading reading;
    private final Map<String, Scope> blocks = new LinkedHashMap<>();
    private final Map<Key, UpstreamConfig> made = new LinkedHashMap<>();

    /// How members are spoken to.
    ///
    /// @param authority name of a block, or host and port
    record Key(PeerScheme scheme, String authority, Timeouts timeouts, int tries) {}

    Upstreams(Reading reading) {
        this.reading = reading;
    }

    void add(NginxNode node, Scope http) {
        String name = node.word(0).toLowerCase(Locale.ROOT);
        node.asked();
        if (blocks.putIfAbsent(name, new Scope(-1, http, node, node.block())) != null) {
            reading.wrong(node, "duplicate upstream \"" + name + "\"");
        } else if (blocks.get(name).own("server").isEmpty()) {
            reading.wrong(node, "no servers are inside upstream");
        }
    }

    /// Whether a block has this name.
    boolean isNamed(String authority) {
        return blocks.containsKey(authority.toLowerCase(Locale.ROOT));
    }

    List<UpstreamConfig> all() {
        return List.copyOf(made.values());
    }

    /// The name of the upstream of an address; null where it is none.
    @Nullable String named(Key key, NginxNode by) {
        UpstreamConfig known = made.get(key);
        if (known != null) {
            return known.name();
        }
        Scope block = blocks.get(key.authority.toLowerCase(Locale.ROOT));
        String base =
                key.authority.replaceAll("[^A-Za-z0-9_.-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
        String name = base;
        for (int i = 2; isTaken(name); i++) {
            name = base + "-" + i;
        }
        List<PeerConfig> peers = new ArrayList<>();
        if (block == null) {
            PeerConfig peer = peer(key, key.authority, by);
            if (peer == null) {
                return null;
            }
            peers.add(peer);
        } else {
            members(key, block, peers);
        }
        if (peers.isEmpty()) {
            return null;
        }
        UpstreamConfig plain =
                UpstreamConfig.of(name, peers)
                        .withSticky(UpstreamConfig.Sticky.none())
                        .withDialect(BalanceDialect.NGINX);
        UpstreamConfig config = block == null ? plain : balanced(plain, block);
        made.put(key, config.withTolerance(key.tries, config.escalation(), 0));
        return name;
    }

    private boolean isTaken(String name) {
        return made.values().stream().anyMatch(one -> one.name().equals(name));
    }

    private void members(Key key, Scope block, List<PeerConfig> to) {
        for (NginxNode node : block.own("server")) {
            PeerConfig peer = peer(key, node.word(0), node);
            if (peer != null) {
                PeerConfig member = member(peer, node);
                boolean twice = to.stream().anyMatch(one -> one.name().equals(member.name()));
                if (twice) {
                    reading.changed(node, "is named twice, and counts once");
                } else {
                    to.add(member);
                }
            }
        }
    }

    private UpstreamConfig balanced(UpstreamConfig config, Scope block) {
        UpstreamConfig made = config;
        for (String name : List.of("ip_hash", "hash", "least_conn", "random")) {
            for (NginxNode node : block.own(name)) {
                made =
                        switch (name) {
                            case "least_conn" -> config.withMethod(BalanceMethod.BUSYNESS);
                            case "random" -> config.withMethod(BalanceMethod.TWO_CHOICES);
                            default -> hashed(config, node);
                        };
            }
        }
        block.own("keepalive").forEach(node -> reading.noted(node, "connections are kept"));
        block.own("zone")
                .forEach(node -> reading.noted(node, "all connections share what is known"));
        return made;
    }

    /// By what nginx tells requests apart, where that is one thing that `hash-by` knows.
    private UpstreamConfig hashed(UpstreamConfig config, NginxNode node) {
        boolean address = node.name().equals("ip_hash");
        HashKey key = address ? HashKey.client() : hashKey(node.word(0));
        if (key == null) {
            reading.changed(
                    node,
                    "requests go to members in turn, for "
                            + node.word(0)
                            + " is not one of what hash-by knows");
            return config.withMethod(BalanceMethod.REQUESTS);
        }
        String client = "clients are distinguished by their whole addresses; ";
        reading.changed(
                node,
                (address ? client : "")
                        + "a key goes to another member than nginx sends it to, and what is above"
                        + " 1.25 × a member's share to the next one: where sessions must stay, keep"
                        + " them by a cookie (margay migrate, then sticky)");
        return config.withMethod(BalanceMethod.HASH).withHashBy(key);
    }

    private static @Nullable HashKey hashKey(String text) {
        Matcher named = HASH_NAMED.matcher(text);
        if (named.matches()) {
            String name = named.group(2);
            return named.group(1).equals("cookie")
                    ? HashKey.of("cookie " + name)
                    : HashKey.of("header " + name.replace('_', '-'));
        }
        return switch (text) {
            case "$remote_addr", "$binary_remote_addr" -> HashKey.client();
            case "$uri", "$document_uri" -> HashKey.of("path");
            default -> null;
        };
    }

    private @Nullable PeerConfig peer(Key key, String authority, NginxNode node) {
        try {
            if (authority.startsWith("unix:")) {
                String path = authority.substring("unix:".length()).replaceFirst(":$", "");
                PeerUrl url = PeerUrl.parse(key.scheme.word() + "+unix:" + path);
                return configured(key, url.address());
            }
            boolean port = authority.matches(".*:[0-9]+");
            String whole =
                    port ? authority : authority + ":" + (key.scheme.isSecure() ? HTTPS : HTTP);
            PeerUrl url = PeerUrl.parse(key.scheme.word() + "://" + whole);
            return configured(key, url.address());
        } catch (IllegalArgumentException e) {
            reading.wrong(node, "host not found in \"" + authority + "\": " + e.getMessage());
            return null;
        }
    }

    private static PeerConfig configured(Key key, PeerAddress address) {
        PeerConfig made = PeerConfig.of(address.toString(), address).withTimeouts(key.timeouts);
        if (key.scheme == PeerScheme.FCGI) {
            // Programs such as php-fpm serve one connection with one process.
            made =
                    made.withPool(
                            new PeerConfig.Pool(
                                    0,
                                    0,
                                    Duration.ofSeconds(60),
                                    Duration.ofSeconds(5),
                                    false,
                                    Duration.ZERO));
        }
        return made.withTls(new PeerConfig.Tls(false, null, null, List.of()))
                .withFailures(failures(Duration.ofSeconds(10)));
    }

    private static Failures failures(Duration recover) {
        Failures own = Failures.defaults();
        return new Failures(
                1, own.retryInterval(), recover, own.recoveryOptions(), List.of(), List.of());
    }

    private PeerConfig member(PeerConfig peer, NginxNode node) {
        Share share = peer.share();
        PeerConfig made = peer;
        for (String word : node.words().subList(1, node.words().size())) {
            int equals = word.indexOf('=');
            String value = word.substring(equals + 1);
            String name = equals < 0 ? word : word.substring(0, equals);
            boolean number = value.matches("[0-9]{1,6}");
            switch (name) {
                case "weight", "max_conns", "max_fails" -> {
                    if (!number || (name.equals("weight") && value.equals("0"))) {
                        reading.wrong(node, "invalid parameter \"" + word + "\"");
                        return made;
                    }
                    share = numbered(share, name, Integer.parseInt(value), node);
                }
                case "fail_timeout" -> {
                    Duration time = Units.time(value);
                    if (time == null) {
                        reading.wrong(node, "invalid parameter \"" + word + "\"");
                        return made;
                    }
                    made = made.withFailures(failures(time));
                }
                case "backup" -> share = share.withDistance(1);
                case "down" -> share = share.withActivation(Activation.STOPPED);
                case "resolve" -> reading.noted(node, "names are looked up for each connection");
                case "slow_start", "route", "drain", "service" ->
                        reading.changed(node, name + " is not done");
                default -> reading.wrong(node, "invalid parameter \"" + word + "\"");
            }
        }
        return made.withShare(share);
    }

    private Share numbered(Share share, String name, int value, NginxNode node) {
        return switch (name) {
            case "weight" -> share.withWeight(value);
            case "max_conns" -> share.withBusyMax(value);
            default -> {
                if (value > 1) {
                    reading.noted(node, "the first failure keeps a member out for a while");
                }
                yield value == 0 ? share.withRoles(share.standby(), share.spare(), true) : share;
            }
        };
    }

    /// How long members are waited for in a block.
    Timeouts timeouts(Scope scope, String prefix) {
        Duration connect = time(scope, prefix + "_connect_timeout");
        Duration read = time(scope, prefix + "_read_timeout");
        Duration send = time(scope, prefix + "_send_timeout");
        return new Timeouts(
                connect, read, send.compareTo(read) > 0 ? send : read, Duration.ofSeconds(10));
    }

    private Duration time(Scope scope, String name) {
        NginxNode node = scope.last(name);
        Duration time = node == null ? Duration.ofSeconds(60) : Units.time(node.word(0));
        if (time == null || (node != null && time.isZero())) {
            if (node != null) {
                reading.wrong(node, "\"" + name + "\" directive invalid value");
            }
            return Duration.ofSeconds(60);
        }
        return time;
    }

    /// How many members a request is offered; 0 = each once.
    ///
    /// @param prefix of the directives' names
    int tries(Scope scope, String prefix) {
        NginxNode next = scope.last(prefix + "_next_upstream");
        if (next != null) {
            if (next.words().contains("off")) {
                return 1;
            }
            if (next.words().stream().anyMatch(word -> word.startsWith("http_"))) {
                reading.changed(
                        next,
                        "requests are tried once more after failures, and not after a status");
            } else if (next.words().contains("non_idempotent")) {
                reading.changed(next, "requests that are not safe to repeat are not repeated");
            }
        }
        String tries = scope.word(prefix + "_next_upstream_tries", "0");
        return tries.matches("[0-9]{1,4}") ? Integer.parseInt(tries) : 0;
    }
}
