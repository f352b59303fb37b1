package io.margay.gateway.balance;

import io.margay.gateway.attempt.AdaptiveLimit;
import io.margay.gateway.attempt.DeadlyRequests;
import io.margay.gateway.attempt.RetryBudget;
import io.margay.gateway.config.AdaptiveConfig;
import io.margay.gateway.config.OutlierConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http.RequestHead;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A group of peers at work. Thread-safe; `lock` guards what balancing reads and writes, is held
/// for a walk over the peers and never across I/O or code of others. Where there is one peer that
/// is well, no request takes it.
public final class Upstream {
    /// Peers that can be added while it is at work.
    public static final int ADDED_MAX = 64;

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final ReentrantLock lock = new ReentrantLock();
    private final LongSupplier nanos;
    private final List<Peer> peers;
    private final List<Peer> view;
    private final Balancing balancing;

    /// Null where members are not judged by each other.
    private final @Nullable Outliers outliers;

    private final RetryBudget retries = new RetryBudget();
    private final DeadlyRequests deadly = new DeadlyRequests();
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger busyMost = new AtomicInteger();
    private final UpstreamConfig configured;
    private volatile UpstreamConfig config;
    private volatile long resetNanos;
    private volatile long maintained;

    /// The only peer, if there is one.
    private volatile @Nullable Peer alone;

    public Upstream(UpstreamConfig config) {
        this(config, System::nanoTime);
    }

    /// Takes the time from `nanos`, a monotonic clock.
    public Upstream(UpstreamConfig config, LongSupplier nanos) {
        this(config, nanos, new SplittableRandom());
    }

    /// Takes chance from `random`, which is used with the lock held.
    Upstream(UpstreamConfig config, LongSupplier nanos, RandomGenerator random) {
        configured = config;
        this.config = config;
        this.nanos = nanos;
        resetNanos = nanos.getAsLong();
        OutlierConfig judging = config.outliers();
        outliers = judging == null ? null : new Outliers(judging, resetNanos);
        peers =
                new CopyOnWriteArrayList<>(
                        config.peers().stream()
                                .map(peer -> new Peer(peer, PeerOrigin.CONFIGURED, this))
                                .toList());
        view = Collections.unmodifiableList(peers);
        Candidates candidates = new Candidates(random);
        balancing =
                switch (config.dialect()) {
                    case MARGAY, MOD_JK, NGINX -> new ModJkBalancing(peers, candidates);
                    case MOD_PROXY -> new ModProxyBalancing(peers, candidates);
                };
        maintained = nanos.getAsLong();
        weigh();
    }

    /// As configured, with what has changed at run time; the peers' changes are their own.
    public UpstreamConfig config() {
        return config;
    }

    /// As configured, without what has changed at run time.
    public UpstreamConfig configured() {
        return configured;
    }

    /// Changes what is configured about the whole; name, dialect and peers stay. Load values begin
    /// anew when the method is another.
    public void configure(UpstreamConfig now) {
        UpstreamConfig before = config;
        if (!now.name().equals(before.name()) || now.dialect() != before.dialect()) {
            throw new IllegalArgumentException(before.name() + " keeps its name and its dialect");
        }
        config = now;
        if (now.method() != before.method()) {
            changed(false, true);
        }
    }

    /// Its peers, in the order of the configuration, and then those that have joined.
    public List<Peer> peers() {
        return view;
    }

    /// What its first peer is, with what has changed at run time; while there is none, what its
    /// peers will be but for name, address and share.
    public PeerConfig pattern() {
        for (Peer first : peers) {
            return first.config();
        }
        return configured.pattern();
    }

    /// Those that were added by hand while it is at work.
    public List<Peer> added() {
        return of(PeerOrigin.ADDED);
    }

    /// Those that sources of members have named.
    public List<Peer> discovered() {
        return of(PeerOrigin.DISCOVERED);
    }

    private List<Peer> of(PeerOrigin origin) {
        return peers.stream().filter(peer -> peer.origin() == origin).toList();
    }

