package io.margay.gateway.shield;

import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// An exchange of which it is measured what it costs: the time of the threads that work on it, or,
/// where another server is asked, the time until that answers. Owned as the client's exchange is.
final class CostedExchange extends DelegatingExchange {
    private final LongSupplier nanos;
    private final LongSupplier threadNanos;
    private final LongConsumer cost;
    private final long begun;
    private volatile long answered = -1;

    /// @param threadNanos time that the calling thread has used
    /// @param cost told what each part has cost, in nanoseconds; the response may have gone by then
    CostedExchange(
            DialingExchange real, LongSupplier nanos, LongSupplier threadNanos, LongConsumer cost) {
        super(real);
        this.nanos = nanos;
        this.threadNanos = threadNanos;
        this.begun = nanos.getAsLong();
        this.cost = cost;
        real.onEnd(this::ended);
    }

    private void ended() {
        if (real.relay() != null) {
            cost.accept(answered >= 0 ? answered : nanos.getAsLong() - begun);
        }
    }

    private void answers() {
        if (answered < 0) {
            answered = nanos.getAsLong() - begun;
        }
    }

    @Override
    public void dispatch(Runnable task) {
        real.dispatch(() -> {
            long from = threadNanos.getAsLong();
            try {
                task.run();
            } finally {
                cost.accept(threadNanos.getAsLong() - from);
            }
        });
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        answers();
        real.write(source, offset, length);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        answers();
        real.offer(source, offset, length);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        answers();
        real.sendFile(file, position, count);
    }

    @Override
    public void flush() throws IOException {
        answers();
        real.flush();
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        answers();
        real.end(source, offset, length);
    }

    @Override
    public void end() throws IOException {
        answers();
        real.end();
    }
}
