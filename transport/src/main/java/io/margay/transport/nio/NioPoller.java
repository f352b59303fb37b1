package io.margay.transport.nio;

import io.margay.transport.Connection;
import io.margay.transport.loop.Pollable;
import io.margay.transport.loop.Poller;
import io.margay.transport.loop.SystemThreads;
import io.margay.transport.loop.ThreadTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A poller around a selector. Confined to its loop, but for [#wake].
final class NioPoller implements Poller {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final Selector selector = Selector.open();

    /// Carries bytes between sockets and arrays, for reads and writes on the loop's thread.
    final ByteBuffer transfer = ByteBuffer.allocateDirect(NioSockets.TRANSFER_BYTES);

    private final SystemThreads threads = SystemThreads.ofJvm();
    private final Consumer<SelectionKey> onKey = this::onKey;
    private @Nullable SelectionKey[] keys = new @Nullable SelectionKey[64];
    private int[] operations = new int[64];
    private int count;

    NioPoller() throws IOException {}

    @Override
    public int poll(long timeoutNanos) throws IOException {
        Arrays.fill(keys, 0, count, null);
        count = 0;
        if (timeoutNanos == 0) {
            selector.selectNow(onKey);
        } else if (timeoutNanos < 0) {
            selector.select(onKey);
        } else {
            selector.select(onKey, (timeoutNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
        }
        return count;
    }

    private void onKey(SelectionKey key) {
        int ready;
        try {
            ready = key.readyOps();
        } catch (CancelledKeyException e) {
            return;
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            operations = Arrays.copyOf(operations, count * 2);
        }
        keys[count] = key;
        operations[count++] =
                ((ready & SelectionKey.OP_READ) != 0 ? Connection.READ : 0)
                        | ((ready & SelectionKey.OP_WRITE) != 0 ? Connection.WRITE : 0);
    }

    /// {@inheritDoc} A key that an earlier event of the round has cancelled has none.
    @Override
    public @Nullable Pollable target(int place) {
        SelectionKey key = keys[place];
        return key != null && key.isValid() && key.attachment() instanceof Pollable target
                ? target
                : null;
    }

    @Override
    public int operations(int place) {
        return operations[place];
    }

    @Override
    public ThreadTimes threadTimes() {
        return threads;
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a selector failed", e);
        }
    }
}