    /// Adds a peer by hand.
    ///
    /// @throws IllegalArgumentException when one has its name, or too many were added
    public Peer add(PeerConfig peer) {
        lock.lock();
        try {
            boolean known = named(peer.name()) != null;
            if (known || added().size() >= ADDED_MAX) {
                throw new IllegalArgumentException(
                        known
                                ? "there is a member " + peer.name()
                                : "no more than " + ADDED_MAX + " members can be added");
            }
            Peer made = new Peer(peer, PeerOrigin.ADDED, this);
            peers.add(made);
            weigh();
            balancing.restart();
            return made;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Peer named(String name) {
        for (Peer peer : peers) {
            if (peer.config().name().equals(name)) {
                return peer;
            }
        }
        return null;
    }

    /// What a new set of discovered peers has changed.
    ///
    /// @param joined peers that were not there before
    /// @param left peers that are not there any more: they finish the requests that are on them
    public record Change(List<Peer> joined, List<Peer> left) {}

    /// Replaces the peers that sources of members have named, at once for all requests that are
    /// chosen for afterwards. A peer keeps its state and its connections while its name and the way
    /// to it stay. One that joins others must pass a check first, where there are checks, and
    /// begins with few requests; the first ones are used at once.
    ///
    /// @param now all that there are; one whose name another peer has is left out
    public Change replaceDiscovered(Collection<PeerConfig> now) {
        lock.lock();
        try {
            Map<String, Peer> before = new HashMap<>();
            discovered().forEach(peer -> before.put(peer.config().name(), peer));
            List<Peer> joined = new ArrayList<>();
            List<Peer> back = new ArrayList<>();
            boolean same = true;
            for (PeerConfig each : now) {
                Peer known = before.get(each.name());
                if (known != null && known.sameConnections(each)) {
                    same &= known.configured().equals(each);
                    if (known.redefine(each)) {
                        back.add(known);
                    }
                    before.remove(each.name());
                } else if (known != null || named(each.name()) == null) {
                    joined.add(new Peer(each, PeerOrigin.DISCOVERED, this));
                }
            }
            if (same && joined.isEmpty() && before.isEmpty()) {
                return new Change(List.of(), List.of());
            }
            replace(joined, before.values());
            back.forEach(balancing::joined);
            return new Change(List.copyOf(joined), List.copyOf(before.values()));
        } finally {
            lock.unlock();
        }
    }

    /// Peers or their weights have changed.
    private void weigh() {
        alone = peers.size() == 1 ? peers.getFirst() : null;
        balancing.weigh();
    }

    private void replace(List<Peer> joined, Collection<Peer> left) {
        boolean first = peers.isEmpty();
        left.forEach(Peer::depart);
        peers.addAll(joined);
        peers.removeIf(Peer::departed);
        weigh();
        for (Peer peer : joined) {
            if (!first) {
                peer.join(config.health() != null);
                balancing.joined(peer);
            }
        }
    }

    /// A request has come.
    ///
    /// @return whether members have died on some like it
    public DeadlyRequests.Known came(RequestHead request) {
        long now = nanos.getAsLong();
        retries.request(now);
        return deadly.known(request, now);
    }

    /// Whether a request may be tried once more, as far as there are not too many of them; counts.
    public boolean mayRetry() {
        return retries.retry(config.retries(), nanos.getAsLong());
    }

    /// Two members have died on a request, or one on a suspected one.
    ///
    /// @param suspected whether that was known of its like when it came
    /// @return what is known of its like by now
    public DeadlyRequests.Known diedOn(RequestHead request, boolean suspected) {
        return deadly.add(request, suspected, nanos.getAsLong());
    }

    /// A member has answered a request.
    public void answered(RequestHead request) {
        deadly.answered(request);
    }

    /// A peer chosen for a request.
    ///
    /// @param sticky whether the request's session led to it
    public record Choice(Peer peer, boolean sticky) {}

    /// Chooses a peer, or returns null when none can take the request. Every choice is followed by
    /// [Peer#begin] and [Peer#end].
    public @Nullable Choice choose(Selection selection) {
        long now = nanos.getAsLong();
        Choice unlocked = chooseAlone(selection, now);
        if (unlocked != null) {
            return unlocked;
        }
        lock.lock();
        try {
            maintain(now);
            Outliers known = outliers;
            return known == null || !known.hasAny()
                    ? balancing.choose(config, selection, now)
                    : chooseBesides(known, selection, now);
        } finally {
            lock.unlock();
        }
    }

    /// Chooses where members are out, which are asked when nobody else is left.
    private @Nullable Choice chooseBesides(Outliers known, Selection selection, long now) {
        for (Peer back : known.takeBack(peers, now)) {
            balancing.joined(back);
            LOG.log(
                    Level.INFO,
                    "upstream {0}: {1} is no longer ejected",
                    config.name(),
                    back.config().name());
        }
        boolean other = false;
        for (Peer peer : peers) {
            other |= Balancing.takesAll(peer, selection);
        }
        known.ignore(!other);
        try {
            Choice made = balancing.choose(config, selection, now);
            if (made == null && other) { // they are full, or its session leads elsewhere
                known.ignore(true);
                made = balancing.choose(config, selection, now);
            }
            return made;
        } finally {
            known.ignore(false);
        }
    }

    /// Leaves a member out as another process or gateway does, where it has not seen enough here to
    /// be judged.
    ///
    /// @param member its name and its address
    public void leaveOut(String member, Ejection ejection) {
        Outliers known = outliers;
        String done = null;
        lock.lock();
        try {
            for (Peer peer : peers) {
                if (known != null && peer.config().nameAndAddress().equals(member)) {
                    done = known.adopt(peers, peer, ejection, now());
                }
            }
        } finally {
            lock.unlock();
        }
        if (done != null) {
            LOG.log(Level.WARNING, "upstream {0}: {1}", config.name(), done);
        }
    }

    /// Whether a member is left out because it answers worse than the others.
    ///
    /// @param ofSession whether it is asked for a request of one of its sessions
    boolean leavesOut(Peer peer, boolean ofSession) {
        Outliers known = outliers;
        return known != null && known.isOut(peer, ofSession);
    }

    /// What is known of a new member's answers; null where nobody judges them.
    Outliers.@Nullable Seen judged() {
        return outliers == null ? null : new Outliers.Seen();
    }

    /// How many requests a new member may have; null where answers do not tell.
    @Nullable AdaptiveLimit limiting() {
        AdaptiveConfig adaptive = configured.watching().adaptive();
        return adaptive == null ? null : new AdaptiveLimit(adaptive, now());
    }

    private @Nullable Choice chooseAlone(Selection selection, long now) {
        Peer only = alone;
        UpstreamConfig in = config;
        return only == null || isDue(in, now) ? null : balancing.chooseAlone(in, selection, only);
    }

    /// Does what is due of maintenance. Choosing does it too; this is for times without requests.
    public void maintain() {
        long now = nanos.getAsLong();
        lock.lock();
        try {
            maintain(now);
        } finally {
            lock.unlock();
        }
    }

    private void maintain(long now) {
        UpstreamConfig in = config;
        if (isDue(in, now)) {
            long passed = now - maintained;
            maintained = now;
            balancing.maintain(in, passed / in.maintain().toNanos(), now);
        }
    }

    private boolean isDue(UpstreamConfig in, long now) {
        long interval = in.maintain().toNanos();
        return interval > 0 && now - maintained >= interval;
    }

    /// Seconds until maintenance is due; 0 when there is none.
    public long maintenanceSeconds() {
        long interval = config.maintain().toNanos();
        return Math.max(0, interval - (nanos.getAsLong() - maintained)) / 1_000_000_000L;
    }

    /// Requests that are on its peers at this moment.
    public int busy() {
        return busy.get();
    }

    /// The most requests that were on its peers at one time.
    public int busyMost() {
        return busyMost.get();
    }

    /// Seconds since its counters began.
    public long sinceResetSeconds() {
        return (now() - resetNanos) / 1_000_000_000L;
    }

    /// Begins counters and states of all peers anew.
    public void reset() {
        resetNanos = now();
        busyMost.set(busy.get());
        peers.forEach(this::reset);
    }

    /// Writes how the peers do, by name and address; then an empty name.
    void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            for (Peer peer : peers) {
                out.writeUTF(peer.config().name());
                out.writeUTF(peer.config().address().toString());
                peer.write(out, now);
            }
            out.writeUTF("");
        } finally {
            lock.unlock();
        }
    }

