package io.margay.transport.datagram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.margay.transport.libc.Libc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Addresses of datagrams as C has them, and those that were seen of late, so that the datagrams of
/// a client cost no new ones. Confined to its loop.
///
/// ```
/// sockaddr_in   family:2 port:2(big endian) address:4 zero:8
/// sockaddr_in6  family:2 port:2(big endian) flow:4 address:16 scope:4
/// ```
final class Names {
    private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int KNOWN = 64;
    private static final int V4_BYTES = 16;
    private static final int V6_BYTES = 28;
    private static final long LOW_HALF = 0xffff_ffffL;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final boolean v6;
    private final long[] keys = new long[4 * KNOWN];
    private final @Nullable InetSocketAddress[] known = new @Nullable InetSocketAddress[KNOWN];

    /// @param v6 whether the socket is one of IPv6, for which addresses of IPv4 are mapped
    Names(boolean v6) {
        this.v6 = v6;
    }

    /// The address at a place; null when it is of another family.
    @Nullable InetSocketAddress get(MemorySegment from, long at) throws UnknownHostException {
        short family = from.get(JAVA_SHORT, at);
        if (family == Libc.AF_INET) {
            return get(from.get(JAVA_LONG, at), 0, 0, 0, from, at + 4, 4);
        }
        if (family == Libc.AF_INET6) {
            return get(
                    from.get(JAVA_LONG, at) & LOW_HALF,
                    from.get(JAVA_LONG, at + 8),
                    from.get(JAVA_LONG, at + 16),
                    from.get(JAVA_INT, at + 24),
                    from,
                    at + 8,
                    16);
        }
        return null;
    }

    private InetSocketAddress get(
            long a, long b, long c, int scope, MemorySegment from, long at, int length)
            throws UnknownHostException {
        long mixed = (a ^ Long.rotateLeft(b, 21) ^ c) * 0x9e37_79b9_7f4a_7c15L;
        int place = (int) (mixed >>> 58) & (KNOWN - 1);
        InetSocketAddress held = known[place];
        int key = 4 * place;
        if (held != null
                && keys[key] == a
                && keys[key + 1] == b
                && keys[key + 2] == c
                && keys[key + 3] == scope) {
            return held;
        }
        int port = Short.toUnsignedInt(Short.reverseBytes((short) (a >>> 16)));
        InetSocketAddress made = new InetSocketAddress(address(from, at, length, scope), port);
        known[place] = made;
        keys[key] = a;
        keys[key + 1] = b;
        keys[key + 2] = c;
        keys[key + 3] = scope;
        return made;
    }

    /// An address without a port; one of IPv4 that is mapped comes as one of IPv4.
    static InetAddress address(MemorySegment from, long at, int length, int scope)
            throws UnknownHostException {
        byte[] octets = new byte[length];
        MemorySegment.copy(from, JAVA_BYTE, at, octets, 0, length);
        return scope == 0
                ? InetAddress.getByAddress(octets)
                : Inet6Address.getByAddress(null, octets, scope);
    }

    /// Puts an address.
    ///
    /// @return its length
    int put(InetSocketAddress address, MemorySegment into, long at) {
        InetAddress ip = address.getAddress();
        into.set(JAVA_SHORT, at, (short) (v6 ? Libc.AF_INET6 : Libc.AF_INET));
        into.set(PORT, at + 2, (short) address.getPort());
        into.set(JAVA_INT, at + 4, 0);
        if (!v6) {
            putOctets(ip, into, at + 4);
            into.set(JAVA_LONG, at + 8, 0);
            return V4_BYTES;
        }
        putOctets(ip, into, at + 8);
        into.set(JAVA_INT, at + 24, ip instanceof Inet6Address six ? six.getScopeId() : 0);
        return V6_BYTES;
    }

    /// Puts an address without a port: four octets, or 16 for IPv6.
    void putOctets(InetAddress ip, MemorySegment into, long at) {
        byte[] octets = ip.getAddress();
        if (v6 && octets.length == 4) {
            MemorySegment.copy(MAPPED, 0, into, JAVA_BYTE, at, MAPPED.length);
            MemorySegment.copy(octets, 0, into, JAVA_BYTE, at + MAPPED.length, 4);
        } else {
            MemorySegment.copy(octets, 0, into, JAVA_BYTE, at, octets.length);
        }
    }
}
