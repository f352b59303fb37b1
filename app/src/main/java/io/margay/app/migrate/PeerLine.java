package io.margay.app.migrate;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Writes a member of an upstream. Stateless.
final class PeerLine {
    private PeerLine() {}

    /// The member, with what is not by default.
    static YamlLine of(PeerConfig peer) {
        YamlLine line = new YamlLine();
        line.text("url", peer.address() + peer.path());
        if (!peer.name().equals(peer.address().toString())) {
            line.text("name", peer.name());
        }
        share(line, peer);
        if (peer.root() != null) {
            line.text("root", peer.root());
        }
        PeerConfig byDefault = PeerConfig.of(peer.name(), peer.address());
        pool(line, peer.pool(), byDefault.pool());
        timeouts(line, peer.timeouts(), byDefault.timeouts());
        failures(line, peer.failures(), byDefault.failures());
        PeerConfig.Ajp ajp = peer.ajp();
        if (ajp.secret() != null) {
            line.text("secret", ajp.secret());
        }
        line.number("packet-size", ajp.packetBytesMax(), 8192);
        if (!ajp.pings().isEmpty()) {
            List<String> pings = ajp.pings().stream().sorted().map(ConfigWriter::lower).toList();
            line.texts("pings", pings);
        }
        PeerConfig.Tls tls = peer.tls();
        line.flag("verify", tls.verify(), true);
        Path trust = tls.trust();
        if (trust != null) {
            line.text("trust", trust.toString());
        }
        if (tls.serverName() != null) {
            line.text("server-name", tls.serverName());
        }
        if (!tls.certificates().isEmpty()) {
            line.raw("certificates", TlsLines.certificates(tls.certificates()));
        }
        return line;
    }

    private static void share(YamlLine line, PeerConfig peer) {
        PeerConfig.Share share = peer.share();
        boolean named = !peer.name().equals(peer.address().toString());
        if (!share.route().equals(named ? peer.name() : "")) {
            line.text("route", share.route());
        }
        if (!share.domain().isEmpty()) {
            line.text("domain", share.domain());
        }
        if (!share.redirect().isEmpty()) {
            line.text("redirect", share.redirect());
        }
        if (share.weight() != 1) {
            boolean whole = share.weight() == Math.rint(share.weight());
            line.raw(
                    "weight",
                    whole ? String.valueOf((long) share.weight()) : String.valueOf(share.weight()));
        }
        line.number("distance", share.distance(), 0);
        if (share.activation() != Activation.ACTIVE) {
            line.text("activation", ConfigWriter.lower(share.activation()));
        }
        line.flag("standby", share.standby(), false)
                .flag("spare", share.spare(), false)
                .number("busy-max", share.busyMax(), 0)
                .flag("ignore-errors", share.ignoreErrors(), false);
    }

    private static void pool(YamlLine line, PeerConfig.Pool pool, PeerConfig.Pool byDefault) {
        line.number("connections-max", pool.max(), byDefault.max())
                .number("connections-min", pool.min(), byDefault.min())
                .flag("reuse", pool.reuse(), byDefault.reuse());
        time(line, "idle-timeout", pool.idle(), byDefault.idle());
        time(line, "acquire-timeout", pool.acquire(), byDefault.acquire());
        time(line, "lifetime", pool.lifetime(), byDefault.lifetime());
    }

    private static void timeouts(
            YamlLine line, PeerConfig.Timeouts timeouts, PeerConfig.Timeouts byDefault) {
        time(line, "connect-timeout", timeouts.connect(), byDefault.connect());
        time(line, "reply-timeout", timeouts.reply(), byDefault.reply());
        time(line, "io-timeout", timeouts.io(), byDefault.io());
        time(line, "ping-timeout", timeouts.ping(), byDefault.ping());
    }

    private static void failures(
            YamlLine line, PeerConfig.Failures failures, PeerConfig.Failures byDefault) {
        line.number("retries", failures.retries(), byDefault.retries());
        time(line, "retry-interval", failures.retryInterval(), byDefault.retryInterval());
        time(line, "recover", failures.recover(), byDefault.recover());
        line.number("recovery-options", failures.recoveryOptions(), byDefault.recoveryOptions());
        if (!failures.failStatuses().isEmpty()) {
            line.raw("fail-statuses", failures.failStatuses().toString());
        }
        if (!failures.softFailStatuses().isEmpty()) {
            line.raw("soft-fail-statuses", failures.softFailStatuses().toString());
        }
    }

    private static void time(YamlLine line, String key, Duration value, Duration byDefault) {
        if (!value.equals(byDefault)) {
            line.text(key, value.toMillis() + "ms");
        }
    }
}
