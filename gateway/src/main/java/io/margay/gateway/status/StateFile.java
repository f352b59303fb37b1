package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import java.io.IOException;
import java.io.StringReader;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A file that keeps what was changed by hand, so that it holds after a restart. Only what differs
/// from the configuration is written, by names of upstreams and peers; what is unknown when it is
/// read is left out. Thread-safe: `this` is locked while it is written.
///
/// ```
/// shop.method = BUSYNESS
/// shop/tc1.activation = DISABLED
/// shop.added = http\://10.0.0.9\:8080
/// ```
public final class StateFile {
    private static final System.Logger LOG = System.getLogger(StateFile.class.getName());

    private final Path file;

    public StateFile(Path file) {
        this.file = file;
    }

    /// Applies what the file says, if there is one.
    public synchronized void load(Collection<Upstream> upstreams) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, file + " cannot be read: the configuration holds", e);
            return;
        }
        for (Upstream upstream : upstreams) {
            try {
                String of = upstream.config().name() + ".added";
                for (String url : read.getProperty(of, "").split(" ")) {
                    if (!url.isEmpty()) {
                        Peer _ = upstream.add(added(upstream, url));
                    }
                }
                apply(upstream, read);
                upstream.peers().forEach(peer -> apply(peer, read));
            } catch (IllegalArgumentException e) {
                LOG.log(Level.WARNING, file + ": " + e.getMessage());
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
        return new PeerConfig(
                url,
                to.address(),
                to.path(),
                base.root(),
                PeerConfig.Share.defaults("").withActivation(Activation.STOPPED),
                base.pool(),
                base.timeouts(),
                base.ajp(),
                base.failures(),
                base.tls());
    }

    /// Writes how these upstreams differ from their configuration; of others nothing stays.
    public synchronized void save(Collection<Upstream> upstreams) {
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
        StringBuilder text =
                new StringBuilder("# Written by the server: what was changed by hand\n");
        differing.forEach((key, value) -> text.append(quoted(key) + " = " + quoted(value) + "\n"));
        try {
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.writeString(part, text.toString(), StandardCharsets.UTF_8);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(Level.ERROR, file + " cannot be written: changes hold until the end only", e);
        }
    }

    /// As `Properties` reads it.
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean special = "\\:=# !".indexOf(c) >= 0;
            quoted.append(special ? "\\" : "").append(c < ' ' ? '?' : c);
        }
        return quoted.toString();
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

    private static void apply(Upstream upstream, Properties read) {
        UpstreamConfig config = upstream.config();
        String of = config.name() + ".";
        upstream.configure(
                config.withMethod(
                                BalanceMethod.valueOf(
                                        read.getProperty(of + "method", config.method().name())))
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

    private static void apply(Peer peer, Properties read) {
        PeerConfig config = peer.config();
        PeerConfig.Share share = config.share();
        PeerConfig.Failures failures = config.failures();
        PeerConfig.Timeouts timeouts = config.timeouts();
        String of = peer.upstream().config().name() + "/" + config.name() + ".";
        String weight = read.getProperty(of + "weight", "");
        PeerConfig.Share changed =
                share.withActivation(
                                Activation.valueOf(
                                        read.getProperty(
                                                of + "activation", share.activation().name())))
                        .withWeight(Numbers.parseDecimal(weight, share.weight()))
                        .withRoutes(
                                read.getProperty(of + "route", share.route()),
                                read.getProperty(of + "domain", share.domain()),
                                read.getProperty(of + "redirect", share.redirect()))
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

    private static int number(Properties read, String key, int otherwise) {
        return Numbers.parse(read.getProperty(key, ""), otherwise);
    }

    private static boolean flag(Properties read, String key, boolean otherwise) {
        return Boolean.parseBoolean(read.getProperty(key, Boolean.toString(otherwise)));
    }

    private static Duration duration(Properties read, String key, Duration otherwise) {
        try {
            return Duration.parse(read.getProperty(key, otherwise.toString()));
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException(key + " is no duration", e);
        }
    }
}
