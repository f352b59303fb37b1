package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The members of one upstream that have registered here, each until its lease ends; they outlive a
/// reload. Leases are counted by this server's clock from when they come, so it does not matter
/// which time it is elsewhere. Thread-safe; `lock` guards the leases.
public final class Registrations {
    private final LongSupplier nanos;
    private final DiscoveryLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Lease> leases = new HashMap<>();

    /// Whether the last ones have said that they leave.
    private boolean left;

    private record Lease(MemberLine member, long endNanos) {}

    /// What has become of a registration.
    enum Outcome {
        /// Something has changed.
        CHANGED,
        /// Its lease begins anew, and nothing else.
        RENEWED,
        /// Another member has the name.
        TAKEN,
        /// There are as many as there may be.
        FULL
    }

    /// @param nanos a monotonic clock
    public Registrations(LongSupplier nanos, DiscoveryLimits limits) {
        this.nanos = nanos;
        this.limits = limits;
    }

    /// Registers a member, or renews its lease.
    Outcome put(String name, MemberLine member, Duration lease) {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            Lease known = known(name, now);
            if (known != null && !known.member.url().equals(member.url())) {
                return Outcome.TAKEN;
            }
            if (known == null) {
                forgetEnded(now);
                if (leases.size() >= limits.membersMax()) {
                    return Outcome.FULL;
                }
            }
            leases.put(name, new Lease(member, now + lease.toNanos()));
            return known != null && known.member.equals(member) ? Outcome.RENEWED : Outcome.CHANGED;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Lease known(String name, long now) {
        Lease known = leases.get(name);
        return known == null || known.endNanos - now <= 0 ? null : known;
    }

    private void forgetEnded(long now) {
        if (leases.values().removeIf(each -> each.endNanos - now <= 0)) {
            left = false;
        }
    }

    /// Ends the lease of a member that leaves.
    ///
    /// @return whether there was one
    boolean remove(String name) {
        lock.lock();
        try {
            forgetEnded(nanos.getAsLong());
            boolean there = leases.remove(name) != null;
            left |= there;
            return there;
        } finally {
            lock.unlock();
        }
    }

    /// What looks at them for a source. If the leases of all have ended, it is not believed for a
    /// while that there is nobody: it may be this server that nobody reaches.
    public MemberFinder finder(MemberSource source) {
        return new MemberFinder() {
            @Override
            public Finding find() {
                return look(source);
            }

            @Override
            public boolean isImmediate() {
                return true;
            }
        };
    }

    private Finding look(MemberSource source) {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            forgetEnded(now);
            if (leases.isEmpty() && !left) {
                return new Finding.None("no member is registered", source.every());
            }
            long least = source.every().toNanos();
            List<PeerConfig> members = new ArrayList<>();
            for (Lease each : leases.values()) {
                least = Math.min(least, each.endNanos - now);
                members.add(each.member.member(source, false));
            }
            return new Finding.Members(members, Duration.ofNanos(least));
        } finally {
            lock.unlock();
        }
    }
}