    /// Takes over how peers have done for another process; those that have had requests here know
    /// better.
    void read(DataInput in, long sinceNanos) throws IOException {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
                String address = in.readUTF();
                Peer peer = named(name);
                boolean takes =
                        peer != null
                                && peer.config().address().toString().equals(address)
                                && peer.used() == 0;
                Peer.read(in, takes ? peer : null, now, sinceNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /// @param onPeer requests on the peer, with this one
    void begin(Peer peer, int onPeer) {
        if (Chooser.of(config.method()).measures()) {
            peer.times.begun(onPeer == 1, now());
        }
        int now = busy.incrementAndGet();
        if (now > busyMost.get()) {
            busyMost.accumulateAndGet(now, Math::max);
        }
    }

    /// A request that began on a peer has content, which its client may be slow to send.
    public void awaitsClient(Peer peer, long begun) {
        if (Chooser.of(config.method()).measures()) {
            peer.times.withdraw(begun);
        }
    }

    /// A peer has answered with a head.
    ///
    /// @param took in nanoseconds, from when it had the request
    /// @param queued how long it says that the request waited there; negative = it says nothing
    public void responded(Peer peer, int status, long took, long queued) {
        AdaptiveLimit limit = peer.adaptive;
        if (limit != null && !Outcome.hasFailed(status)) {
            limit.answered(took, queued, peer.busy(), now());
        }
        if (Chooser.of(config.method()).measures()) {
            peer.times.add(took, status >= 500, now());
        }
        Outliers known = outliers;
        if (known != null) {
            judge(known, peer, took, Outcome.hasFailed(status));
        }
    }

    private void judge(Outliers known, Peer peer, long took, boolean failed) {
        Outliers.Seen seen = peer.outlier;
        if (seen != null) {
            seen.count(took, failed);
        }
        long now = now();
        if (!known.isDue(now)) {
            return;
        }
        List<String> done = List.of();
        lock.lock();
        try {
            if (known.isDue(now)) {
                done = known.judge(peers, now);
            }
        } finally {
            lock.unlock();
        }
        for (String each : done) {
            LOG.log(Level.WARNING, "upstream {0}: {1}", config.name(), each);
        }
    }

    void end(Peer peer, Outcome outcome, long bytes) {
        busy.decrementAndGet();
        UpstreamConfig in = config;
        if (outcome.isOfPeer() && Chooser.of(in.method()).measures()) {
            peer.times.add(0, true, now());
        }
        if (peer.adaptive != null && outcome.isOfPeer()) {
            peer.adaptive.failed();
        }
        Outliers known = outliers;
        if (known != null && outcome.isOfPeer()) {
            judge(known, peer, 0, true);
        }
        if (!peer.rampingUp() && !balancing.isNews(in, peer, outcome)) {
            return;
        }
        long now = nanos.getAsLong();
        lock.lock();
        try {
            balancing.ended(in, peer, outcome, bytes, now);
            if (outcome == Outcome.OK) {
                peer.widen();
            }
        } finally {
            lock.unlock();
        }
    }

    void changed(boolean weights, boolean all) {
        lock.lock();
        try {
            if (weights) {
                weigh();
            }
            if (all) {
                balancing.restart();
            }
        } finally {
            lock.unlock();
        }
    }

    void checked(Peer peer, boolean healthy) {
        lock.lock();
        try {
            peer.setHealthy(healthy);
            if (healthy) {
                balancing.recover(peer);
            }
        } finally {
            lock.unlock();
        }
    }

    void recover(Peer peer) {
        lock.lock();
        try {
            balancing.recover(peer);
        } finally {
            lock.unlock();
        }
    }

    void reset(Peer peer) {
        lock.lock();
        try {
            peer.clearCounters();
        } finally {
            lock.unlock();
        }
    }

    Long read(Supplier<Long> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    long now() {
        return nanos.getAsLong();
    }
}
