package io.margay.transport.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The calls on sockets of UDP, many datagrams at a time, in the general shape of [Libc].
/// Thread-safe; each caller has memory of its own.
public final class DatagramCalls {
    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_UDP = 17;
    public static final int IP_TOS = 1;
    public static final int IP_PKTINFO = 8;
    public static final int IP_MTU_DISCOVER = 10;
    public static final int IP_RECVTOS = 13;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_RECVPKTINFO = 49;
    public static final int IPV6_PKTINFO = 50;
    public static final int IPV6_RECVTCLASS = 66;
    public static final int IPV6_TCLASS = 67;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_REUSEPORT = 15;

    /// Datagrams are never fragmented, and what the kernel believes of the path does not bound
    /// them.
    public static final int PMTUDISC_PROBE = 3;

    public static final int EIO = 5;
    public static final int EINVAL = 22;
    public static final int EMSGSIZE = 90;

    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;

    /// Looked up with the first socket.
    private static final class Functions {
        static final MemorySegment SOCKET = Libc.find("socket");
        static final MemorySegment RECVMMSG = Libc.find("recvmmsg");
        static final MemorySegment SENDMMSG = Libc.find("sendmmsg");
        static final MemorySegment SOCKETPAIR = Libc.find("socketpair");
        static final MemorySegment RECV = Libc.find("recv");
        static final MemorySegment SEND = Libc.find("send");

        private Functions() {}
    }

    private final Libc libc;

    public DatagramCalls(Libc libc) {
        this.libc = libc;
    }

    /// A socket of UDP whose calls do not wait.
    ///
    /// @param family [Libc#AF_INET] or [Libc#AF_INET6]
    public int socket(int family) throws IOException {
        MemorySegment errno = libc.allocate(8);
        int type = SOCK_DGRAM | Libc.SOCK_NONBLOCK | Libc.SOCK_CLOEXEC;
        int fd = (int) Libc.call(errno, Functions.SOCKET, family, type, 0, 0, 0, 0);
        if (fd < 0) {
            throw Libc.failure("socket", errno.get(JAVA_INT, 0));
        }
        return fd;
    }

    /// Two Unix sockets that carry messages to each other, and tell the end of each other.
    public int[] pair() throws IOException {
        MemorySegment errno = libc.allocate(8);
        MemorySegment pair = libc.allocate(8);
        long at = pair.address();
        int type = SOCK_SEQPACKET | Libc.SOCK_CLOEXEC;
        if (Libc.call(errno, Functions.SOCKETPAIR, Libc.AF_UNIX, type, 0, at, 0, 0) < 0) {
            throw Libc.failure("socketpair", errno.get(JAVA_INT, 0));
        }
        return new int[] {pair.get(JAVA_INT, 0), pair.get(JAVA_INT, 4)};
    }

    /// Receives a message; waits.
    ///
    /// @return its octets, 0 at the end, or the negated errno
    public int receiveOne(MemorySegment errno, int fd, MemorySegment target, int length) {
        int r = (int) Libc.call(errno, Functions.RECV, fd, target.address(), length, 0, 0, 0);
        return r >= 0 ? r : -errno.get(JAVA_INT, 0);
    }

    /// Sends a message; does not wait.
    ///
    /// @return its octets, or the negated errno
    public int sendOne(MemorySegment errno, int fd, MemorySegment source, int length) {
        int flags = Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL;
        int r = (int) Libc.call(errno, Functions.SEND, fd, source.address(), length, flags, 0, 0);
        return r >= 0 ? r : -errno.get(JAVA_INT, 0);
    }

    /// Receives what has come.
    ///
    /// @param errno one int outside the heap, for this caller alone
    /// @param messages an array of `mmsghdr`
    /// @return how many, or the negated errno
    public int receive(MemorySegment errno, int fd, MemorySegment messages, int count) {
        long at = messages.address();
        int flags = Libc.MSG_DONTWAIT;
        int r = (int) Libc.call(errno, Functions.RECVMMSG, fd, at, count, flags, 0, 0);
        return r >= 0 ? r : -errno.get(JAVA_INT, 0);
    }

    /// Sends.
    ///
    /// @param messages the address of an array of `mmsghdr`
    /// @return how many were taken, or the negated errno, which is the first one's
    public int send(MemorySegment errno, int fd, long messages, int count) {
        int flags = Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL;
        int r = (int) Libc.call(errno, Functions.SENDMMSG, fd, messages, count, flags, 0, 0);
        return r >= 0 ? r : -errno.get(JAVA_INT, 0);
    }
}
