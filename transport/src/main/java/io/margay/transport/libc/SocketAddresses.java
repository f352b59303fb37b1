package io.margay.transport.libc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Addresses as C has them. One instance per loop, confined to it.
///
/// ```
/// sockaddr_in   family:2 port:2(big endian) address:4 zero:8
/// sockaddr_in6  family:2 port:2(big endian) flow:4 address:16 scope:4
/// sockaddr_un   family:2 path:108, ended by NUL
/// ```
public final class SocketAddresses {
    private static final int BYTES = 28;
    private static final int IN_BYTES = 16;
    private static final long PORT = 2;
    private static final long V4_ADDRESS = 4;
    private static final long V6_ADDRESS = 8;
    private static final long V6_SCOPE = 24;
    private static final long UNIX_PATH = 2;
    private static final int UNIX_PATH_BYTES_MAX = 107;

    private static final int ROOM_BYTES = 112;

    private final MemorySegment address;
    private final MemorySegment length;

    public SocketAddresses(Libc libc) {
        address = libc.allocate(ROOM_BYTES);
        length = libc.allocate(8);
    }

    /// Where a call puts an address.
    public MemorySegment address() {
        return address;
    }

    /// Where a call finds how much room there is, and puts the length.
    public MemorySegment length() {
        length.set(JAVA_INT, 0, ROOM_BYTES);
        return length;
    }

    public static int family(InetAddress of) {
        return of instanceof Inet6Address ? Libc.AF_INET6 : Libc.AF_INET;
    }

    /// Puts an address.
    ///
    /// @return its length
    public int put(InetSocketAddress value) throws IOException {
        InetAddress ip = value.getAddress();
        if (ip == null) {
            throw new UnknownHostException(value.getHostString());
        }
        address.fill((byte) 0);
        address.set(JAVA_SHORT, 0, (short) family(ip));
        address.set(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), PORT, (short) value.getPort());
        byte[] bytes = ip.getAddress();
        boolean v4 = ip instanceof Inet4Address;
        MemorySegment.copy(
                bytes, 0, address, JAVA_BYTE, v4 ? V4_ADDRESS : V6_ADDRESS, bytes.length);
        if (ip instanceof Inet6Address v6) {
            address.set(JAVA_INT, V6_SCOPE, v6.getScopeId());
        }
        return v4 ? IN_BYTES : BYTES;
    }

    /// Puts the address of a Unix socket.
    ///
    /// @return its length
    public int put(UnixDomainSocketAddress value) throws IOException {
        byte[] path = value.getPath().toString().getBytes(StandardCharsets.UTF_8);
        if (path.length == 0 || path.length > UNIX_PATH_BYTES_MAX) {
            throw new IOException("the path of a Unix socket has 1 to 107 bytes");
        }
        address.fill((byte) 0);
        address.set(JAVA_SHORT, 0, (short) Libc.AF_UNIX);
        MemorySegment.copy(path, 0, address, JAVA_BYTE, UNIX_PATH, path.length);
        return (int) UNIX_PATH + path.length + 1;
    }

    /// The family of what was put last.
    public int family() {
        return address.get(JAVA_SHORT, 0);
    }

    /// Gets what a call has put for a socket that is bound: an address, or the file of a Unix
    /// socket.
    public SocketAddress bound() throws IOException {
        if (family() != Libc.AF_UNIX) {
            return get();
        }
        byte[] path = new byte[UNIX_PATH_BYTES_MAX];
        MemorySegment.copy(address, JAVA_BYTE, UNIX_PATH, path, 0, path.length);
        int end = 0;
        while (end < length.get(JAVA_INT, 0) - UNIX_PATH && end < path.length && path[end] != 0) {
            end++;
        }
        return UnixDomainSocketAddress.of(new String(path, 0, end, StandardCharsets.UTF_8));
    }

    /// Gets an Internet address that a call has put.
    public InetSocketAddress get() throws IOException {
        int family = address.get(JAVA_SHORT, 0);
        int port = address.get(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), PORT) & 0xffff;
        boolean v4 = family == Libc.AF_INET;
        if (!v4 && family != Libc.AF_INET6) {
            throw new IOException("address of unknown family " + family);
        }
        byte[] bytes = new byte[v4 ? 4 : 16];
        MemorySegment.copy(
                address, JAVA_BYTE, v4 ? V4_ADDRESS : V6_ADDRESS, bytes, 0, bytes.length);
        int scope = v4 ? 0 : address.get(JAVA_INT, V6_SCOPE);
        // getByAddress turns an IPv4 address inside IPv6 into an IPv4 address.
        InetAddress ip =
                scope == 0
                        ? InetAddress.getByAddress(bytes)
                        : Inet6Address.getByAddress(null, bytes, scope);
        return new InetSocketAddress(ip, port);
    }
}
