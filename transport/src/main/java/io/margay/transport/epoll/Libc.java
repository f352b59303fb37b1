package io.margay.transport.epoll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.margay.transport.BufferPool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The calls into the C library, in two shapes, because each distinct shape costs start-up time.
///
/// - **Transfer**: `recv` and `send`, also on heap arrays. Critical (no change of the thread's
///   state, so that a garbage collection waits for the call), which is right only because the
///   sockets never block.
/// - **General**: everything else, six longs each. Functions of fewer arguments ignore the rest, in
///   the calling conventions of x86-64 and aarch64.
///
/// Both are linked on first use. Thread-safe. Memory that C reads is allocated once and not freed
/// before the end of this object.
final class Libc {
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLERR = 8;
    static final int EPOLLHUP = 0x10;
    static final int EPOLLRDHUP = 0x2000;
    static final int EPOLLEXCLUSIVE = 1 << 28;
    static final int EPOLLET = 1 << 31;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_ERROR = 4;
    static final int SO_LINGER = 13;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int TCP_NOTSENT_LOWAT = 25;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_MORE = 0x8000;
    static final int SHUT_WR = 1;

    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EMFILE = 24;
    static final int ENFILE = 23;
    static final int EPIPE = 32;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ECONNABORTED = 103;
    static final int ECONNRESET = 104;
    static final int ENETUNREACH = 101;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;
    static final int EINPROGRESS = 115;

    private static final int CAPTURES = 32;

    /// The linked calls. Loaded with the first call.
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

