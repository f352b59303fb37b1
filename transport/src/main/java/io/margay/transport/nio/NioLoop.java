package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/// A loop around a selector. Confined to its thread.
final class NioLoop extends EventLoop {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final Selector selector = Selector.open();

    /// Carries bytes between sockets and arrays, for reads and writes on this thread.
    final ByteBuffer transfer = ByteBuffer.allocateDirect(NioTransport.TRANSFER_BYTES);

    private final Consumer<SelectionKey> onKey = this::onKey;
    private final Dialer dialer;

    NioLoop(TlsLayer tls, BufferPool<ByteBuffer> buffers) throws IOException {
        super(System::nanoTime);
        dialer = new NioDialer(this, tls, buffers);
    }

    @Override
    public Dialer dialer() {
        return dialer;
    }

    @Override
    protected void poll(long timeoutNanos) throws IOException {
        if (timeoutNanos == 0) {
            selector.selectNow(onKey);
        } else if (timeoutNanos < 0) {
            selector.select(onKey);
        } else {
            selector.select(onKey, (timeoutNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
        }
    }

    private void onKey(SelectionKey key) {
        awake();
        int ready;
        try {
            ready = key.readyOps();
        } catch (CancelledKeyException e) {
            return; // closed by an earlier event of this round
        }
        if (key.attachment() instanceof NioConnection connection) {
            connection.selected(
                    ((ready & SelectionKey.OP_READ) != 0 ? Connection.READ : 0)
                            | ((ready & SelectionKey.OP_WRITE) != 0 ? Connection.WRITE : 0));
        } else if (key.attachment() instanceof NioAcceptor acceptor) {
            acceptor.acceptable();
        } else if (key.attachment() instanceof NioDialer.Connecting connecting) {
            connecting.finish();
        }
    }

    @Override
    protected void interruptPoll() {
        selector.wakeup();
    }

    @Override
    protected void dispose() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a selector failed", e);
        }
    }
}
