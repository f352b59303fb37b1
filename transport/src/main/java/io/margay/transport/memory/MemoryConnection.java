package io.margay.transport.memory;

import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.LoopListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The server's end of two byte queues. Owned as [io.margay.transport.Connection] says.
final class MemoryConnection extends LoopConnection {
    private static final int FILE_CHUNK_BYTES = 16 * 1024;

    private final MemoryPipe in;
    private final MemoryPipe out;
    private final IntSupplier readMax;
    private final IntSupplier writeMax;
    private final SocketAddress remote;

    MemoryConnection(
            EventLoop loop,
            @Nullable LoopListener listener,
            MemoryPipe in,
            MemoryPipe out,
            IntSupplier readMax,
            IntSupplier writeMax) {
        super(loop, listener, true);
        this.in = in;
        this.out = out;
        this.readMax = readMax;
        this.writeMax = writeMax;
        this.remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    protected void register(int operations) {
        signal(READ | WRITE);
    }

    @Override
    protected void arm(int operations) {
        throw new IllegalStateException("edge-triggered");
    }

    /// To be called when the peer has written, or has made room. Any thread.
    void peerMoved(int operations) {
        signal(operations);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        beginIo(READ);
        int again = READ;
        try {
            int most = Math.min(length, readMax.getAsInt());
            int n = in.take(target, offset, most);
            again = n == 0 && most > 0 ? 0 : READ;
            return n;
        } finally {
            endIo(again);
        }
    }

    @Override
    public int write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        beginIo(0);
        boolean room = true;
        int done = 0;
        try {
            int most = Math.min(length, writeMax.getAsInt());
            done = out.put(source, offset, most);
            if (done < most) {
                // Forget first, then try once more: what the peer takes between is not lost.
                forget(WRITE);
                done += out.put(source, offset + done, most - done);
                room = done == most;
            }
            return done;
        } finally {
            endIo(room ? WRITE : 0);
        }
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        byte[] chunk = new byte[(int) Math.min(FILE_CHUNK_BYTES, count)];
        int n = file.read(ByteBuffer.wrap(chunk), position);
        return n < 0 ? -1 : write(chunk, 0, n);
    }

    @Override
    public void shutdownOutput() throws IOException {
        checkOpen();
        out.end();
    }

    @Override
    protected void closeSocket(boolean withReset) {
        if (withReset) {
            out.breakOff();
            in.breakOff();
        } else {
            out.end();
            in.breakOff();
        }
    }

    @Override
    public SocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }
}
