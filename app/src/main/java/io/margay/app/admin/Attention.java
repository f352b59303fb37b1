package io.margay.app.admin;

import io.margay.app.admin.ManagedServer.State;
import io.margay.app.shared.SharedStatus;
import io.margay.gateway.canary.CanaryReading;
import io.margay.servlet.session.engine.EngineReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What somebody should look at: it does not work, or will not for long. Immutable.
///
/// @param level what is wrong now, or soon
/// @param subject what it is about
/// @param text what is the matter, in words
/// @param page of the console that shows more; empty = none
public record Attention(Level level, String subject, String text, String page) {
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);
    private static final int EACH_MAX = 20;

    /// How bad it is.
    public enum Level {
        /// It does not work.
        BAD,

        /// It works, and may not for long.
        WARN
    }

    /// All there is, the worst first; of each kind at most 20.
    public static List<Attention> of(ManagedServer server) {
        List<Attention> bad = new ArrayList<>();
        List<Attention> warn = new ArrayList<>();
        if (!server.isServing()) {
            bad.add(bad("server", server.idleState(), ""));
        }
        Set<String> ofApps = new HashSet<>();
        for (ManagedServer.App app : server.apps()) {
            String failure = app.failure();
            if (failure != null && ofApps.add(failure) && ofApps.size() <= EACH_MAX) {
                (app.state() == State.RUNNING ? warn : bad).add(app(app, failure));
            }
        }
        server.failures().stream()
                .filter(failure -> !ofApps.contains(failure))
                .limit(EACH_MAX)
                .forEach(failure -> bad.add(bad("configuration", failure, "configuration")));
        for (UpstreamReading upstream : server.upstreams()) {
            upstream(upstream, bad, warn);
        }
        server.newVersions()
                .forEach((of, one) -> takenBack("application " + of, one, "applications", warn));
        process(server, bad);
        Instant soon = Instant.now().plus(EXPIRES_SOON);
        server.certificates().stream()
                .filter(one -> one.expires().isBefore(soon))
                .limit(EACH_MAX)
                .forEach(one ->
                        (one.expires().isBefore(Instant.now()) ? bad : warn).add(certificate(one)));
        for (ManagedServer.Pool pool : server.pools()) {
            if (pool.reading().waiting() > 0) {
                warn.add(
                        new Attention(
                                Level.WARN,
                                "pool " + pool.reading().name(),
                                pool.reading().waiting() + " requests wait for a connection",
                                "jvm"));
            }
        }
        LastReload reload = server.lastReload();
        if (reload != null && reload.failure() != null) {
            warn.add(new Attention(Level.WARN, "last reload", reload.failure(), "configuration"));
        }
        bad.addAll(warn);
        return bad;
    }

    /// Subject and text in a line.
    public String line() {
        return subject + ": " + text.lines().findFirst().orElse("");
    }

    private static Attention bad(String subject, String text, String page) {
        return new Attention(Level.BAD, subject, text, page);
    }

    private static Attention app(ManagedServer.App app, String failure) {
        boolean runs = app.state() == State.RUNNING;
        return new Attention(
                runs ? Level.WARN : Level.BAD,
                "application " + (app.path().isEmpty() ? "/" : app.path()),
                (runs ? "the version before runs; " : "") + failure,
                "applications");
    }

    private static Attention certificate(CertificateReading of) {
        boolean over = of.expires().isBefore(Instant.now());
        return new Attention(
                over ? Level.BAD : Level.WARN,
                "certificate " + of.subject(),
                (over ? "expired on " : "expires on ") + of.expires().toString().substring(0, 10),
                "certificates");
    }

    private static void takenBack(
            String of, CanaryReading canary, String page, List<Attention> warn) {
        if (canary.stopped() != null) {
            String subject = "canary " + canary.to() + " of " + of;
            warn.add(new Attention(Level.WARN, subject, "taken back: " + canary.stopped(), page));
        }
    }

    private static void upstream(
            UpstreamReading upstream, List<Attention> bad, List<Attention> warn) {
        if (upstream.isDown()) {
            bad.add(bad("upstream " + upstream.name(), "no member can be used", "upstreams"));
        } else {
            upstream.members().stream()
                    .filter(member -> !member.usable() && member.activation().equals("active"))
                    .limit(EACH_MAX)
                    .forEach(member ->
                            warn.add(
                                    new Attention(
                                            Level.WARN,
                                            "member " + member.name() + " of " + upstream.name(),
                                            member.trouble(),
                                            "upstreams")));
        }
        upstream.divided().canaries().stream()
                .limit(EACH_MAX)
                .forEach(one -> takenBack(upstream.name(), one, "upstreams", warn));
        upstream.sources().stream()
                .filter(source -> source.failure() != null)
                .limit(EACH_MAX)
                .forEach(source ->
                        warn.add(
                                new Attention(
                                        Level.WARN,
                                        "members of "
                                                + upstream.name()
                                                + " from "
                                                + source.source(),
                                        String.valueOf(source.failure()),
                                        "upstreams")));
    }

    /// What the process and its stores lack.
    private static void process(ManagedServer server, List<Attention> bad) {
        for (EngineReading engine : server.sessionEngines()) {
            if (engine.state() == EngineReading.State.AWAY) {
                bad.add(bad("session store", "it cannot be reached", "cluster"));
            } else if (engine.state() == EngineReading.State.FULL) {
                bad.add(bad("session store", "it is full: sessions are not saved", "cluster"));
            }
        }
        SharedStatus shared = server.shared();
        if (shared != null && !shared.reading().up()) {
            bad.add(bad("shared state", "the store cannot be reached", "cluster"));
        }
        if (server.isDiskFull()) {
            bad.add(bad("disk", "the disk of the work folder is full", "jvm"));
        }
        if (ProcessReading.isShortOfFiles()) {
            bad.add(bad("open files", "few descriptors are left", "jvm"));
        }
        if (ThreadRoom.ofSystem().isShort()) {
            bad.add(bad("threads", "few threads are left", "jvm"));
        }
        server.registrations().stream()
                .filter(one -> one.failure() != null)
                .limit(EACH_MAX)
                .map(one -> String.valueOf(one.failure()))
                .forEach(why -> bad.add(bad("registration", why, "cluster")));
    }
}
