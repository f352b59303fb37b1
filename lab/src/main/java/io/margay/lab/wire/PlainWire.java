package io.margay.lab.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A TCP connection.
public final class PlainWire implements Wire {
    private final SocketChannel channel;
    private final ByteBuffer scratch;
    private @Nullable ByteBuffer left;

    /// @param scratch direct memory of the loop, free between calls
    public PlainWire(SocketChannel channel, ByteBuffer scratch) {
        this.channel = channel;
        this.scratch = scratch;
    }

    @Override
    public boolean advance() throws IOException {
        return channel.finishConnect();
    }

    @Override
    public int read(byte[] target, int offset) throws IOException {
        scratch.clear().limit(Math.min(scratch.capacity(), target.length - offset));
        int count = channel.read(scratch);
        if (count > 0) {
            scratch.get(0, target, offset, count);
        }
        return count;
    }

    @Override
    public boolean write(ByteBuffer source) throws IOException {
        channel.write(source);
        if (source.hasRemaining()) {
            left = source.slice();
            return false;
        }
        return true;
    }

    @Override
    public boolean flush() throws IOException {
        if (left != null) {
            channel.write(left);
            left = left.hasRemaining() ? left : null;
        }
        return left == null;
    }

    @Override
    public String protocol() {
        return "";
    }

    @Override
    public void close() {
        Sockets.close(channel);
    }
}
