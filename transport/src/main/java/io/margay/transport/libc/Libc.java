package io.margay.transport.libc;

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
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

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
public final class Libc {
    public static final int EPOLLIN = 1;
    public static final int EPOLLOUT = 4;
    public static final int EPOLLERR = 8;
    public static final int EPOLLHUP = 0x10;
    public static final int EPOLLRDHUP = 0x2000;
    public static final int EPOLLEXCLUSIVE = 1 << 28;
    public static final int EPOLLET = 1 << 31;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;

    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_ERROR = 4;
    private static final int SO_PEERCRED = 17;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_ACCEPTCONN = 30;
    public static final int SO_LINGER = 13;
    public static final int IPPROTO_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_NOTSENT_LOWAT = 25;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_V6ONLY = 26;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_MORE = 0x8000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int F_SETFD = 2;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int FD_CLOEXEC = 1;
    public static final int SHUT_WR = 1;
    private static final int SHUT_RDWR = 2;

    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EMFILE = 24;
    public static final int ENFILE = 23;
    public static final int EPIPE = 32;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENETUNREACH = 101;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EINPROGRESS = 115;

    /// The low bits of a clock's number, above which there is the complement of a thread's.
    private static final int CPUCLOCK_SCHED_OF_THREAD = 6;

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
        static final MemorySegment CLOCK_GETTIME = find("clock_gettime");

        private Calls() {}

