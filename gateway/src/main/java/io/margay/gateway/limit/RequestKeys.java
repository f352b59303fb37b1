package io.margay.gateway.limit;

import io.margay.gateway.protocol.SessionIds;
import io.margay.server.exchange.Exchange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What requests are counted by, as a number. Thread-safe: it changes at most once, at the start.
public final class RequestKeys {
    /// What keys are made of, so that those of different kinds never meet.
    private static final byte TEXT = 1;

    private static final byte IPV4 = 2;
    private static final byte IPV6 = 3;
    private static final byte NOWHERE = 4;
    private static final int IPV4_NETWORK = 3;
    private static final int IPV6_NETWORK = 6;
    private static final int IPV6_CLIENT = 8;

    private final LimitKey by;
    private volatile KeyedHash hash;

    public RequestKeys(LimitKey by, RandomGenerator random) {
        this.by = by;
        this.hash = new KeyedHash(random.nextLong(), random.nextLong());
    }

    /// Writes by what it makes numbers, for the process that goes on with them.
    public void write(DataOutput out) throws IOException {
        hash.write(out);
    }

    /// Makes the same numbers as another process; before the first request.
    public void read(DataInput in) throws IOException {
        hash = new KeyedHash(in.readLong(), in.readLong());
    }

    /// Makes the same numbers as another process, if it may change still.
    ///
    /// @param mayChange whether no request has come yet
    /// @return whether it makes the same
    boolean follow(DataInput in, boolean mayChange) throws IOException {
        KeyedHash other = new KeyedHash(in.readLong(), in.readLong());
        if (mayChange) {
            hash = other;
        }
        return hash.equals(other);
    }

    /// The key of an exchange; never 0.
    public long of(Exchange exchange) {
        String text = find(by, exchange);
        return key(text == null ? client(exchange.remote()) : text(text));
    }

    /// The key of a text; never 0.
    public long of(String text) {
        return key(text(text));
    }

    private long key(byte[] bytes) {
        long key = hash.of(bytes);
        return key == 0 ? 1 : key;
    }

    /// Whether a request has what is counted by, other than an address.
    public static boolean isIn(LimitKey by, Exchange exchange) {
        return find(by, exchange) != null;
    }

    private static @Nullable String find(LimitKey by, Exchange exchange) {
        return switch (by) {
            case LimitKey.Everybody _ -> "";
            case LimitKey.Address _, LimitKey.Network _ -> null;
            case LimitKey.User _ -> exchange.remoteUser();
            case LimitKey.Path _ -> path(exchange);
            case LimitKey.Zone _ -> throw new IllegalStateException("a zone knows its keys");
            case LimitKey.Header(String name) -> exchange.request().field(name);
            case LimitKey.Cookie(String name) ->
                    SessionIds.cookie(exchange.request().fields(), name);
        };
    }

    private static String path(Exchange exchange) {
        return exchange.path().error() == null ? exchange.path().path() : "";
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] marked = Arrays.copyOf(bytes, bytes.length + 1);
        marked[bytes.length] = TEXT;
        return marked;
    }

    private byte[] client(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return new byte[] {NOWHERE};
        }
        byte[] address = inet.getAddress().getAddress();
        boolean network = by instanceof LimitKey.Network;
        boolean four = inet.getAddress() instanceof Inet4Address;
        int kept =
                four
                        ? network ? IPV4_NETWORK : address.length
                        : network ? IPV6_NETWORK : IPV6_CLIENT;
        byte[] marked = Arrays.copyOf(address, kept + 1);
        marked[kept] = four ? IPV4 : IPV6;
        return marked;
    }
}