        static final MethodHandle GENERAL =
                LINKER.downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG),
                        ERRNO);
        static final MethodHandle TRANSFER =
                LINKER.downcallHandle(
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                        ERRNO,
                        Linker.Option.critical(true));

        static final MemorySegment SOCKET = find("socket");
        static final MemorySegment BIND = find("bind");
        static final MemorySegment CONNECT = find("connect");
        static final MemorySegment GETSOCKOPT = find("getsockopt");
        static final MemorySegment LISTEN = find("listen");
        static final MemorySegment ACCEPT4 = find("accept4");
        static final MemorySegment GETSOCKNAME = find("getsockname");
        static final MemorySegment SETSOCKOPT = find("setsockopt");
        static final MemorySegment SHUTDOWN = find("shutdown");
        static final MemorySegment CLOSE = find("close");
        static final MemorySegment WRITE = find("write");
        static final MemorySegment SENDFILE = find("sendfile");
        static final MemorySegment EVENTFD = find("eventfd");
        static final MemorySegment EPOLL_CREATE1 = find("epoll_create1");
        static final MemorySegment EPOLL_CTL = find("epoll_ctl");
        static final MemorySegment EPOLL_WAIT = find("epoll_wait");
        static final MemorySegment RECV = find("recv");
        static final MemorySegment SEND = find("send");

        private Calls() {}

        private static MemorySegment find(String name) {
            return LINKER.defaultLookup().findOrThrow(name);
        }
    }

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
    private final MemorySegment intOne = arena.allocateFrom(JAVA_INT, 1);
    private final MemorySegment intZero = arena.allocateFrom(JAVA_INT, 0);
    private final MemorySegment lingerZero = arena.allocateFrom(JAVA_INT, 1, 0);
    private final BufferPool<MemorySegment> captures =
            new BufferPool<>(CAPTURES, () -> Arena.ofAuto().allocate(JAVA_INT));

    /// Memory for one caller's calls.
    MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, 8);
    }

    /// Receives into memory outside the heap. The socket must not block.
    ///
    /// @param errno one int of the heap, for this caller alone
    /// @return bytes, 0 at the end of input, or -1 with `errno` set
    static int recv(MemorySegment errno, int fd, MemorySegment target, int length) {
        try {
            return (int)
                    (long)
                            Calls.TRANSFER.invokeExact(
                                    Calls.RECV, errno, (long) fd, target, (long) length, 0L);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// Sends from an array. As [#recv].
    ///
    /// @param flags [#MSG_MORE], or 0
    static int send(MemorySegment errno, int fd, byte[] source, int offset, int length, int flags) {
        try {
            MemorySegment from = MemorySegment.ofArray(source).asSlice(offset, length);
            return (int)
                    (long)
                            Calls.TRANSFER.invokeExact(
                                    Calls.SEND,
                                    errno,
                                    (long) fd,
                                    from,
                                    (long) length,
                                    (long) (MSG_NOSIGNAL | flags));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// Sends from memory outside the heap. As [#recv].
    static int send(MemorySegment errno, int fd, MemorySegment source, int length, int flags) {
        try {
            return (int)
                    (long)
                            Calls.TRANSFER.invokeExact(
                                    Calls.SEND,
                                    errno,
                                    (long) fd,
                                    source,
                                    (long) length,
                                    (long) (MSG_NOSIGNAL | flags));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// Waits for events.
    ///
    /// @param errno one int outside the heap, for this caller alone
    int epollWait(MemorySegment errno, int epoll, MemorySegment events, int max, int millis) {
        return (int) call(errno, Calls.EPOLL_WAIT, epoll, events.address(), max, millis, 0);
    }

    /// Sends a part of a file. Not critical: the file may have to be read from a disk.
    ///
    /// @param memory eight bytes outside the heap, for this caller alone
    /// @return bytes, 0 at the file's end, or the negated errno
    int sendfile(MemorySegment memory, int socket, int file, long position, int count) {
        memory.set(JAVA_LONG_UNALIGNED, 0, position);
        return (int) call4(Calls.SENDFILE, socket, file, memory.address(), count);
    }

    int epollCreate() throws IOException {
        return checked(Calls.EPOLL_CREATE1, "epoll_create1", SOCK_CLOEXEC, 0, 0, 0, 0);
    }

    int eventfd() throws IOException {
        return checked(Calls.EVENTFD, "eventfd", 0, SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0, 0);
    }

    void epollCtl(int epoll, int operation, int fd, MemorySegment event) throws IOException {
        checked(Calls.EPOLL_CTL, "epoll_ctl", epoll, operation, fd, event.address(), 0);
    }

    /// Adds one to an eventfd.
    void signal(int eventfd) throws IOException {
        checked(Calls.WRITE, "write", eventfd, one.address(), 8, 0, 0);
    }

    int socket(int family) throws IOException {
        int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
        return checked(Calls.SOCKET, "socket", family, type, 0, 0, 0);
    }

    void bind(int fd, MemorySegment address, int length) throws IOException {
        checked(Calls.BIND, "bind", fd, address.address(), length, 0, 0);
    }

    void listen(int fd, int backlog) throws IOException {
        checked(Calls.LISTEN, "listen", fd, backlog, 0, 0, 0);
    }

    void enable(int fd, int level, int option) throws IOException {
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, intOne.address(), 4);
    }

    void disable(int fd, int level, int option) throws IOException {
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, intZero.address(), 4);
    }

    /// Sets an option that is a number.
    void set(int fd, int level, int option, int value) throws IOException {
        MemorySegment memory = allocate(4);
        memory.set(JAVA_INT, 0, value);
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, memory.address(), 4);
    }

    /// Has [#close] send a reset.
    void lingerZero(int fd) throws IOException {
        long value = lingerZero.address();
        checked(Calls.SETSOCKOPT, "setsockopt", fd, SOL_SOCKET, SO_LINGER, value, 8);
    }

    /// Accepts; see [SocketAddresses] for the memory.
    ///
    /// @return the descriptor, or -1 when no connection waits
    int accept(int fd, MemorySegment address, MemorySegment length) throws IOException {
        int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
        for (; ; ) {
            long r = call4(Calls.ACCEPT4, fd, address.address(), length.address(), flags);
            if (r >= 0) {
                return (int) r;
            }
            int errno = (int) -r;
            if (errno == EAGAIN) {
                return -1;
            }
            if (errno != EINTR && errno != ECONNABORTED) {
                throw failure("accept4", errno);
            }
        }
    }

    /// Begins to connect.
    ///
    /// @return whether it is connected already
    boolean connect(int fd, MemorySegment address, int length) throws IOException {
        int r = (int) call4(Calls.CONNECT, fd, address.address(), length, 0);
        if (r == -EINPROGRESS || r == -EINTR) {
            return false;
        }
        if (r < 0) {
            throw failure("connect", -r);
        }
        return true;
    }

    /// Throws why connecting has failed, if it has.
    void checkConnected(int fd) throws IOException {
        MemorySegment result = allocate(16);
        result.set(JAVA_INT, 8, 4);
        checked(
                Calls.GETSOCKOPT,
                "getsockopt",
                fd,
                SOL_SOCKET,
                SO_ERROR,
                result.address(),
                result.address() + 8);
        int error = result.get(JAVA_INT, 0);
        if (error != 0) {
            throw failure("connect", error);
        }
    }

    void getsockname(int fd, MemorySegment address, MemorySegment length) throws IOException {
        checked(Calls.GETSOCKNAME, "getsockname", fd, address.address(), length.address(), 0, 0);
    }

    void shutdownOutput(int fd) throws IOException {
        checked(Calls.SHUTDOWN, "shutdown", fd, SHUT_WR, 0, 0, 0);
    }

    void close(int fd) throws IOException {
        // After EINTR the descriptor is closed all the same on Linux: never a second try.
        checked(Calls.CLOSE, "close", fd, 0, 0, 0, 0);
    }

    private int checked(MemorySegment function, String name, long a, long b, long c, long d, long e)
            throws IOException {
        MemorySegment errno = captures.take();
        try {
            int r = (int) call(errno, function, a, b, c, d, e);
            if (r < 0) {
                throw failure(name, errno.get(JAVA_INT, 0));
            }
            return r;
        } finally {
            captures.give(errno);
        }
    }

    /// The result, or the negated errno.
    private long call4(MemorySegment function, long a, long b, long c, long d) {
        MemorySegment errno = captures.take();
        try {
            int r = (int) call(errno, function, a, b, c, d, 0);
            return r >= 0 ? r : -errno.get(JAVA_INT, 0);
        } finally {
            captures.give(errno);
        }
    }

    private static long call(
            MemorySegment errno, MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) Calls.GENERAL.invokeExact(function, errno, a, b, c, d, e, 0L);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /// What a failed call means, in words.
    static IOException failure(String call, int errno) {
        String text =
                switch (errno) {
                    case ENOENT -> "No such file or directory";
                    case EACCES -> "Permission denied";
                    case EMFILE, ENFILE -> "Too many open files";
                    case EPIPE -> "Broken pipe";
                    case EADDRINUSE -> "Address already in use";
                    case EADDRNOTAVAIL -> "Cannot assign requested address";
                    case ECONNRESET -> "Connection reset";
                    case ETIMEDOUT -> "Connection timed out";
                    case ECONNREFUSED -> "Connection refused";
                    case ENETUNREACH -> "Network is unreachable";
                    case EHOSTUNREACH -> "No route to host";
                    case EAGAIN -> "The accept queue is full";
                    default -> "error " + errno;
                };
        return new IOException(text + " (" + call + ")");
    }

    private static IllegalStateException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        return new IllegalStateException("native call failed", e);
    }
}
