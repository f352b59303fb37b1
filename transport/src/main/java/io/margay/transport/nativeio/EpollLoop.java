package io.margay.transport.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.margay.transport.BufferPool;
import io.margay.transport.Dialer;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A loop around an epoll descriptor. Confined to its thread, but for [#interruptPoll].
///
/// Sockets are added once, edge-triggered for input and output; what each may do is remembered by
/// its connection, so that no request costs an `epoll_ctl`. Readiness is only a hint: an event of a
/// descriptor that was closed and given out again in the same round does no harm.
final class EpollLoop extends EventLoop {
    private static final int EVENTS_MAX = 512;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final boolean PACKED = !System.getProperty("os.arch").equals("aarch64");

    /// `struct epoll_event`: 32 bits of events, then 64 of data; packed on x86-64 only.
    private static final long EVENT_BYTES = PACKED ? 12 : 16;

    private static final long DATA = PACKED ? 4 : 8;

    /// What sees events of a descriptor.
    interface Target {
        void epoll(int events);
    }

    final SocketAddresses addresses;

    /// Carries bytes between sockets and arrays on this thread.
    final EpollConnection.Transfer transfer =
            EpollConnection.Transfer.allocate(NativeTransport.TRANSFER_BYTES);

    private final Libc libc;
    private final Dialer dialer;
    private final int epoll;
    private final int wakeup;
    private final MemorySegment events;
    private final MemorySegment change;
    private final MemorySegment errno;
    private final Object wakeLock = new Object();
    private boolean disposed;
    private @Nullable Target[] targets = new @Nullable Target[256];

    EpollLoop(Libc libc, TlsLayer tls, BufferPool<EpollConnection.Transfer> transfers)
            throws IOException {
        super(System::nanoTime);
        this.libc = libc;
        this.dialer = new EpollDialer(this, tls, libc, transfers);
        this.addresses = new SocketAddresses(libc);
        this.events = libc.allocate(EVENTS_MAX * EVENT_BYTES);
        this.change = libc.allocate(EVENT_BYTES);
        this.errno = libc.allocate(8);
        this.epoll = libc.epollCreate();
        this.wakeup = libc.eventfd();
        // Edge-triggered, so it need never be read.
        control(Libc.EPOLL_CTL_ADD, wakeup, Libc.EPOLLIN | Libc.EPOLLET);
    }

    @Override
    public Dialer dialer() {
        return dialer;
    }

    /// Reports events of `fd` to `target` from now on.
    void add(int fd, int eventMask, Target target) throws IOException {
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
    protected void poll(long timeoutNanos) throws IOException {
        int millis =
                timeoutNanos < 0
                        ? -1
                        : (int)
                                Math.min(
                                        (timeoutNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI,
                                        Integer.MAX_VALUE);
        int count = libc.epollWait(errno, epoll, events, EVENTS_MAX, millis);
        awake();
        if (count < 0) {
            int error = errno.get(JAVA_INT, 0);
            if (error != Libc.EINTR) {
                throw Libc.failure("epoll_wait", error);
            }
        }
        for (int i = 0; i < count; i++) {
            int fd = events.get(JAVA_INT_UNALIGNED, i * EVENT_BYTES + DATA);
            Target target = fd < targets.length ? targets[fd] : null;
            if (target != null) {
                target.epoll(events.get(JAVA_INT_UNALIGNED, i * EVENT_BYTES));
            }
        }
    }

    @Override
    protected void interruptPoll() {
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
    protected void dispose() {
        synchronized (wakeLock) {
            if (disposed) {
                return;
            }
            disposed = true;
            try {
                libc.close(wakeup);
                libc.close(epoll);
            } catch (IOException e) {
                throw new IllegalStateException("closing an event loop failed", e);
            }
        }
    }
}
