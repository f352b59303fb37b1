package io.margay.transport.epoll;

import io.margay.transport.BufferPool;
import io.margay.transport.libc.Libc;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopSocket;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// A socket descriptor in an epoll. Used as [LoopSocket] says.
///
/// The connection keeps the descriptor from being closed while a call runs, so that no call ever
/// reaches a descriptor that was given out again.
final class EpollSocket implements LoopSocket {
    /// What one call of sendfile moves at most, so that its result fits an int.
    private static final int SENDFILE_BYTES_MAX = 1 << 30;

    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final int COPY_BYTES_MAX = 16 * 1024;

    private final EventLoop loop;
    private final EpollPoller poller;
    private final Libc libc;
    private final int fd;
    private final BufferPool<Transfer> transfers;
    private final SocketAddress local;
    private final SocketAddress remote;

    /// @param loop the loop of an [EpollPoller]
    EpollSocket(
            EventLoop loop,
            Libc libc,
            int fd,
            BufferPool<Transfer> transfers,
            SocketAddress local,
            SocketAddress remote) {
        this.loop = loop;
        this.poller = (EpollPoller) loop.poller();
        this.libc = libc;
        this.fd = fd;
        this.transfers = transfers;
        this.local = local;
        this.remote = remote;
    }

    /// The socket's number, for as long as the connection is in use.
    int descriptor() {
        return fd;
    }

    @Override
    public boolean edgeTriggered() {
        return true;
    }

    @Override
    public void register(Pollable target, int operations) throws IOException {
        poller.add(fd, Libc.EPOLLIN | Libc.EPOLLOUT | Libc.EPOLLRDHUP | Libc.EPOLLET, target);
    }

    @Override
    public void unregister() {
        poller.forget(fd);
    }

    @Override
    public void arm(int operations) {
        throw new IllegalStateException("edge-triggered");
    }

    @Override
    public int readMax(int length) {
        return Math.min(length, EpollSockets.TRANSFER_BYTES);
    }

    @Override
    public int writeMax(int length) {
        return length;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        for (; ; ) {
            int result = receive(target, offset, length);
            if (result == 0 && length > 0) {
                return -1;
            }
            int n = moved("recv", result);
            if (n >= 0) {
                return n;
            }
        }
    }

    @Override
    public int write(byte[] source, int offset, int length, boolean more) throws IOException {
        for (; ; ) {
            int n = moved("send", send(source, offset, length, more ? Libc.MSG_MORE : 0));
            if (n >= 0) {
                return n;
            }
        }
    }

    /// What a call has moved: its result, 0 when there was no room or nothing there, -1 when a
    /// signal interrupted it and it is to be made again.
    private static int moved(String call, int result) throws IOException {
        if (result >= 0) {
            return result;
        }
        int error = -result;
        if (error == Libc.EAGAIN) {
            return 0;
        }
        if (error == Libc.EINTR) {
            return -1;
        }
        throw Libc.failure(call, error);
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        Transfer transfer = transfers.take();
        try (FileDescriptors.Held source = FileDescriptors.hold(file)) {
            return source == null
                    ? copyFile(transfer, file, position, count)
                    : sendFile(transfer, source.number(), position, count);
        } finally {
            transfers.give(transfer);
        }
    }

    /// Has the kernel move the bytes.
    private long sendFile(Transfer transfer, int source, long position, long count)
            throws IOException {
        int most = (int) Math.min(SENDFILE_BYTES_MAX, count);
        for (; ; ) {
            int result = libc.sendfile(transfer.segment(), fd, source, position, most);
            if (result == 0) {
                return -1;
            }
            int n = moved("sendfile", result);
            if (n >= 0) {
                return n;
            }
        }
    }

    private long copyFile(Transfer transfer, FileChannel file, long position, long count)
            throws IOException {
        ByteBuffer buffer = transfer.buffer();
        try {
            buffer.clear();
            buffer.limit((int) Math.min(buffer.capacity(), count));
            int length = file.read(buffer, position);
            if (length <= 0) {
                return -1;
            }
            for (; ; ) {
                int result = Libc.send(transfer.errno(), fd, transfer.segment(), length, 0);
                int n = moved("send", transfer.result(result));
                if (n >= 0) {
                    return n;
                }
            }
        } finally {
            buffer.clear(); // The next user counts on all of it.
        }
    }

    /// Receives through memory outside the heap: a segment of the caller's array would be garbage
    /// for each event, and only the bytes that came are copied.
    private int receive(byte[] target, int offset, int length) {
        boolean own = loop.inLoop();
        Transfer transfer = own ? poller.transfer : transfers.take();
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
        boolean own = loop.inLoop();
        Transfer transfer = own ? poller.transfer : transfers.take();
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
    public boolean hasHungUp() {
        return libc.hasHungUp(fd);
    }

    @Override
    public void shutdownOutput() throws IOException {
        libc.shutdownOutput(fd);
    }

    @Override
    public void close(boolean withReset) {
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
