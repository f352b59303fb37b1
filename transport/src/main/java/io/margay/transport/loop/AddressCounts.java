package io.margay.transport.loop;

import io.margay.transport.AddressLimit;
import io.margay.transport.ListenerConfig;
import io.margay.transport.ProxyHeader;
import io.margay.transport.unix.SocketFile;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The open connections of a listener by address, of which there are never more than connections.
/// Thread-safe.
public final class AddressCounts {
    /// How often the log tells of clients over the limit.
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable AddressLimit limit;

    /// Whether connections are counted when their load balancer has told of their clients.
    private final boolean proxied;

    private final ConcurrentHashMap<Long, Integer> counts = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong reportedNanos = new AtomicLong(System.nanoTime() - REPORT_NANOS);

    /// Without a limit nothing is counted.
    public AddressCounts(ListenerConfig config) {
        // Clients of a Unix socket have no addresses, but for those that a load balancer tells.
        this(
                SocketFile.isUnix(config.address()) && config.proxyProtocol() == null
                        ? null
                        : config.addresses(),
                config.proxyProtocol() != null);
    }

    AddressCounts(@Nullable AddressLimit limit, boolean proxied) {
        this.limit = limit;
        this.proxied = proxied;
    }

    /// Counts a connection that is accepted, unless its address has as many as it may.
    public boolean enter(SocketAddress remote) {
        return proxied || enters(remote);
    }

    /// Counts a connection whose client a load balancer has told, unless that one has as many as it
    /// may.
    public boolean enter(ProxyHeader told) {
        return told.client() == null || enters(told.client());
    }

    private boolean enters(SocketAddress remote) {
        AddressLimit known = limit;
        InetAddress address = known == null ? null : address(remote);
        if (known == null || address == null) {
            return true;
        }
        long client = AddressLimit.client(address);
        int open = counts.merge(client, 1, Integer::sum);
        if (open <= known.connectionsMax() || known.exempt().test(remote)) {
            return true;
        }
        leave(client);
        refused.increment();
        report(remote, known);
        return false;
    }

    /// A connection is closed.
    ///
    /// @param told by its load balancer; null when none has, or when [#enter] has refused it
    public void leave(SocketAddress remote, @Nullable ProxyHeader told) {
        SocketAddress counted = proxied ? told == null ? null : told.client() : remote;
        InetAddress address = limit == null || counted == null ? null : address(counted);
        if (address != null) {
            leave(AddressLimit.client(address));
        }
    }

    /// How many connections were refused.
    public long refused() {
        return refused.sum();
    }

    private void report(SocketAddress remote, AddressLimit known) {
        long now = System.nanoTime();
        long last = reportedNanos.get();
        if (now - last >= REPORT_NANOS && reportedNanos.compareAndSet(last, now)) {
            SteadyLog.log(
                    Level.WARNING,
                    "connections of "
                            + remote
                            + " are reset: it has "
                            + known.connectionsMax()
                            + " already, which is the limit for one address",
                    null);
        }
    }

    private void leave(long client) {
        counts.computeIfPresent(client, (_, open) -> open == 1 ? null : open - 1);
    }

    private static @Nullable InetAddress address(SocketAddress remote) {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
