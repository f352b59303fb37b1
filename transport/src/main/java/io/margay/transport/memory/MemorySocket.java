package io.margay.transport.memory;

import io.margay.transport.loop.LoopSocket;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.IntSupplier;

/// The server's end of two byte queues. Used as [LoopSocket] says; its events come by
/// [LoopConnection#signal][io.margay.transport.loop.LoopConnection#signal].
final class MemorySocket implements LoopSocket {
    private static final int FILE_CHUNK_BYTES = 16 * 1024;

    private final MemoryPipe in;
    private final MemoryPipe out;
    private final IntSupplier readMax;
    private final IntSupplier writeMax;
    private final SocketAddress remote;

    MemorySocket(MemoryPipe in, MemoryPipe out, IntSupplier readMax, IntSupplier writeMax) {
        this.in = in;
        this.out = out;
        this.readMax = readMax;
        this.writeMax = writeMax;
        this.remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public boolean edgeTriggered() {
        return true;
    }

    @Override
    public void register(Pollable target, int operations) {}

    @Override
    public void unregister() {}

    @Override
    public void arm(int operations) {
        throw new IllegalStateException("edge-triggered");
    }

    @Override
    public int readMax(int length) {
        return Math.min(length, readMax.getAsInt());
    }

    @Override
    public int writeMax(int length) {
        return Math.min(length, writeMax.getAsInt());
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return in.take(target, offset, length);
    }

    @Override
    public int write(byte[] source, int offset, int length, boolean more) throws IOException {
        return out.put(source, offset, length);
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        byte[] chunk = new byte[(int) Math.min(FILE_CHUNK_BYTES, count)];
        int n = file.read(ByteBuffer.wrap(chunk), position);
        return n < 0 ? -1 : out.put(chunk, 0, n);
    }

    @Override
    public void shutdownOutput() throws IOException {
        out.end();
    }

    @Override
    public void close(boolean withReset) {
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
