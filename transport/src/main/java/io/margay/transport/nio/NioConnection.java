package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.LoopListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket channel on a selector loop. Owned as [io.margay.transport.Connection] says.
final class NioConnection extends LoopConnection {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final NioLoop home;
    private final SocketChannel channel;
    private final BufferPool<ByteBuffer> buffers;
    private final SocketAddress local;
    private final SocketAddress remote;
    private @Nullable SelectionKey key;

    NioConnection(
            NioLoop loop,
            @Nullable LoopListener listener,
            SocketChannel channel,
            BufferPool<ByteBuffer> buffers,
            SocketAddress local,
            SocketAddress remote) {
        super(loop, listener, false);
        this.home = loop;
        this.channel = channel;
        this.buffers = buffers;
        this.local = local;
        this.remote = remote;
    }

    @Override
    protected void register(int operations) throws IOException {
        key = channel.register(home.selector, keyOps(operations), this);
    }

    @Override
    protected void arm(int operations) {
        SelectionKey k = key;
        if (k != null && k.isValid()) {
            k.interestOps(keyOps(operations));
        }
    }

    private static int keyOps(int operations) {
        return ((operations & READ) != 0 ? SelectionKey.OP_READ : 0)
                | ((operations & WRITE) != 0 ? SelectionKey.OP_WRITE : 0);
    }

    void selected(int operations) {
        deliver(operations);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        boolean own = inLoop();
        ByteBuffer buffer = own ? home.transfer : buffers.take();
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
    public int write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        boolean own = inLoop();
        ByteBuffer buffer = own ? home.transfer : buffers.take();
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
        checkOpen();
        long n = file.transferTo(position, count, channel);
        return n == 0 && count > 0 && position >= file.size() ? -1 : n;
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    protected void closeSocket(boolean withReset) {
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
