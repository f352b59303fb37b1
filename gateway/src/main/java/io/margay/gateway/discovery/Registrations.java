package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The members of one upstream that have registered here, each until its lease ends; they outlive a
/// reload. Leases are counted by this server's clock from when they come, so it does not matter
/// which time it is elsewhere. Thread-safe; `lock` guards the leases.
public final class Registrations {
    /// How often a member renews in the time of its lease, and how soon it tries again.
    private static final int RENEWALS = 3;

    private static final Duration RETRY = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final DiscoveryLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition revised = lock.newCondition();
    private final Map<String, Lease> leases = new HashMap<>();

    /// Whether the last ones have said that they leave.
    private boolean left;

    /// Changes with who is registered, and with renewals after a third of a lease.
    private long revision;

    private long revisedNanos;

    /// @param time from its last renewal on
    /// @param met whether the member itself has registered here
    private record Lease(MemberLine member, Duration time, long endNanos, boolean met) {}

    /// A member that is registered, as another process is told of it.
    ///
    /// @param lease from its last renewal on
    /// @param left of that; less than nothing when it has ended
    /// @param met whether the member itself has registered here
    record Known(String name, MemberLine member, Duration lease, Duration left, boolean met) {
        /// One that another process has met.
        Known(String name, MemberLine member, Duration lease, Duration left) {
            this(name, member, lease, left, false);
        }
    }

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
            leases.put(name, new Lease(member, lease, now + lease.toNanos(), true));
            boolean renewed = known != null && known.member.equals(member);
            if (!renewed || now - revisedNanos >= lease.toNanos() / RENEWALS) {
                revise(now);
            }
            return renewed ? Outcome.RENEWED : Outcome.CHANGED;
        } finally {
            lock.unlock();
        }
    }

    private void revise(long now) {
        revision++;
        revisedNanos = now;
        revised.signalAll();
    }

    long revision() {
        lock.lock();
        try {
            return revision;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until somebody is registered, or so long.
    public void awaitMember(long nanosMax) {
        lock.lock();
        try {
            long left = nanosMax;
            while (leases.isEmpty() && left > 0) {
                left = revised.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Who is registered.
    List<Known> known() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            List<Known> all = new ArrayList<>();
            leases.forEach((name, lease) -> all.add(known(name, lease, now)));
            return all;
        } finally {
            lock.unlock();
        }
    }

    private static Known known(String name, Lease lease, long now) {
        return new Known(
                name, lease.member, lease.time, Duration.ofNanos(lease.endNanos - now), lease.met);
    }

    /// Takes over who was registered in another process. Whoever lives renews the lease within a
    /// third of it, so each stays for that long at the least.
    ///
    /// @return whether something has changed
    boolean restore(List<Known> others) {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            boolean changed = false;
            for (Known each : others) {
                Duration third = each.lease.dividedBy(RENEWALS);
                Duration least = third.plus(RETRY);
                boolean ended = each.left.plus(third).isNegative();
                boolean room = leases.size() < limits.membersMax();
                if (!ended && room && known(each.name, now) == null) {
                    Duration left = each.left.compareTo(each.lease) > 0 ? each.lease : each.left;
                    Duration stays = left.compareTo(least) < 0 ? least : left;
                    leases.put(
                            each.name,
                            new Lease(each.member, each.lease, now + stays.toNanos(), false));
                    changed = true;
                }
            }
            if (changed) {
                revise(now);
            }
            return changed;
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
            if (there) {
                revise(nanos.getAsLong());
            }
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
