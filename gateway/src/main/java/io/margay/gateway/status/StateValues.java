package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfigBuilder;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What can be changed by hand of upstreams and their members, as texts by name:
/// `UPSTREAM.SETTING`, `UPSTREAM/MEMBER.SETTING`, and `UPSTREAM.added` with the URLs of members
/// that were added. Stateless.
final class StateValues {
    /// Behind the name of an upstream: the members that were added to it.
    static final String ADDED = ".added";

    private StateValues() {}

    /// What differs from the configuration.
    static Map<String, String> differing(Collection<Upstream> upstreams) {
        Map<String, String> differing = new TreeMap<>();
        for (Upstream upstream : upstreams) {
            Map<String, String> before = values(upstream.configured());
            String name = upstream.config().name();
            values(upstream.config())
                    .forEach((key, value) -> {
                        if (!value.equals(before.get(key))) {
                            differing.put(name + "." + key, value);
                        }
                    });
            String added =
                    upstream.added().stream()
                            .map(peer -> peer.config().name())
                            .collect(Collectors.joining(" "));
            if (!added.isEmpty()) {
                differing.put(name + ".added", added);
            }
            for (Peer peer : upstream.peers()) {
                Map<String, String> own = values(peer.configured());
                values(peer.config())
                        .forEach((key, value) -> {
                            if (!value.equals(own.get(key))) {
                                differing.put(name + "/" + peer.config().name() + "." + key, value);
                            }
                        });
            }
        }
        return differing;
    }

    /// What the configuration says of all that can be changed, but for members that were added.
    static Map<String, String> configured(Collection<Upstream> upstreams) {
        Map<String, String> all = new TreeMap<>();
        for (Upstream upstream : upstreams) {
            String name = upstream.config().name();
            values(upstream.configured()).forEach((key, value) -> all.put(name + "." + key, value));
            for (Peer peer : upstream.peers()) {
                String of = name + "/" + peer.config().name() + ".";
                values(peer.configured()).forEach((key, value) -> all.put(of + key, value));
            }
        }
        return all;
    }

