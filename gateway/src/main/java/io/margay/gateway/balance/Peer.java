package io.margay.gateway.balance;

import io.margay.gateway.attempt.AdaptiveLimit;
import io.margay.gateway.attempt.PeerTimes;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.host.StatusCounts;
import io.margay.server.meter.TrafficCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// One peer of an upstream and the state it is in. Thread-safe: what balancing reads and writes is
/// guarded by the upstream's lock, counters are atomic.
public final class Peer {
    private static final System.Logger LOG = System.getLogger(Peer.class.getName());

    /// In flight on a peer that has come back, until as many responses have been good: then it has
    /// its full share again.
    private static final int RAMP_MAX = 64;

    final PeerGroup upstream;
    private final AtomicInteger busy = new AtomicInteger();
    private volatile int busyBefore;
    private final AtomicInteger busyMost = new AtomicInteger();
    private final TrafficCounts traffic = TrafficCounts.always();
    private final LongAdder used = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder clientErrors = new LongAdder();
    final PeerTimes times = new PeerTimes();
    final Ejection.@Nullable Seen outlier; // null = nobody judges it
    final @Nullable AdaptiveLimit adaptive; // null = it has none
    private final StatusCounts statuses = new StatusCounts();
    private final LongAdder sessions = new LongAdder();

    /// Choices of a lone peer that are to be added to `load`.
    private final LongAdder unsettled = new LongAdder();

    private final Members.Origin origin;
    private volatile PeerConfig configured;
    private volatile PeerConfig config;
    private volatile boolean departed;
    private volatile long resetNanos;
    private volatile PeerState state = PeerState.IDLE;
    private volatile boolean healthy = true;

    /// Requests in flight at most while it comes back; 0 = as many as come.
    private volatile int ramp;

    private volatile boolean hasErrors;

    /// Requests that it has failed one after the other, with no answer between.
    private volatile int failedInRow;

    private volatile long firstErrorNanos;
    private volatile long lastErrorNanos;
    private volatile boolean everFailed;

    /// Guarded by the upstream's lock, as the rest: mod_jk's `lb_value`, mod_proxy's `lbstatus`.
    long load;

    /// What one request adds to `load` (mod_jk's `lb_mult`).
    long multiplier = 1;

    int replyTimeouts;
    int place; // among those of which a part is used; 0 = not drawn
    long errors;
    long usedSnapshot;
    long retries;

    /// The two choices that can fall on it, so that a choice allocates nothing.
    final Selection.Choice sticky = new Selection.Choice(this, true);

    final Selection.Choice free = new Selection.Choice(this, false);

    Peer(PeerConfig config, Members.Origin origin, PeerGroup upstream) {
        configured = config.address().isIncomplete() ? with(config, Activation.STOPPED) : config;
        this.config = configured;
        this.origin = origin;
        this.upstream = upstream;
        outlier = upstream.judged();
        adaptive = upstream.limiting();
        resetNanos = upstream.now();
    }

    private static PeerConfig with(PeerConfig config, Activation activation) {
        return config.withShare(config.share().withActivation(activation));
    }

    /// As configured, with what has changed at run time.
    public PeerConfig config() {
        return config;
    }

    /// As configured, without what has changed at run time.
    public PeerConfig configured() {
        return configured;
    }

    /// Changes what is configured about it; its name stays. Load values begin anew when its
    /// activation is another.
    public void configure(PeerConfig now) {
        PeerConfig before = config;
        if (!now.name().equals(before.name())) {
            throw new IllegalArgumentException(before.name() + " cannot become " + now.name());
        }
        config = now;
        upstream.changed(
                now.share().weight() != before.share().weight(),
                now.share().activation() != before.share().activation());
    }

