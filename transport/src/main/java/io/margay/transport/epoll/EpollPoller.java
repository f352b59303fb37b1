package io.margay.transport.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.Connection;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import io.margay.transport.loop.BatchSender;
import io.margay.transport.loop.Pollable;
import io.margay.transport.loop.Poller;
import io.margay.transport.loop.SystemThreads;
import io.margay.transport.loop.ThreadTimes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A poller around an epoll descriptor. Confined to its loop's thread, but for [#wake].
///
/// Sockets are added once, edge-triggered for input and output; what each may do is remembered by
/// its connection, so that no request costs an `epoll_ctl`. Readiness is only a hint: an event of a
/// descriptor that was closed and given out again in the same round does no harm.
final class EpollPoller implements Poller {
    private static final int EVENTS_MAX = 512;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final boolean PACKED = !System.getProperty("os.arch").equals("aarch64");

    /// `struct epoll_event`: 32 bits of events, then 64 of data; packed on x86-64 only.
    private static final long EVENT_BYTES = PACKED ? 12 : 16;

    private static final long DATA = PACKED ? 4 : 8;

    private static final int ENDED = Libc.EPOLLRDHUP | Libc.EPOLLHUP | Libc.EPOLLERR;

    final SocketAddresses addresses;

    /// Carries bytes between sockets and arrays on this thread.
    final Transfer transfer = Transfer.allocate(EpollSockets.TRANSFER_BYTES);

    private final Libc libc;
    private final SendRings rings;
    private final SystemThreads threads;
    private final int epoll;
    private final int wakeup;
    private final MemorySegment events;
    private final MemorySegment change;
    private final MemorySegment errno;
    private final Object wakeLock = new Object();
    private boolean disposed;
    private @Nullable SendRing ring;
    private boolean ringTried;
    private @Nullable Pollable[] targets = new @Nullable Pollable[256];

    /// @param rings makes the ring of this loop, when the first batch is to be sent
    EpollPoller(Libc libc, SendRings rings) throws IOException {
        this.libc = libc;
        this.rings = rings;
        MemorySegment time = libc.allocate(2 * JAVA_LONG.byteSize());
        this.threads = new SystemThreads((_, number) -> libc.threadTime(number, time));
        this.addresses = new SocketAddresses(libc);
        this.events = libc.allocate(EVENTS_MAX * EVENT_BYTES);
        this.change = libc.allocate(EVENT_BYTES);
        this.errno = libc.allocate(8);
        this.epoll = libc.epollCreate();
        this.wakeup = libc.eventfd();
        // Edge-triggered, so it need never be read.
        control(Libc.EPOLL_CTL_ADD, wakeup, Libc.EPOLLIN | Libc.EPOLLET);
    }

    /// Reports events of `fd` to `target` from now on.
    void add(int fd, int eventMask, Pollable target) throws IOException {
        if (fd >= targets.length) {
            targets = Arrays.copyOf(targets, Math.max(fd + 1, targets.length * 2));
        }
        targets[fd] = target;
        control(Libc.EPOLL_CTL_ADD, fd, eventMask);
    }

    /// Forgets a descriptor that is about to be closed, which takes it out of epoll.
    void forget(int fd) {
        if (fd < targets.length) {
            targets[fd] = null;
        }
    }

    /// Takes a descriptor out that stays open.
    void remove(int fd) throws IOException {
        forget(fd);
        control(Libc.EPOLL_CTL_DEL, fd, 0);
    }

    private void control(int operation, int fd, int eventMask) throws IOException {
        change.set(JAVA_INT_UNALIGNED, 0, eventMask);
        change.set(JAVA_INT_UNALIGNED, DATA, fd);
        libc.epollCtl(epoll, operation, fd, change);
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        int millis =
                timeoutNanos < 0
                        ? -1
                        : (int)
                                Math.min(
                                        (timeoutNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI,
                                        Integer.MAX_VALUE);
        int count = libc.epollWait(errno, epoll, events, EVENTS_MAX, millis);
        if (count < 0) {
            int error = errno.get(JAVA_INT, 0);
            if (error != Libc.EINTR) {
                throw Libc.failure("epoll_wait", error);
            }
            return 0;
        }
        return count;
    }

    @Override
    public @Nullable Pollable target(int place) {
        int fd = events.get(JAVA_INT_UNALIGNED, place * EVENT_BYTES + DATA);
        return fd < targets.length ? targets[fd] : null;
    }

    @Override
    public int operations(int place) {
        int reported = events.get(JAVA_INT_UNALIGNED, place * EVENT_BYTES);
        if ((reported & ENDED) != 0) {
            return Connection.READ | Connection.WRITE | Pollable.ENDED;
        }
        return ((reported & Libc.EPOLLIN) != 0 ? Connection.READ : 0)
                | ((reported & Libc.EPOLLOUT) != 0 ? Connection.WRITE : 0);
    }

    @Override
    public ThreadTimes threadTimes() {
        return threads;
    }

    @Override
    public @Nullable BatchSender batchSender() {
        if (!ringTried) {
            ringTried = true;
            ring = rings.open();
        }
        SendRing made = ring;
        return made != null && made.isUsable() ? made : null;
    }

    @Override
    public void wake() {
        synchronized (wakeLock) {
            if (!disposed) {
                try {
                    libc.signal(wakeup);
                } catch (IOException e) {
                    throw new IllegalStateException("cannot wake an event loop", e);
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (wakeLock) {
            if (disposed) {
                return;
            }
            disposed = true;
            ringTried = true;
            if (ring != null) {
                ring.close();
            }
            try {
                libc.close(wakeup);
                libc.close(epoll);
            } catch (IOException e) {
                throw new IllegalStateException("closing an event loop failed", e);
            }
        }
    }
}