    /// Changes what values name; what they do not name stays, and what there is not is left out.
    ///
    /// @return what could not be changed, a line for each upstream
    static List<String> apply(Collection<Upstream> upstreams, Map<String, String> values) {
        List<String> failures = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            try {
                add(upstream, values.getOrDefault(upstream.config().name() + ADDED, ""));
                apply(upstream, values);
                upstream.peers().forEach(peer -> apply(peer, values));
            } catch (IllegalArgumentException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        return failures;
    }

    private static void add(Upstream upstream, String urls) {
        for (String url : urls.split(" ")) {
            boolean known =
                    upstream.peers().stream().anyMatch(peer -> peer.config().name().equals(url));
            if (!url.isEmpty() && !known) {
                Peer _ = upstream.add(added(upstream, url));
            }
        }
    }

    /// What a member that is added at run time is: it takes nothing yet, and has the settings of
    /// the first one, where it speaks the same.
    ///
    /// @throws IllegalArgumentException for what is no URL of a member
    static PeerConfig added(Upstream upstream, String url) {
        if (url.matches(".*\\s.*")) {
            throw new IllegalArgumentException("it has white space");
        }
        PeerUrl to = PeerUrl.parse(url);
        PeerConfig first = upstream.pattern();
        PeerConfig plain = PeerConfig.of(url, to.address());
        boolean same = first.address().scheme() == to.address().scheme();
        PeerConfig base = same ? first : plain;
        return PeerConfigBuilder.builder(base)
                .name(url)
                .url(to)
                .share(PeerConfig.Share.defaults("").withActivation(Activation.STOPPED))
                .build();
    }

    private static Map<String, String> values(UpstreamConfig config) {
        return Map.of(
                "method", config.method().name(),
                "attempts", Integer.toString(config.attempts()),
                "rounds", Integer.toString(config.rounds()),
                "patience", config.patience().toString(),
                "escalation", config.escalation().toString(),
                "late-replies-max", Integer.toString(config.replyTimeoutsMax()),
                "sticky", Boolean.toString(config.sticky().enabled()),
                "sticky-force", Boolean.toString(config.sticky().force()));
    }

    private static void apply(Upstream upstream, Map<String, String> read) {
        UpstreamConfig config = upstream.config();
        String of = config.name() + ".";
        upstream.configure(
                config.withMethod(
                                BalanceMethod.valueOf(
                                        read.getOrDefault(of + "method", config.method().name())))
                        .withTolerance(
                                number(read, of + "attempts", config.attempts()),
                                duration(read, of + "escalation", config.escalation()),
                                number(read, of + "late-replies-max", config.replyTimeoutsMax()))
                        .withRounds(
                                number(read, of + "rounds", config.rounds()),
                                duration(read, of + "patience", config.patience()))
                        .withSticky(
                                config.sticky()
                                        .with(
                                                flag(
                                                        read,
                                                        of + "sticky",
                                                        config.sticky().enabled()),
                                                flag(
                                                        read,
                                                        of + "sticky-force",
                                                        config.sticky().force()))));
    }

    private static Map<String, String> values(PeerConfig config) {
        PeerConfig.Share share = config.share();
        Map<String, String> values = new TreeMap<>();
        values.put("activation", share.activation().name());
        values.put("weight", Double.toString(share.weight()));
        values.put("route", share.route());
        values.put("domain", share.domain());
        values.put("redirect", share.redirect());
        values.put("distance", Integer.toString(share.distance()));
        values.put("busy-max", Integer.toString(share.busyMax()));
        values.put("standby", Boolean.toString(share.standby()));
        values.put("spare", Boolean.toString(share.spare()));
        values.put("ignore-errors", Boolean.toString(share.ignoreErrors()));
        values.put("recover", config.failures().recover().toString());
        values.put("retries", Integer.toString(config.failures().retries()));
        values.put("reply-timeout", config.timeouts().reply().toString());
        return values;
    }

    /// The same for one member.
    static void apply(Peer peer, Map<String, String> read) {
        PeerConfig config = peer.config();
        PeerConfig.Share share = config.share();
        PeerConfig.Failures failures = config.failures();
        PeerConfig.Timeouts timeouts = config.timeouts();
        String of = peer.upstream().name() + "/" + config.name() + ".";
        String weight = read.getOrDefault(of + "weight", "");
        PeerConfig.Share changed =
                share.withActivation(
                                Activation.valueOf(
                                        read.getOrDefault(
                                                of + "activation", share.activation().name())))
                        .withWeight(Numbers.parseDecimal(weight, share.weight()))
                        .withRoutes(
                                read.getOrDefault(of + "route", share.route()),
                                read.getOrDefault(of + "domain", share.domain()),
                                read.getOrDefault(of + "redirect", share.redirect()))
                        .withDistance(number(read, of + "distance", share.distance()))
                        .withBusyMax(number(read, of + "busy-max", share.busyMax()))
                        .withRoles(
                                flag(read, of + "standby", share.standby()),
                                flag(read, of + "spare", share.spare()),
                                flag(read, of + "ignore-errors", share.ignoreErrors()));
        peer.configure(
                config.withShare(changed)
                        .withFailures(
                                new PeerConfig.Failures(
                                        number(read, of + "retries", failures.retries()),
                                        failures.retryInterval(),
                                        duration(read, of + "recover", failures.recover()),
                                        failures.recoveryOptions(),
                                        failures.failStatuses(),
                                        failures.softFailStatuses()))
                        .withTimeouts(
                                new PeerConfig.Timeouts(
                                        timeouts.connect(),
                                        duration(read, of + "reply-timeout", timeouts.reply()),
                                        timeouts.io(),
                                        timeouts.ping())));
    }

    private static int number(Map<String, String> read, String key, int otherwise) {
        return Numbers.parse(read.getOrDefault(key, ""), otherwise);
    }

    private static boolean flag(Map<String, String> read, String key, boolean otherwise) {
        return Boolean.parseBoolean(read.getOrDefault(key, Boolean.toString(otherwise)));
    }

    private static Duration duration(Map<String, String> read, String key, Duration otherwise) {
        try {
            return Duration.parse(read.getOrDefault(key, otherwise.toString()));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(key + " is not a duration", e);
        }
    }
}