    /// Takes over what its source says of it by now. What was changed by hand stays changed.
    ///
    /// @return whether requests without a session come to it again
    /// @throws IllegalArgumentException when it is another peer by name, or reached otherwise
    boolean redefine(PeerConfig now) {
        if (!sameConnections(now)) {
            throw new IllegalArgumentException(configured.name() + " is reached otherwise now");
        }
        if (now.equals(configured)) {
            return false;
        }
        PeerConfig.Share old = configured.share();
        PeerConfig.Share changed = config.share();
        PeerConfig.Share share = now.share();
        if (changed.activation() != old.activation()) {
            share = share.withActivation(changed.activation());
        }
        if (changed.weight() != old.weight()) {
            share = share.withWeight(changed.weight());
        }
        if (changed.distance() != old.distance()) {
            share = share.withDistance(changed.distance());
        }
        if (changed.busyMax() != old.busyMax()) {
            share = share.withBusyMax(changed.busyMax());
        }
        boolean returns =
                config.share().activation() != Activation.ACTIVE
                        && share.activation() == Activation.ACTIVE;
        configured = now;
        config = config.withShare(share);
        return returns;
    }

    /// Whether connections to it serve for a peer of this configuration.
    boolean sameConnections(PeerConfig other) {
        return configured.withShare(other.share()).equals(other);
    }

    /// How it has come to its upstream.
    public Members.Origin origin() {
        return origin;
    }

    /// Whether it has left its upstream: it finishes the requests that are on it.
    public boolean departed() {
        return departed;
    }

    void depart() {
        departed = true;
    }

    /// The upstream it belongs to, with what has changed at run time.
    public UpstreamConfig upstream() {
        return upstream.config();
    }

    /// What it is used for now.
    public Activation activation() {
        return config.share().activation();
    }

    /// Changes what it is used for.
    public void activation(Activation now) {
        configure(with(config, now));
    }

    /// mod_jk's domain: as configured, or what precedes the first dot of the route.
    public String domain() {
        String domain = config.share().domain();
        if (domain.isEmpty()) {
            String route = config.share().route();
            int dot = route.indexOf('.');
            return dot < 0 ? "" : route.substring(0, dot);
        }
        return domain;
    }

    double weight() {
        return config.share().weight();
    }

    /// The weight in hundredths, by which mod_proxy counts.
    long factor() {
        return Math.max(1, Math.round(weight() * 100));
    }

    /// Requests at one time at most, as configured and by its response times; 0 = no limit.
    public int limit() {
        int fixed = config.share().busyMax();
        int now = adaptive == null ? fixed : adaptive.limit();
        return fixed == 0 ? now : Math.min(fixed, now);
    }

    /// Requests that are on it at this moment, also those that the process before this one still
    /// waits for.
    public int busy() {
        return busy.get() + busyBefore;
    }

    /// Those of this process.
    int busyHere() {
        return busy.get();
    }

    /// How many are those of the process before.
    void busyBefore(int requests) {
        busyBefore = requests;
    }

    /// The most requests that were on it at one time.
    public int busyMost() {
        return busyMost.get();
    }

    /// Counts a request that is about to be tried on it.
    public void begin() {
        int now = busy.incrementAndGet();
        if (now > busyMost.get()) {
            busyMost.accumulateAndGet(now, Math::max);
        }
        used.increment();
        upstream.begin(this, now);
    }

    /// Counts the end of an attempt; every [#begin] is followed by exactly one.
    ///
    /// @param out bytes of content sent to it
    /// @param in bytes of content received from it
    public void end(Outcome outcome, long out, long in) {
        busy.decrementAndGet();
        bytesOut.add(out);
        bytesIn.add(in);
        if (outcome == Outcome.CLIENT_FAILED) {
            clientErrors.increment();
        }
        PeerState before = state;
        upstream.end(this, outcome, out + in);
        report(before, outcome.toString());
    }

