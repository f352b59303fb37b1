package io.margay.transport.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.LoopListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket descriptor on an epoll loop. Owned as [io.margay.transport.Connection] says.
///
/// The descriptor is used only between `beginIo` and `endIo`, which keep it from being closed, so
/// that no call ever reaches a descriptor that was given out again.
final class EpollConnection extends LoopConnection implements EpollLoop.Target {
    /// What one call of sendfile moves at most, so that its result fits an int.
    private static final int SENDFILE_BYTES_MAX = 1 << 30;

    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final int COPY_BYTES_MAX = 16 * 1024;
    private static final int ENDED = Libc.EPOLLRDHUP | Libc.EPOLLHUP | Libc.EPOLLERR;

    private final EpollLoop home;
    private final Libc libc;
    private final int fd;
    private final BufferPool<Transfer> transfers;
    private final SocketAddress local;
    private final SocketAddress remote;

    /// The end of input, or an error, was reported: no further event will come, so a short read
    /// does not mean that nothing follows.
    private volatile boolean peerEnded;

    /// What one caller needs for its calls: a direct buffer, also as a segment, and the place where
    /// C leaves `errno`.
    record Transfer(ByteBuffer buffer, MemorySegment segment, MemorySegment errno) {
        static Transfer allocate(int bytes) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
            MemorySegment errno = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Integer.BYTES));
            return new Transfer(buffer, MemorySegment.ofBuffer(buffer), errno);
        }

        /// The result, or the negated errno of a call that failed.
        int result(int returned) {
            return returned >= 0 ? returned : -errno.get(JAVA_INT_UNALIGNED, 0);
        }
    }

    EpollConnection(
            EpollLoop loop,
            @Nullable LoopListener listener,
            Libc libc,
            int fd,
            BufferPool<Transfer> transfers,
            SocketAddress local,
            SocketAddress remote) {
        super(loop, listener, true);
        this.home = loop;
        this.libc = libc;
        this.fd = fd;
        this.transfers = transfers;
        this.local = local;
        this.remote = remote;
    }

    @Override
    protected void register(int operations) throws IOException {
        int all = Libc.EPOLLIN | Libc.EPOLLOUT | Libc.EPOLLRDHUP | Libc.EPOLLET;
        home.add(fd, all, this);
    }

    @Override
    protected void unregister() {
        home.forget(fd);
    }

    @Override
    protected void arm(int operations) {
        throw new IllegalStateException("edge-triggered");
    }

    @Override
    public void epoll(int events) {
        if ((events & ENDED) != 0) {
            peerEnded = true;
            deliver(READ | WRITE);
        } else {
            deliver(
                    ((events & Libc.EPOLLIN) != 0 ? READ : 0)
                            | ((events & Libc.EPOLLOUT) != 0 ? WRITE : 0));
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        beginIo(READ);
        int again = READ;
        try {
            int most = Math.min(length, NativeTransport.TRANSFER_BYTES);
            for (; ; ) {
                int n = receive(target, offset, most);
                if (n > 0) {
                    again = n == most || peerEnded ? READ : 0;
                    return n;
                }
                if (n == 0) {
                    return -1;
                }
                int error = -n;
                if (error == Libc.EAGAIN) {
                    again = 0;
                    return 0;
                }
                if (error != Libc.EINTR) {
                    throw Libc.failure("recv", error);
                }
            }
        } finally {
            endIo(again);
        }
    }

    @Override
    public int write(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length, 0);
    }

    @Override
    public int writeAhead(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length, Libc.MSG_MORE);
    }

    private int write(byte[] source, int offset, int length, int flags) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        beginIo(0);
        boolean room = true;
        int done = 0;
        try {
            while (done < length) {
                int n = send(source, offset + done, length - done, flags);
                if (n < 0) {
                    int error = -n;
                    if (error == Libc.EAGAIN && !room) {
                        break;
                    }
                    if (error != Libc.EAGAIN && error != Libc.EINTR) {
                        throw Libc.failure("send", error);
                    }
                } else {
                    done += n;
                }
                if (room && done < length) {
                    // Forget first, then try once more: an event between the two is not lost.
                    room = false;
                    forget(WRITE);
                }
            }
            return done;
        } finally {
            endIo(done == length ? WRITE : 0);
        }
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        int source = FileDescriptors.of(file);
        return source == FileDescriptors.NONE
                ? copyFile(file, position, count)
                : sendFile(source, position, count);
    }

    /// Has the kernel move the bytes. As [#write].
    private long sendFile(int source, long position, long count) throws IOException {
        beginIo(0);
        boolean room = true;
        boolean ended = false;
        long done = 0;
        Transfer transfer = transfers.take();
        try {
            while (done < count && !ended) {
                int most = (int) Math.min(SENDFILE_BYTES_MAX, count - done);
                int n = libc.sendfile(transfer.segment(), fd, source, position + done, most);
                if (n < 0) {
                    int error = -n;
                    if (error == Libc.EAGAIN && !room) {
                        break;
                    }
                    if (error != Libc.EAGAIN && error != Libc.EINTR) {
                        throw Libc.failure("sendfile", error);
                    }
                } else {
                    done += n;
                    ended = n == 0;
                }
                if (room && n < most && !ended) {
                    room = false;
                    forget(WRITE);
                }
            }
            return done == 0 && ended ? -1 : done;
        } finally {
            transfers.give(transfer);
            endIo(done == count || ended ? WRITE : 0);
        }
    }

    private long copyFile(FileChannel file, long position, long count) throws IOException {
        Transfer transfer = transfers.take();
        try {
            ByteBuffer buffer = transfer.buffer();
            long sent = 0;
            while (sent < count) {
                buffer.clear();
                buffer.limit((int) Math.min(buffer.capacity(), count - sent));
                int n = file.read(buffer, position + sent);
                if (n <= 0) {
                    return sent == 0 ? -1 : sent;
                }
                int written = sendAll(transfer, n);
                sent += written;
                if (written < n) {
                    break;
                }
            }
            return sent;
        } finally {
            transfer.buffer().clear(); // The next user counts on all of it.
            transfers.give(transfer);
        }
    }

    /// Sends what the transfer's buffer holds, as far as there is room.
    private int sendAll(Transfer transfer, int length) throws IOException {
        beginIo(0);
        boolean room = true;
        int done = 0;
        try {
            while (done < length) {
                MemorySegment all = transfer.segment();
                MemorySegment rest = done == 0 ? all : all.asSlice(done);
                int n = transfer.result(Libc.send(transfer.errno(), fd, rest, length - done, 0));
                if (n < 0) {
                    int error = -n;
                    if (error == Libc.EAGAIN && !room) {
                        break;
                    }
                    if (error != Libc.EAGAIN && error != Libc.EINTR) {
                        throw Libc.failure("send", error);
                    }
                } else {
                    done += n;
                }
                if (room && done < length) {
                    room = false;
                    forget(WRITE);
                }
            }
            return done;
        } finally {
            endIo(done == length ? WRITE : 0);
        }
    }

    /// Receives through memory outside the heap: a segment of the caller's array would be garbage
    /// for each event, and only the bytes that came are copied.
    private int receive(byte[] target, int offset, int length) {
        boolean own = inLoop();
        Transfer transfer = own ? home.transfer : transfers.take();
        int n = transfer.result(Libc.recv(transfer.errno(), fd, transfer.segment(), length));
        if (n > 0) {
            transfer.buffer().get(0, target, offset, n);
        }
        if (!own) {
            transfers.give(transfer);
        }
        return n;
    }

    /// Sends little as [#receive], much straight from the array.
    private int send(byte[] source, int offset, int length, int flags) {
        boolean own = inLoop();
        Transfer transfer = own ? home.transfer : transfers.take();
        int n;
        if (length > COPY_BYTES_MAX) {
            n = Libc.send(transfer.errno(), fd, source, offset, length, flags);
        } else {
            transfer.buffer().put(0, source, offset, length);
            n = Libc.send(transfer.errno(), fd, transfer.segment(), length, flags);
        }
        n = transfer.result(n);
        if (!own) {
            transfers.give(transfer);
        }
        return n;
    }

    @Override
    public void shutdownOutput() throws IOException {
        beginIo(0);
        try {
            libc.shutdownOutput(fd);
        } finally {
            endIo(0);
        }
    }

    @Override
    protected void closeSocket(boolean withReset) {
        try {
            if (withReset) {
                libc.lingerZero(fd);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no reset possible", e);
        }
        try {
            libc.close(fd);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }

    @Override
    public SocketAddress local() {
        return local;
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }
}
