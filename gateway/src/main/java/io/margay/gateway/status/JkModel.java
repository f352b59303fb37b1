package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What mod_jk's status worker tells, as names and values in its order. Confined to one thread.
final class JkModel {
    private static final int PING_INTERVAL_TIMEOUTS = 10;

    final String host;
    final int port;
    final Instant now;
    private final StatusSource source;

    JkModel(StatusSource source, String host, int port) {
        this.source = source;
        now = source.clock().instant();
        this.host = host;
        this.port = port;
    }

    String software() {
        return source.software();
    }

    static boolean isWorker(Upstream upstream) {
        return upstream.configured().sources().isEmpty()
                && upstream.peers().size() == 1
                && upstream.peers().getFirst().config().name().equals(upstream.config().name());
    }

    List<Upstream> balancers() {
        return source.upstreams().stream().filter(each -> !isWorker(each)).toList();
    }

    List<Upstream> workers() {
        return source.upstreams().stream().filter(JkModel::isWorker).toList();
    }

    static String method(UpstreamConfig config) {
        String name = config.method().modJk();
        return name.isEmpty() ? config.method().word() : name;
    }

    Map<String, String> balancer(Upstream upstream) {
        UpstreamConfig config = upstream.config();
        PeerConfig first = upstream.pattern();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("type", "lb");
        values.put("sticky_session", bool(config.sticky().enabled()));
        values.put("sticky_session_force", bool(config.sticky().force()));
        values.put("retries", Integer.toString(config.rounds()));
        values.put("recover_time", seconds(first.failures().recover()));
        values.put("error_escalation_time", seconds(config.escalation()));
        values.put("max_reply_timeouts", Integer.toString(config.replyTimeoutsMax()));
        values.put("method", method(config));
        values.put("lock", "Optimistic");
        values.put("member_count", Integer.toString(upstream.peers().size()));
        long bad = upstream.peers().stream().filter(JkModel::isBad).count();
        long good = upstream.peers().stream().filter(JkModel::isGood).count();
        values.put("good", Long.toString(good));
        values.put("degraded", Long.toString(upstream.peers().size() - good - bad));
        values.put("bad", Long.toString(bad));
        values.put("busy", Integer.toString(upstream.busy()));
        values.put("max_busy", Integer.toString(upstream.busyMost()));
        values.put("map_count", Integer.toString(maps(upstream).size()));
        long maintenance = upstream.maintenanceSeconds();
        values.put("time_to_maintenance_min", Long.toString(maintenance));
        values.put(
                "time_to_maintenance_max",
                Long.toString(maintenance + config.maintain().toSeconds()));
        reset(values, upstream.sinceResetSeconds());
        return values;
    }

    /// mod_jk's defaults for "bad": stopped, or in error.
    private static boolean isBad(Peer peer) {
        return peer.activation() == Activation.STOPPED
                || peer.state() == PeerState.ERROR
                || peer.state() == PeerState.FORCED
                || peer.state() == PeerState.PROBING
                || peer.ejection().isOut()
                || !peer.healthy();
    }

    /// mod_jk's defaults for "good": active and not in error.
    private static boolean isGood(Peer peer) {
        return peer.activation() == Activation.ACTIVE && !isBad(peer);
    }

    Map<String, String> member(Peer peer) {
        Map<String, String> values = new LinkedHashMap<>();
        connection(values, peer.config());
        PeerConfig.Share share = peer.config().share();
        values.put("activation", share.activation().code());
        values.put("lbfactor", weight(share.weight()));
        values.put("route", share.route());
        values.put("redirect", share.redirect());
        values.put("domain", peer.domain());
        values.put("distance", Integer.toString(share.distance()));
        values.put("state", peer.shownState());
        values.put("lbmult", Long.toString(peer.multiplier()));
        values.put("lbvalue", Long.toString(peer.load()));
        values.put("elected", Long.toString(peer.used()));
        values.put("sessions", Long.toString(peer.sessions()));
        counters(values, peer);
        long recover = recoverSeconds(peer);
        values.put("time_to_recover_min", Long.toString(recover));
        values.put(
                "time_to_recover_max",
                Long.toString(recover == 0 ? 0 : recover + peer.upstream().maintain().toSeconds()));
        reset(values, peer.sinceResetSeconds());
        statuses(values, peer.statuses());
        lastError(values, peer);
        return values;
    }

    /// Answers by class of status, which mod_jk does not count: behind what it tells of each peer.
    private static void statuses(Map<String, String> values, List<Long> counts) {
        for (int i = 0; i < counts.size(); i++) {
            values.put("responses_" + (i + 1) + "xx", Long.toString(counts.get(i)));
        }
    }

    static String weight(double weight) {
        return weight == Math.rint(weight) ? Long.toString((long) weight) : Double.toString(weight);
    }

    private static long recoverSeconds(Peer peer) {
        if (peer.state() != PeerState.ERROR) {
            return 0;
        }
        long wait = peer.config().failures().recover().toSeconds();
        return Math.max(0, wait - Math.max(0, peer.sinceErrorSeconds()));
    }

    Map<String, String> worker(Upstream upstream) {
        Peer peer = upstream.peers().getFirst();
        Map<String, String> values = new LinkedHashMap<>();
        connection(values, peer.config());
        values.put("used", Long.toString(peer.used()));
        counters(values, peer);
        values.put("map_count", Integer.toString(maps(upstream).size()));
        reset(values, peer.sinceResetSeconds());
        statuses(values, peer.statuses());
        lastError(values, peer);
        return values;
    }

