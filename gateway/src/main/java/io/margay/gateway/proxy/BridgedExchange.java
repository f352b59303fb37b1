package io.margay.gateway.proxy;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeView;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// An exchange of a blocking connection as one on a loop: the loop of its dialer, where all of the
/// gateway's work is done. Reads and writes that wait run on two virtual threads ([BridgedInput],
/// [BridgedOutput]), so that neither direction holds up the other.
///
/// Confined to that loop.
final class BridgedExchange extends ExchangeView<DialingExchange> {
    private final Dialer loop;
    private final BridgedInput input;
    private final BridgedOutput output;

    private BridgedExchange(DialingExchange real, MemoryBudget memory) {
        super(real);
        loop = real.carrier().dialer();
        // Where the two directions share the connection, one waits for the other.
        ReentrantLock exclusive = real.carrier().duplex() ? null : new ReentrantLock();
        output = new BridgedOutput(real, loop, exclusive, memory);
        input = new BridgedInput(real, loop, output, exclusive, memory);
        real.onEnd(() -> {
            input.stop();
            output.stop();
        });
    }

    /// Has a proxy answer a blocking connection's exchange.
    static void begin(DialingExchange real, ReverseProxy proxy, ProxyTarget target) {
        // From now on threads other than the connection's own may work on it.
        real.dispatch(() -> {
            BridgedExchange bridged = new BridgedExchange(real, proxy.memory());
            bridged.loop.execute(() -> {
                try {
                    proxy.begin(bridged, bridged.loop, target);
                } catch (RuntimeException | Error e) {
                    real.abort();
                    throw e;
                }
            });
        });
    }

    // The request

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return input.poll(target, offset, length);
    }

    @Override
    public boolean inputEnded() {
        return input.isEnded();
    }

    @Override
    public void onReadable(Runnable task) {
        input.onReadable(task);
    }

    @Override
    public Fields trailers() {
        return input.isEnded() ? real.trailers() : Fields.EMPTY;
    }

    // The response

    @Override
    public boolean committed() {
        return output.isCommitted();
    }

    @Override
    public void interim(int status, FieldList fields) throws IOException {
        output.put(false, () -> real.interim(status, fields));
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
        output.put(
                copy,
                () -> {
                    real.write(copy, 0, copy.length);
                    real.push(); // what a peer sends is for the client to see now
                });
    }

    @Override
    public boolean writable() {
        return output.isEmpty();
    }

    @Override
    public void onWritable(Runnable task) {
        output.onWritable(task);
    }

    @Override
    public void flush() throws IOException {
        output.put(true, real::flush);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
        output.put(copy, () -> real.end(copy, 0, copy.length));
    }

    @Override
    public void end() throws IOException {
        output.put(true, real::end);
    }

    @Override
    public void upgrade() throws IOException {
        output.put(
                true,
                () -> {
                    real.upgrade();
                    input.restart();
                });
        input.awaitRestart();
    }

    // Threads and life

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    // What waits has no place on a loop

    @Override
    public int read(byte[] target, int offset, int length) {
        throw waits();
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        throw waits();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) {
        throw waits();
    }

    @Override
    public void dispatch(Runnable task) {
        throw waits();
    }

    private static IllegalStateException waits() {
        return new IllegalStateException("the gateway never waits");
    }
}
