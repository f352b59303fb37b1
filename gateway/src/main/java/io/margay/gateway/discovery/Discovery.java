package io.margay.gateway.discovery;

import io.margay.gateway.balance.Members;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// The sources of members of one upstream at work. Thread-safe: each source is looked at by a
/// virtual thread of its own; what they have found is put together under `lock`, which is never
/// held while a source is asked.
public final class Discovery implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final Upstream upstream;
    private final LongSupplier nanos;
    private final DiscoveryLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final Map<SourceState, MemberFinder> sources = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch looked;
    private Consumer<Members.Change> changed = _ -> {};
    private boolean closed;

    /// @param open makes what looks at a source
    /// @param nanos a monotonic clock
    public Discovery(
            Upstream upstream,
            Function<MemberSource, MemberFinder> open,
            LongSupplier nanos,
            DiscoveryLimits limits) {
        this.upstream = upstream;
        this.nanos = nanos;
        this.limits = limits;
        for (MemberSource each : upstream.configured().sources()) {
            sources.put(new SourceState(each), open.apply(each));
        }
        looked = new CountDownLatch(sources.size());
    }

    /// Has `listener` told what a new set of members has changed, after it is active; nobody else
    /// is told from then on.
    public void onChange(Consumer<Members.Change> listener) {
        lock.lock();
        try {
            changed = listener;
        } finally {
            lock.unlock();
        }
    }

    /// Begins to look.
    public void start() {
        sources.forEach((state, finder) ->
                threads.add(
                        Thread.ofVirtual()
                                .name("margay-members-" + upstream.config().name())
                                .start(() -> run(state, finder))));
    }

    /// Waits until each source has been looked at once, at most until then.
    public void awaitFirst(long untilNanos) {
        try {
            boolean _ = looked.await(untilNanos - nanos.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(SourceState state, MemberFinder finder) {
        try (finder) {
            Duration pause = look(state, finder);
            looked.countDown();
            while (rest(pause)) {
                pause = look(state, finder);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Looks at a source once, and puts what it has found in force.
    ///
    /// @return how long to wait before the next time
    Duration look(SourceState state, MemberFinder finder) throws InterruptedException {
        if (!finder.isImmediate()) {
            return apply(state, ask(finder));
        }
        lock.lock();
        try {
            return apply(state, ask(finder));
        } finally {
            lock.unlock();
        }
    }

    /// Looks at a source that takes no time, at once: what it has found is active afterwards.
    public void refresh(MemberSource source) {
        lock.lock();
        try {
            for (Map.Entry<SourceState, MemberFinder> each : sources.entrySet()) {
                if (each.getKey().source().equals(source)) {
                    Duration _ = look(each.getKey(), each.getValue());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private Finding ask(MemberFinder finder) throws InterruptedException {
        try {
            return finder.find();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a source of members cannot be read", e);
            return new Finding.Failed(e.toString(), limits.retry());
        }
    }

    private Duration apply(SourceState state, Finding finding) {
        lock.lock();
        try {
            if (closed) {
                return Duration.ZERO;
            }
            long now = nanos.getAsLong();
            String news = state.found(bounded(finding), now);
            if (news != null) {
                LOG.log(
                        finding instanceof Finding.Members ? Level.INFO : Level.WARNING,
                        "upstream {0}: {1}: {2}",
                        upstream.config().name(),
                        state.source().place(),
                        news);
            }
            replace(now);
            return state.due(finding.again(), now);
        } finally {
            lock.unlock();
        }
    }

    private Finding bounded(Finding finding) {
        return finding instanceof Finding.Members found
                        && found.members().size() > limits.membersMax()
                ? new Finding.Failed(
                        "it names more than " + limits.membersMax() + " members", found.again())
                : finding;
    }

    private void replace(long now) {
        Map<String, PeerConfig> all = new LinkedHashMap<>();
        for (SourceState each : sources.keySet()) {
            each.members(now).forEach(member -> all.putIfAbsent(member.name(), member));
        }
        Members.Change change = upstream.replaceDiscovered(all.values());
        tell(change.joined(), "has joined");
        tell(change.left(), "has left");
        if (!change.joined().isEmpty() || !change.left().isEmpty()) {
            changed.accept(change);
        }
    }

    private void tell(List<Peer> peers, String what) {
        for (Peer peer : peers) {
            LOG.log(
                    Level.INFO,
                    "upstream {0}: {1} {2}",
                    upstream.config().name(),
                    peer.config().name(),
                    what);
        }
    }

    /// @return whether to go on
    private boolean rest(Duration pause) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Math.max(limits.againMin().toNanos(), pause.toNanos());
            while (!closed && left > 0) {
                left = closing.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /// What is known of the sources, in their order.
    List<SourceState> states() {
        return List.copyOf(sources.keySet());
    }

    /// How the sources do.
    public List<DiscoveryReading> read() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            return sources.keySet().stream().map(each -> each.read(now)).toList();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all looking; the members stay.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
        threads.forEach(Thread::interrupt);
    }

    /// Waits until nothing is looked at any more; after [#close].
    void awaitEnd() throws InterruptedException {
        for (Thread each : threads) {
            each.join();
        }
    }
}