    /// Nothing where there was none, as with mod_jk.
    private void lastError(Map<String, String> values, Peer peer) {
        long ago = peer.sinceErrorSeconds();
        if (ago >= 0) {
            ZonedDateTime at = now.minusSeconds(ago).atZone(ZoneId.systemDefault());
            values.put("error_time_datetime", JkWriter.STAMP.format(at));
            values.put("error_time_tz", JkWriter.ZONE.format(at));
            values.put("error_time_unix_seconds", Long.toString(at.toEpochSecond()));
            values.put("error_time_ago", Long.toString(ago));
        }
    }

    private void counters(Map<String, String> values, Peer peer) {
        int connected = source.connections().applyAsInt(peer);
        values.put("errors", Long.toString(peer.errors()));
        values.put("client_errors", Long.toString(peer.clientErrors()));
        values.put("reply_timeouts", Integer.toString(peer.replyTimeouts()));
        values.put("transferred", Long.toString(peer.bytesOut()));
        values.put("read", Long.toString(peer.bytesIn()));
        values.put("busy", Integer.toString(peer.busy()));
        values.put("max_busy", Integer.toString(peer.busyMost()));
        values.put("connected", Integer.toString(connected));
        values.put("max_connected", Integer.toString(Math.max(connected, peer.busyMost())));
    }

    static String type(PeerScheme scheme) {
        return scheme == PeerScheme.AJP ? "ajp13" : scheme.word();
    }

    private static void connection(Map<String, String> values, PeerConfig config) {
        PeerAddress address = config.address();
        PeerConfig.Timeouts timeouts = config.timeouts();
        Path file = address.socket();
        values.put("type", type(address.scheme()));
        values.put("host", file != null ? file.toString() : address.host());
        values.put("port", Integer.toString(address.port()));
        values.put(
                "address", file != null ? file.toString() : address.host() + ":" + address.port());
        values.put("source", "undefined");
        values.put("connection_pool_timeout", seconds(config.pool().idle()));
        values.put("ping_timeout", millis(timeouts.ping()));
        values.put("connect_timeout", ping(config, PeerConfig.Ping.CONNECT));
        values.put("prepost_timeout", ping(config, PeerConfig.Ping.PREPOST));
        values.put("reply_timeout", millis(timeouts.reply()));
        values.put(
                "connection_ping_interval",
                config.ajp().pings().contains(PeerConfig.Ping.INTERVAL)
                        ? seconds(timeouts.ping().multipliedBy(PING_INTERVAL_TIMEOUTS))
                        : "0");
        values.put("retries", Integer.toString(config.failures().retries()));
        values.put("recovery_options", Integer.toString(config.failures().recoveryOptions()));
        values.put("busy_limit", Integer.toString(config.share().busyMax()));
        values.put("max_packet_size", Integer.toString(config.ajp().packetBytesMax()));
    }

    private static String ping(PeerConfig config, PeerConfig.Ping when) {
        return config.ajp().pings().contains(when) ? millis(config.timeouts().ping()) : "0";
    }

    private void reset(Map<String, String> values, long ago) {
        values.put("last_reset_at", Long.toString(now.getEpochSecond() - ago));
        values.put("last_reset_ago", Long.toString(ago));
    }

    List<Map<String, String>> maps(Upstream upstream) {
        List<Map<String, String>> maps = new ArrayList<>();
        for (StatusSource.UriMap map : source.maps().apply(upstream.config().name())) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("id", Integer.toString(maps.size() + 1));
            values.put("server", map.server());
            values.put("uri", map.uri());
            values.put("type", map.uri().contains("*") ? "Wildchar" : "Exact");
            values.put("source", "JkMount");
            values.put("reply_timeout", "-1");
            values.put("sticky_ignore", "0");
            values.put("stateless", "0");
            values.put("fail_on_status", "");
            values.put("active", "");
            values.put("disabled", "");
            values.put("stopped", "");
            values.put("use_server_errors", "0");
            statuses(values, map.statuses());
            maps.add(values);
        }
        return maps;
    }

    /// The configuration as it stands now, in the words of workers.properties; without secrets.
    Map<String, String> dump() {
        Map<String, String> values = new LinkedHashMap<>();
        List<String> names = source.upstreams().stream().map(u -> u.config().name()).toList();
        values.put("worker.list", String.join(",", names));
        for (Upstream upstream : source.upstreams()) {
            String name = upstream.config().name();
            if (!isWorker(upstream)) {
                values.put("worker." + name + ".type", "lb");
                values.put(
                        "worker." + name + ".balance_workers",
                        String.join(
                                ",",
                                upstream.peers().stream().map(p -> p.config().name()).toList()));
                values.put("worker." + name + ".method", method(upstream.config()));
            }
            upstream.peers().forEach(peer -> dump(values, peer));
        }
        return values;
    }

    private static void dump(Map<String, String> values, Peer peer) {
        PeerConfig config = peer.config();
        String prefix = "worker." + config.name() + ".";
        values.put(prefix + "type", type(config.address().scheme()));
        values.put(prefix + "host", config.address().host());
        values.put(prefix + "port", Integer.toString(config.address().port()));
        values.put(prefix + "lbfactor", weight(config.share().weight()));
        values.put(prefix + "activation", config.share().activation().code().substring(0, 1));
        if (!config.share().route().isEmpty()) {
            values.put(prefix + "route", config.share().route());
        }
    }

    private static String bool(boolean value) {
        return value ? "True" : "False";
    }

    private static String seconds(Duration time) {
        return Long.toString(time.toSeconds());
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }
}
