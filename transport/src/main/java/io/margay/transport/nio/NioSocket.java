package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.Connection;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopSocket;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A socket channel on a selector. Used as [LoopSocket] says.
final class NioSocket implements LoopSocket {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final EventLoop loop;
    private final NioPoller poller;
    private final SocketChannel channel;
    private final BufferPool<ByteBuffer> buffers;
    private final SocketAddress local;
    private final SocketAddress remote;
    private @Nullable SelectionKey key;

    /// @param loop the loop of a [NioPoller]
    NioSocket(
            EventLoop loop,
            SocketChannel channel,
            BufferPool<ByteBuffer> buffers,
            SocketAddress local,
            SocketAddress remote) {
        this.loop = loop;
        this.poller = (NioPoller) loop.poller();
        this.channel = channel;
        this.buffers = buffers;
        this.local = local;
        this.remote = remote;
    }

    @Override
    public boolean edgeTriggered() {
        return false;
    }

    @Override
    public void register(Pollable target, int operations) throws IOException {
        key = channel.register(poller.selector, keyOps(operations), target);
    }

    @Override
    public void unregister() {}

    @Override
    public void arm(int operations) {
        SelectionKey k = key;
        if (k != null && k.isValid()) {
            k.interestOps(keyOps(operations));
        }
    }

    private static int keyOps(int operations) {
        return ((operations & Connection.READ) != 0 ? SelectionKey.OP_READ : 0)
                | ((operations & Connection.WRITE) != 0 ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public int readMax(int length) {
        return Math.min(length, NioSockets.TRANSFER_BYTES);
    }

    @Override
    public int writeMax(int length) {
        return length;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        boolean own = loop.inLoop();
        ByteBuffer buffer = own ? poller.transfer : buffers.take();
        try {
            buffer.clear();
            buffer.limit(Math.min(length, buffer.capacity()));
            int n = channel.read(buffer);
            if (n > 0) {
                buffer.get(0, target, offset, n);
            }
            return n;
        } finally {
            if (!own) {
                buffers.give(buffer);
            }
        }
    }

    @Override
    public int write(byte[] source, int offset, int length, boolean more) throws IOException {
        boolean own = loop.inLoop();
        ByteBuffer buffer = own ? poller.transfer : buffers.take();
        try {
            int done = 0;
            while (done < length) {
                int part = Math.min(length - done, buffer.capacity());
                buffer.clear();
                buffer.put(source, offset + done, part);
                buffer.flip();
                int n = channel.write(buffer);
                done += n;
                if (n < part) {
                    break;
                }
            }
            return done;
        } finally {
            if (!own) {
                buffers.give(buffer);
            }
        }
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        long n = file.transferTo(position, count, channel);
        return n == 0 && count > 0 && position >= file.size() ? -1 : n;
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close(boolean withReset) {
        try {
            if (withReset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no reset possible", e);
        }
        try {
            channel.close();
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
