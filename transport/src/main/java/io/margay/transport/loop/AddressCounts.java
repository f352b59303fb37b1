package io.margay.transport.loop;

import io.margay.transport.AddressLimit;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The open connections of a listener by address, of which there are never more than connections.
/// Thread-safe.
public final class AddressCounts {
    /// An address of IPv4 among the networks of IPv6, where nothing is assigned.
    private static final long IPV4 = 1L << 32;

    private static final int NETWORK_BYTES = 8;

    /// How often the log tells of clients over the limit.
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable AddressLimit limit;
    private final ConcurrentHashMap<Long, Integer> counts = new ConcurrentHashMap<>();
    private final AtomicLong reportedNanos = new AtomicLong(System.nanoTime() - REPORT_NANOS);

    /// @param limit null = none, and nothing is counted
    public AddressCounts(@Nullable AddressLimit limit) {
        this.limit = limit;
    }

    /// Counts a connection, unless its address has as many as it may.
    public boolean enter(SocketAddress remote) {
        AddressLimit known = limit;
        InetAddress address = known == null ? null : address(remote);
        if (known == null || address == null) {
            return true;
        }
        long client = client(address);
        int open = counts.merge(client, 1, Integer::sum);
        if (open <= known.connectionsMax() || known.exempt().test(remote)) {
            return true;
        }
        leave(client);
        report(remote, known);
        return false;
    }

    /// A connection that was counted is closed.
    public void leave(SocketAddress remote) {
        InetAddress address = limit == null ? null : address(remote);
        if (address != null) {
            leave(client(address));
        }
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

    private static long client(InetAddress address) {
        byte[] bytes = address.getAddress();
        int count = address instanceof Inet6Address ? NETWORK_BYTES : bytes.length;
        long number = 0;
        for (int i = 0; i < count; i++) {
            number = (number << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return address instanceof Inet6Address ? number : IPV4 | number;
    }
}