    private void report(PeerState before, String reason) {
        PeerState now = state;
        if (now == PeerState.ERROR && before != PeerState.ERROR) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "upstream {0}: {1} is in error ({2})",
                    upstream.config().name(),
                    config.name(),
                    reason);
        } else if (now == PeerState.OK
                && (before == PeerState.PROBING || before == PeerState.FORCED)) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "upstream {0}: {1} is back",
                    upstream.config().name(),
                    config.name());
        }
    }

    /// The word for its state, in mod_jk's words: one that gets no requests is in error.
    public String shownState() {
        return (healthy && !ejection().isOut() ? state : PeerState.ERROR).code();
    }

    /// Whether it is left out because it answers worse than the others, and how often it was.
    public Ejection ejection() {
        return outlier == null ? Ejection.NONE : outlier.ejection(upstream.now());
    }

    /// Counts an answer of its own, whatever the client gets in its place.
    public void answers(int status) {
        statuses.count(status);
    }

    /// How many it has given of each class of status, from 1xx to 5xx.
    public List<Long> statuses() {
        return statuses.read();
    }

    /// The time by which [#took] measures.
    public long nanos() {
        return upstream.now();
    }

    /// Counts how long an attempt took.
    ///
    /// @param status of its answer; 0 = there was none
    /// @param sinceNanos when it began
    public void took(Outcome outcome, int status, long sinceNanos) {
        boolean failed = outcome != Outcome.OK && outcome != Outcome.OUTRUN;
        traffic.end(status, failed, upstream.now() - sinceNanos);
    }

    /// How long attempts took, and their phases.
    public TrafficCounts traffic() {
        return traffic;
    }

    /// What is known of it from requests.
    public PeerState state() {
        return state;
    }

    void state(PeerState now) {
        state = now;
    }

    /// Whether active checks have it well, or there are none.
    public boolean healthy() {
        return healthy;
    }

    /// Says what active checks have found. One that is well is taken out of error: it is tried by
    /// requests at once, few at first.
    ///
    /// @param reason for the log, when it is not well
    public void healthy(boolean now, String reason) {
        boolean before = healthy;
        if (before && now && state != PeerState.ERROR) {
            return;
        }
        upstream.checked(this, now);
        if (before != now) {
            LOG.log(
                    now ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                    now
                            ? "upstream {0}: {1} passes its checks"
                            : "upstream {0}: {1} fails its checks ({2})",
                    upstream.config().name(),
                    config.name(),
                    reason);
        }
    }

    /// It has joined while others are at work: where there are checks it must pass one first, and
    /// it begins with few requests.
    void join(boolean checked) {
        healthy = !checked;
        ramp();
    }

    void setHealthy(boolean now) {
        if (now && !healthy) {
            ramp();
        }
        healthy = now;
    }

    /// Takes it out of error so that requests try it.
    public void recover() {
        upstream.recover(this);
    }

    /// Begins its counters and its state anew.
    public void reset() {
        upstream.reset(this);
    }

    void clearCounters() {
        used.reset();
        bytesOut.reset();
        bytesIn.reset();
        clientErrors.reset();
        statuses.reset();
        busyMost.set(busy.get());
        errors = 0;
        sessions.reset();
        unsettled.reset();
        retries = 0;
        usedSnapshot = 0;
        load = 0;
        replyTimeouts = 0;
        hasErrors = false;
        failedInRow = 0;
        everFailed = false;
        state = PeerState.IDLE;
        resetNanos = upstream.now();
    }

    /// Counts a request without a session that it was chosen for.
    void countSession() {
        sessions.increment();
    }

    /// Adds a choice to the load value, which is brought up to date by [#settleLoad].
    void addLoadUnlocked() {
        unsettled.increment();
    }

    // What both dialects do to it; the upstream's lock is held.

    /// Adds the choices that were made without the lock to the load value.
    void settleLoad() {
        load += unsettled.sumThenReset() * multiplier;
    }

    void ramp() {
        ramp = 1;
    }

    boolean ramping() {
        int most = ramp;
        return most > 0 && busy.get() >= most;
    }

    void widen() {
        int most = ramp;
        if (most > 0) {
            ramp = most >= RAMP_MAX ? 0 : most + 1;
        }
    }

    boolean rampingUp() {
        return ramp > 0;
    }

    void forgive() {
        if (state == PeerState.ERROR) {
            ramp();
        }
        state = PeerState.OK;
        hasErrors = false;
        failedInRow = 0;
    }

    /// Counts a request that it has failed.
    ///
    /// @return how many it has failed in a row
    int failedOneMore() {
        int now = failedInRow + 1;
        failedInRow = now;
        return now;
    }

    boolean failing() {
        return failedInRow > 0;
    }

    void answeredOne() {
        failedInRow = 0;
    }

    boolean hasErrors() {
        return hasErrors;
    }

    void firstError(long now) {
        hasErrors = true;
        firstErrorNanos = now;
    }

    void fail(long now) {
        localError(now);
        if (!config.share().ignoreErrors()) {
            state = PeerState.ERROR;
            ramp();
        }
    }

    void localError(long now) {
        errors++;
        everFailed = true;
        lastErrorNanos = now;
    }

    long firstErrorNanos() {
        return firstErrorNanos;
    }

    long lastErrorNanos() {
        return lastErrorNanos;
    }

    // For the process that goes on with it; the upstream's lock is held

    void write(DataOutput out, long now) throws IOException {
        boolean tried = state == PeerState.PROBING || state == PeerState.FORCED;
        out.writeUTF((tried ? PeerState.ERROR : state).name());
        out.writeBoolean(healthy);
        out.writeInt(ramp);
        out.writeLong(hasErrors ? now - firstErrorNanos : -1);
        out.writeLong(everFailed ? now - lastErrorNanos : -1);
        out.writeLong(errors);
        out.writeLong(retries);
        out.writeInt(replyTimeouts);
    }

    /// Reads what [#write] has written.
    ///
    /// @param into null = nobody, and it is read over
    static void read(DataInput in, @Nullable Peer into, long now, long sinceNanos)
            throws IOException {
        PeerState there = PeerState.named(in.readUTF());
        boolean well = in.readBoolean();
        int most = in.readInt();
        long firstError = in.readLong();
        long lastError = in.readLong();
        long failed = in.readLong();
        long forgiven = in.readLong();
        int late = in.readInt();
        if (into != null) {
            into.state = there;
            into.healthy = well;
            into.ramp = Math.clamp(most, 0, RAMP_MAX);
            into.hasErrors = firstError >= 0;
            into.firstErrorNanos = now - sinceNanos - firstError;
            into.everFailed = lastError >= 0;
            into.lastErrorNanos = now - sinceNanos - lastError;
            into.errors = failed;
            into.retries = forgiven;
            into.replyTimeouts = Math.max(0, late);
        }
    }

    // For status pages

    /// Attempts so far.
    public long used() {
        return used.sum();
    }

    /// Content sent to it.
    public long bytesOut() {
        return bytesOut.sum();
    }

    /// Content received from it.
    public long bytesIn() {
        return bytesIn.sum();
    }

    /// Failed attempts.
    public long errors() {
        return upstream.read(() -> errors);
    }

    /// Attempts that failed through the client's fault.
    public long clientErrors() {
        return clientErrors.sum();
    }

    /// Requests without a session that it was chosen for.
    public long sessions() {
        return sessions.sum();
    }

    /// mod_jk's `lb_value` (the requests in flight times the multiplier, by busyness), mod_proxy's
    /// `lbstatus`.
    public long load() {
        return upstream.read(() -> {
            settleLoad();
            return load;
        });
    }

    /// mod_jk's `lb_mult`.
    public long multiplier() {
        return upstream.read(() -> multiplier);
    }

    /// Late responses that still count.
    public int replyTimeouts() {
        return upstream.read(() -> (long) replyTimeouts).intValue();
    }

    /// How often its error was forgiven (mod_proxy's `retries`).
    public long retries() {
        return upstream.read(() -> retries);
    }

    /// Seconds since its counters began.
    public long sinceResetSeconds() {
        return (upstream.now() - resetNanos) / 1_000_000_000L;
    }

    /// Seconds since its last error, or -1 when there was none.
    public long sinceErrorSeconds() {
        return everFailed ? (upstream.now() - lastErrorNanos) / 1_000_000_000L : -1;
    }
}