        private static MemorySegment find(String name) {
            return LINKER.defaultLookup().findOrThrow(name);
        }
    }

    /// The call that reads and writes, of another shape. Loaded with the first of them, so that who
    /// wants something else of the library does not have it linked.
    @SuppressWarnings("restricted")
    private static final class Transfers {
        static final MethodHandle TRANSFER =
                Calls.LINKER.downcallHandle(
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                        Calls.ERRNO,
                        Linker.Option.critical(true));

        private Transfers() {}
    }

    /// What few servers call, and none while it serves.
    private static final class Late {
        static final MemorySegment DUP3 = Calls.find("dup3");
        static final MemorySegment FCNTL = Calls.find("fcntl");
        static final MemorySegment SENDMSG = Calls.find("sendmsg");
        static final MemorySegment RECVMSG = Calls.find("recvmsg");
        static final MemorySegment GETEUID = Calls.find("geteuid");
        static final MemorySegment POLL = Calls.find("poll");

        private Late() {}
    }

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
    private final MemorySegment intOne = arena.allocateFrom(JAVA_INT, 1);
    private final MemorySegment intZero = arena.allocateFrom(JAVA_INT, 0);
    private final MemorySegment lingerZero = arena.allocateFrom(JAVA_INT, 1, 0);
    private final BufferPool<MemorySegment> captures =
            new BufferPool<>(CAPTURES, () -> Arena.ofAuto().allocate(JAVA_INT));

    /// Memory for one caller's calls.
    public MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, 8);
    }

    /// Receives into memory outside the heap. The socket must not block.
    ///
    /// @param errno one int of the heap, for this caller alone
    /// @return bytes, 0 at the end of input, or -1 with `errno` set
    public static int recv(MemorySegment errno, int fd, MemorySegment target, int length) {
        try {
            return (int)
                    (long)
                            Transfers.TRANSFER.invokeExact(
                                    Calls.RECV, errno, (long) fd, target, (long) length, 0L);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// Sends from an array. As [#recv].
    ///
    /// @param flags [#MSG_MORE], or 0
    public static int send(
            MemorySegment errno, int fd, byte[] source, int offset, int length, int flags) {
        try {
            MemorySegment from = MemorySegment.ofArray(source).asSlice(offset, length);
            return (int)
                    (long)
                            Transfers.TRANSFER.invokeExact(
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
    public static int send(
            MemorySegment errno, int fd, MemorySegment source, int length, int flags) {
        try {
            return (int)
                    (long)
                            Transfers.TRANSFER.invokeExact(
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
    public int epollWait(
            MemorySegment errno, int epoll, MemorySegment events, int max, int millis) {
        return (int) call(errno, Calls.EPOLL_WAIT, epoll, events.address(), max, millis, 0);
    }

    /// Sends a part of a file. Not critical: the file may have to be read from a disk.
    ///
    /// @param memory eight bytes outside the heap, for this caller alone
    /// @return bytes, 0 at the file's end, or the negated errno
    public int sendfile(MemorySegment memory, int socket, int file, long position, int count) {
        memory.set(JAVA_LONG_UNALIGNED, 0, position);
        return (int) call4(Calls.SENDFILE, socket, file, memory.address(), count);
    }

    /// Links the calls that read and write now, before somebody waits for the first of them.
    public static void linkTransfers() {
        Objects.requireNonNull(Transfers.TRANSFER);
    }

    public int epollCreate() throws IOException {
        return checked(Calls.EPOLL_CREATE1, "epoll_create1", SOCK_CLOEXEC, 0, 0, 0, 0);
    }

    public int eventfd() throws IOException {
        return checked(Calls.EVENTFD, "eventfd", 0, SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0, 0);
    }

    public void epollCtl(int epoll, int operation, int fd, MemorySegment event) throws IOException {
        checked(Calls.EPOLL_CTL, "epoll_ctl", epoll, operation, fd, event.address(), 0);
    }

    /// Adds one to an eventfd.
    public void signal(int eventfd) throws IOException {
        checked(Calls.WRITE, "write", eventfd, one.address(), 8, 0, 0);
    }

    public int socket(int family) throws IOException {
        int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
        return checked(Calls.SOCKET, "socket", family, type, 0, 0, 0);
    }

    /// A socket whose calls wait.
    public int waitingSocket(int family) throws IOException {
        return checked(Calls.SOCKET, "socket", family, SOCK_STREAM | SOCK_CLOEXEC, 0, 0, 0);
    }

    public void bind(int fd, MemorySegment address, int length) throws IOException {
        checked(Calls.BIND, "bind", fd, address.address(), length, 0, 0);
    }

    public void listen(int fd, int backlog) throws IOException {
        checked(Calls.LISTEN, "listen", fd, backlog, 0, 0, 0);
    }

    public void enable(int fd, int level, int option) throws IOException {
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, intOne.address(), 4);
    }

    public void disable(int fd, int level, int option) throws IOException {
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, intZero.address(), 4);
    }

    /// Sets an option that is a number.
    public void set(int fd, int level, int option, int value) throws IOException {
        MemorySegment memory = allocate(4);
        memory.set(JAVA_INT, 0, value);
        checked(Calls.SETSOCKOPT, "setsockopt", fd, level, option, memory.address(), 4);
    }

    /// Has [#close] send a reset.
    public void lingerZero(int fd) throws IOException {
        long value = lingerZero.address();
        checked(Calls.SETSOCKOPT, "setsockopt", fd, SOL_SOCKET, SO_LINGER, value, 8);
    }

    /// Accepts; see [SocketAddresses] for the memory.
    ///
    /// @return the descriptor, or -1 when no connection waits
    public int accept(int fd, MemorySegment address, MemorySegment length) throws IOException {
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

    /// Accepts on a socket that waits.
    ///
    /// @return the descriptor of another such, or -1 when the time of [#receiveTimeout] is over
    public int acceptWaiting(int fd) throws IOException {
        for (; ; ) {
            long r = call4(Calls.ACCEPT4, fd, 0, 0, SOCK_CLOEXEC);
            if (r >= 0) {
                return (int) r;
            }
            if (r == -EAGAIN) {
                return -1;
            }
            if (r != -EINTR && r != -ECONNABORTED) {
                throw failure("accept4", (int) -r);
            }
        }
    }

    /// Begins to connect.
    ///
    /// @return whether it is connected already
    public boolean connect(int fd, MemorySegment address, int length) throws IOException {
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
    public void checkConnected(int fd) throws IOException {
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

    public void getsockname(int fd, MemorySegment address, MemorySegment length)
            throws IOException {
        checked(Calls.GETSOCKNAME, "getsockname", fd, address.address(), length.address(), 0, 0);
    }

    /// Whether it is a socket that listens.
    public boolean isListening(int fd) {
        MemorySegment result = allocate(16);
        result.set(JAVA_INT, 8, 4);
        return option(fd, SO_ACCEPTCONN, result) >= 0 && result.get(JAVA_INT, 0) != 0;
    }

    /// Who is on the other side of a Unix socket: process, user and group.
    public int[] peer(int fd) throws IOException {
        MemorySegment result = allocate(24);
        result.set(JAVA_INT, 16, 12);
        MemorySegment length = result.asSlice(16);
        long r =
                call5(
                        Calls.GETSOCKOPT,
                        fd,
                        SOL_SOCKET,
                        SO_PEERCRED,
                        result.address(),
                        length.address());
        if (r < 0) {
            throw failure("getsockopt", (int) -r);
        }
        return new int[] {
            result.get(JAVA_INT, 0), result.get(JAVA_INT, 4), result.get(JAVA_INT, 8)
        };
    }

    /// @param result eight bytes for the option, and its length behind them
    private long option(int fd, int option, MemorySegment result) {
        return call5(
                Calls.GETSOCKOPT, fd, SOL_SOCKET, option, result.address(), result.address() + 8);
    }

    /// The user that this process acts as.
    public int user() {
        return (int) call5(Late.GETEUID, 0, 0, 0, 0, 0);
    }

    /// How long calls wait that receive or accept.
    public void receiveTimeout(int fd, Duration time) throws IOException {
        MemorySegment memory = allocate(16);
        memory.set(JAVA_LONG, 0, time.toSeconds());
        memory.set(JAVA_LONG, 8, time.toNanosPart() / 1000);
        checked(Calls.SETSOCKOPT, "setsockopt", fd, SOL_SOCKET, SO_RCVTIMEO, memory.address(), 16);
    }

    /// Has another number stand for what `fd` does; what that stood for before is closed.
    public void replace(int number, int fd) throws IOException {
        checked(Late.DUP3, "dup3", fd, number, SOCK_CLOEXEC, 0, 0);
    }

    /// Keeps a descriptor from processes that this one starts.
    public void closeOnExec(int fd) throws IOException {
        checked(Late.FCNTL, "fcntl", fd, F_SETFD, FD_CLOEXEC, 0, 0);
    }

    /// Has no call on a socket wait; so for every process that has it.
    public void nonBlocking(int fd) throws IOException {
        int flags = checked(Late.FCNTL, "fcntl", fd, F_GETFL, 0, 0, 0);
        checked(Late.FCNTL, "fcntl", fd, F_SETFL, flags | SOCK_NONBLOCK, 0, 0);
    }

    /// Sends a `msghdr`, which may carry descriptors; waits.
    ///
    /// @return bytes of its content that were sent
    public int sendmsg(int fd, MemorySegment message) throws IOException {
        return transferred(Late.SENDMSG, "sendmsg", fd, message, MSG_NOSIGNAL);
    }

    /// Receives a `msghdr`; descriptors in it are this process's then, and no child's; waits.
    ///
    /// @return bytes, or 0 at the end
    /// @throws IOException also when the time of [#receiveTimeout] is over
    public int recvmsg(int fd, MemorySegment message) throws IOException {
        return transferred(Late.RECVMSG, "recvmsg", fd, message, MSG_CMSG_CLOEXEC);
    }

    private int transferred(
            MemorySegment function, String name, int fd, MemorySegment message, int flags)
            throws IOException {
        for (; ; ) {
            long r = call4(function, fd, message.address(), flags, 0);
            if (r >= 0) {
                return (int) r;
            }
            if (r == -EAGAIN) {
                throw new IOException("nothing has come for too long (" + name + ")");
            }
            if (r != -EINTR) {
                throw failure(name, (int) -r);
            }
        }
    }

    /// Whether the peer has ended its output or the connection.
    public boolean hasHungUp(int fd) {
        MemorySegment one = allocate(8);
        one.set(JAVA_INT, 0, fd);
        one.set(
                JAVA_INT,
                4,
                EPOLLRDHUP); // poll's bits are those of epoll; its answer, the upper half
        return call4(Late.POLL, one.address(), 1, 0, 0) > 0;
    }

    public void shutdownOutput(int fd) throws IOException {
        checked(Calls.SHUTDOWN, "shutdown", fd, SHUT_WR, 0, 0, 0);
    }

    /// Ends both directions, also for threads that wait.
    public void shutdown(int fd) throws IOException {
        checked(Calls.SHUTDOWN, "shutdown", fd, SHUT_RDWR, 0, 0, 0);
    }

    public void close(int fd) throws IOException {
        // After EINTR the descriptor is closed all the same on Linux: never a second try.
        checked(Calls.CLOSE, "close", fd, 0, 0, 0, 0);
    }

    /// How long a processor has worked for a thread, nanoseconds.
    ///
    /// @param number of a thread of this process, as the kernel has it
    /// @param time two words of 64 bits, for this caller alone
    /// @return -1 when there is no such thread
    public long threadTime(int number, MemorySegment time) {
        int clock = ~number << 3 | CPUCLOCK_SCHED_OF_THREAD;
        return call4(Calls.CLOCK_GETTIME, clock, time.address(), 0, 0) == 0
                ? TimeUnit.SECONDS.toNanos(time.get(JAVA_LONG, 0))
                        + time.get(JAVA_LONG, JAVA_LONG.byteSize())
                : -1;
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
        return call5(function, a, b, c, d, 0);
    }

    private long call5(MemorySegment function, long a, long b, long c, long d, long e) {
        MemorySegment errno = captures.take();
        try {
            int r = (int) call(errno, function, a, b, c, d, e);
            return r >= 0 ? r : -errno.get(JAVA_INT, 0);
        } finally {
            captures.give(errno);
        }
    }

    private static long call(
            MemorySegment errno, MemorySegment function, long a, long b, long c, long d, long e) {
        return call(errno, function, a, b, c, d, e, 0);
    }

    /// A call in the general shape.
    static long call(
            MemorySegment errno,
            MemorySegment function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f) {
        try {
            return (long) Calls.GENERAL.invokeExact(function, errno, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /// A function of the C library.
    static MemorySegment find(String name) {
        return Calls.find(name);
    }

    /// What a failed call means, in words.
    public static IOException failure(String call, int errno) {
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
