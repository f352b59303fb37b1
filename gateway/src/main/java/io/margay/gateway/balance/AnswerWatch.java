package io.margay.gateway.balance;

import io.margay.gateway.attempt.AdaptiveLimit;
import io.margay.gateway.config.AdaptiveConfig;
import io.margay.gateway.config.OutlierConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What an upstream learns from the answers of its peers: how long they take, how many requests one
/// may have, and which answer worse than the others. Counts without a lock; judges with `lock`, the
/// upstream's, held.
public final class AnswerWatch {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final Upstream upstream;
    private final ReentrantLock lock;
    private final @Nullable AdaptiveConfig adaptive;

    /// Null where members are not judged by each other.
    private final @Nullable Outliers outliers;

    private volatile boolean measures;

    AnswerWatch(Upstream upstream, ReentrantLock lock) {
        this.upstream = upstream;
        this.lock = lock;
        UpstreamConfig config = upstream.configured();
        OutlierConfig judging = config.outliers();
        outliers = judging == null ? null : new Outliers(judging, upstream.now());
        adaptive = config.watching().adaptive();
        configure(config);
    }

    /// The method is another.
    void configure(UpstreamConfig config) {
        measures = Chooser.of(config.method()).measures();
    }

    Ejection.@Nullable Seen judged() {
        return outliers == null ? null : new Ejection.Seen();
    }

    @Nullable AdaptiveLimit limiting() {
        return adaptive == null ? null : new AdaptiveLimit(adaptive, upstream.now());
    }

    boolean leavesOut(Peer peer, boolean ofSession) {
        return outliers != null && outliers.isOut(peer, ofSession);
    }

    /// Those that are left out; null = no peer is. The lock is held.
    @Nullable Outliers leftOut() {
        return outliers == null || !outliers.hasAny() ? null : outliers;
    }

    /// A request begins on a peer.
    void begun(Peer peer, boolean alone) {
        if (measures) {
            peer.times.begun(alone, upstream.now());
        }
    }

    /// A request that began on a peer has content, which its client may be slow to send.
    public void awaitsClient(Peer peer, long begun) {
        if (measures) {
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
            limit.answered(took, queued, peer.busy(), upstream.now());
        }
        if (measures) {
            peer.times.add(took, status >= 500, upstream.now());
        }
        judge(peer, took, Outcome.hasFailed(status));
    }

    /// An attempt has failed by the peer's fault.
    void failed(Peer peer) {
        if (measures) {
            peer.times.add(0, true, upstream.now());
        }
        if (peer.adaptive != null) {
            peer.adaptive.failed();
        }
        judge(peer, 0, true);
    }

    private void judge(Peer peer, long took, boolean failed) {
        Outliers known = outliers;
        if (known == null) {
            return;
        }
        Ejection.Seen seen = peer.outlier;
        if (seen != null) {
            seen.count(took, failed);
        }
        long now = upstream.now();
        if (!known.isDue(now)) {
            return;
        }
        List<String> done = List.of();
        lock.lock();
        try {
            if (known.isDue(now)) {
                done = known.judge(upstream.peers(), now);
            }
        } finally {
            lock.unlock();
        }
        done.forEach(this::warn);
    }

    /// Leaves a member out as another process or gateway does, where it has not seen enough here to
    /// be judged.
    ///
    /// @param member its name and its address
    public void leaveOut(String member, Ejection ejection) {
        Outliers known = outliers;
        if (known == null) {
            return;
        }
        String done = null;
        lock.lock();
        try {
            for (Peer peer : upstream.peers()) {
                if (peer.config().nameAndAddress().equals(member)) {
                    done = known.adopt(upstream.peers(), peer, ejection, upstream.now());
                }
            }
        } finally {
            lock.unlock();
        }
        if (done != null) {
            warn(done);
        }
    }

    private void warn(String done) {
        LOG.log(Level.WARNING, "upstream {0}: {1}", upstream.config().name(), done);
    }
}
