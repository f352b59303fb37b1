package io.margay.members.watch;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.Finding;
import io.margay.gateway.discovery.MemberFinder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reads all members of an API once, then follows what changes. A look waits for an event, a second
/// at most. Used by one thread.
final class WatchedMembers implements MemberFinder {
    private final MemberSource source;
    private final Watched watched;
    private final DiscoveryLimits limits;
    private final WatchLimits bounds;
    private final LongSupplier nanos;
    private boolean known;

    /// Whether what was said last must be said again as long as it is so: that there is nobody, or
    /// that it cannot be told who is.
    private boolean lasting;

    private @Nullable EventLines events;
    private long begunNanos;

    /// @param nanos a monotonic clock
    WatchedMembers(
            MemberSource source,
            Watched watched,
            DiscoveryLimits limits,
            WatchLimits bounds,
            LongSupplier nanos) {
        this.source = source;
        this.watched = watched;
        this.limits = limits;
        this.bounds = bounds;
        this.nanos = nanos;
    }

    @Override
    public Finding find() throws InterruptedException {
        try {
            if (!known) {
                watched.readAll();
                known = true;
                return members();
            }
            EventLines going = events;
            if (going == null) {
                going = watched.watch();
                events = going;
                begunNanos = nanos.getAsLong();
            }
            return follow(going);
        } catch (ExpiredException e) {
            forget();
            return new Finding.Same(Duration.ZERO);
        } catch (IOException e) {
            watched.failed();
            endWatch();
            String why = e.getMessage();
            return new Finding.Failed(why == null ? e.toString() : why, limits.retry());
        }
    }

    private void forget() {
        known = false;
        endWatch();
    }

    private void endWatch() {
        EventLines going = events;
        if (going != null) {
            going.close();
            events = null;
        }
    }

    private Finding follow(EventLines going) throws IOException, InterruptedException {
        boolean news = false;
        long until = nanos.getAsLong() + bounds.patience().toNanos();
        String line = going.next(bounds.patience().toNanos());
        while (line != null) {
            news |= take(line);
            line = nanos.getAsLong() - until < 0 ? going.next(0) : null;
        }
        long late = begunNanos + bounds.watch().plus(bounds.grace()).toNanos();
        if (going.isEnded() || nanos.getAsLong() - late > 0) {
            endWatch();
        }
        return news || lasting ? members() : new Finding.Same(Duration.ZERO);
    }

    /// What cannot be understood may be a change that is missing then: all is read again.
    private boolean take(String line) throws IOException {
        try {
            return watched.take(JSON.std.mapFrom(line));
        } catch (IOException e) {
            forget();
            throw e;
        }
    }

    private Finding members() throws IOException {
        lasting = true;
        List<PeerConfig> members = watched.members();
        lasting = members.isEmpty();
        if (members.size() > limits.membersMax()) {
            forget();
            return new Finding.Failed(
                    "it names more than " + limits.membersMax() + " members", limits.retry());
        }
        return lasting
                ? new Finding.None("it has no members for " + source.place(), Duration.ZERO)
                : new Finding.Members(members, Duration.ZERO);
    }

    @Override
    public void close() {
        endWatch();
        watched.close();
    }
}
