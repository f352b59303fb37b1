package io.margay.gateway.balance;

import io.margay.gateway.attempt.AdaptiveLimit;
import io.margay.gateway.attempt.RetryGuard;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
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
    private final PeerGroup group = new Group();
    private final Members members;
    private final Balancing balancing;
    private final AnswerWatch answers;
    private final RetryGuard retries;
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
        answers = new AnswerWatch(this, lock);
        retries = new RetryGuard(this::config, nanos);
        members =
                new Members(
                        config.peers().stream()
                                .map(peer -> new Peer(peer, Members.Origin.CONFIGURED, group))
                                .toList());
        List<Peer> peers = members.all();
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
        answers.configure(now);
        if (now.method() != before.method()) {
            group.changed(false, true);
        }
    }

    /// Its peers, in the order of the configuration, and then those that have joined.
    public List<Peer> peers() {
        return members.all();
    }

    /// What its first peer is, with what has changed at run time; while there is none, what its
    /// peers will be but for name, address and share.
    public PeerConfig pattern() {
        for (Peer first : members.all()) {
            return first.config();
        }
        return configured.pattern();
    }

    /// Those that were added by hand while it is at work.
    public List<Peer> added() {
        return members.of(Members.Origin.ADDED);
    }

    /// Adds a peer by hand.
    ///
    /// @throws IllegalArgumentException when one has its name, or too many were added
    public Peer add(PeerConfig peer) {
        lock.lock();
        try {
            boolean known = members.named(peer.name()) != null;
            if (known || added().size() >= ADDED_MAX) {
                throw new IllegalArgumentException(
                        known
                                ? "there is a member " + peer.name()
                                : "no more than " + ADDED_MAX + " members can be added");
            }
            Peer made = new Peer(peer, Members.Origin.ADDED, group);
            members.add(made);
            weigh();
            balancing.restart();
            return made;
        } finally {
            lock.unlock();
        }
    }

    /// Replaces the peers that sources of members have named, at once for all requests that are
    /// chosen for afterwards. A peer keeps its state and its connections while its name and the way
    /// to it stay. One that joins others must pass a check first, where there are checks, and
    /// begins with few requests; the first ones are used at once.
    ///
    /// @param now all that there are; one whose name another peer has is left out
    public Members.Change replaceDiscovered(Collection<PeerConfig> now) {
        lock.lock();
        try {
            boolean first = members.all().isEmpty();
            Members.Replaced replaced =
                    members.replaceDiscovered(
                            now, peer -> new Peer(peer, Members.Origin.DISCOVERED, group));
            Members.Change change = replaced.change();
            if (!replaced.same()) {
                weigh();
            }
            if (!first) {
                for (Peer peer : change.joined()) {
                    peer.join(config.health() != null);
                    balancing.joined(peer);
                }
            }
            replaced.back().forEach(balancing::joined);
            return change;
        } finally {
            lock.unlock();
        }
    }

    /// Peers or their weights have changed.
    private void weigh() {
        alone = members.alone();
        balancing.weigh();
    }

    /// What is known of its peers from their answers.
    public AnswerWatch answers() {
        return answers;
    }

    /// Whether requests may be tried once more.
    public RetryGuard retries() {
        return retries;
    }

    /// Chooses a peer, or returns null when none can take the request. Every choice is followed by
    /// [Peer#begin] and [Peer#end].
    public Selection.@Nullable Choice choose(Selection selection) {
        long now = nanos.getAsLong();
        Selection.Choice unlocked = chooseAlone(selection, now);
        if (unlocked != null) {
            return unlocked;
        }
        lock.lock();
        try {
            maintain(now);
            Outliers known = answers.leftOut();
            return known == null
                    ? balancing.choose(config, selection, now)
                    : chooseBesides(known, selection, now);
        } finally {
            lock.unlock();
        }
    }

    /// Chooses where members are out, which are asked when nobody else is left.
    private Selection.@Nullable Choice chooseBesides(
            Outliers known, Selection selection, long now) {
        for (Peer back : known.takeBack(members.all(), now)) {
            balancing.joined(back);
            LOG.log(
                    Level.INFO,
                    "upstream {0}: {1} is no longer ejected",
                    config.name(),
                    back.config().name());
        }
        boolean other = false;
        for (Peer peer : members.all()) {
            other |= Balancing.takesAll(peer, selection);
        }
        known.ignore(!other);
        try {
            Selection.Choice made = balancing.choose(config, selection, now);
            if (made == null && other) { // they are full, or its session leads elsewhere
                known.ignore(true);
                made = balancing.choose(config, selection, now);
            }
            return made;
        } finally {
            known.ignore(false);
        }
    }

    private Selection.@Nullable Choice chooseAlone(Selection selection, long now) {
        Peer only = alone;
        UpstreamConfig in = config;
        return only == null || isDue(in, now) ? null : balancing.chooseAlone(in, selection, only);
    }

    /// Does what is due of maintenance. Choosing does it too; this is for times without requests.
    public void maintain() {
        long now = nanos.getAsLong();
        locked(() -> maintain(now));
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
        members.all().forEach(group::reset);
    }

    /// Writes how the peers do, by name and address; then an empty name.
    void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            members.write(out, now());
        } finally {
            lock.unlock();
        }
    }

    /// Takes over how peers have done for another process; those that have had requests here know
    /// better.
    void read(DataInput in, long sinceNanos) throws IOException {
        lock.lock();
        try {
            members.read(in, now(), sinceNanos);
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    long now() {
        return nanos.getAsLong();
    }

    /// What peers tell and ask.
    private final class Group implements PeerGroup {
        @Override
        public UpstreamConfig config() {
            return config;
        }

        @Override
        public long now() {
            return nanos.getAsLong();
        }

        @Override
        public Ejection.@Nullable Seen judged() {
            return answers.judged();
        }

        @Override
        public @Nullable AdaptiveLimit limiting() {
            return answers.limiting();
        }

        @Override
        public boolean leavesOut(Peer peer, boolean ofSession) {
            return answers.leavesOut(peer, ofSession);
        }

        @Override
        public void begin(Peer peer, int onPeer) {
            answers.begun(peer, onPeer == 1);
            int now = busy.incrementAndGet();
            if (now > busyMost.get()) {
                busyMost.accumulateAndGet(now, Math::max);
            }
        }

        @Override
        public void end(Peer peer, Outcome outcome, long bytes) {
            busy.decrementAndGet();
            UpstreamConfig in = config;
            if (outcome.isOfPeer()) {
                answers.failed(peer);
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

        @Override
        public void changed(boolean weights, boolean all) {
            locked(() -> {
                if (weights) {
                    weigh();
                }
                if (all) {
                    balancing.restart();
                }
            });
        }

        @Override
        public void checked(Peer peer, boolean healthy) {
            locked(() -> {
                peer.setHealthy(healthy);
                if (healthy) {
                    balancing.recover(peer);
                }
            });
        }

        @Override
        public void recover(Peer peer) {
            locked(() -> balancing.recover(peer));
        }

        @Override
        public void reset(Peer peer) {
            locked(peer::clearCounters);
        }

        @Override
        public Long read(Supplier<Long> value) {
            lock.lock();
            try {
                return value.get();
            } finally {
                lock.unlock();
            }
        }
    }
}
