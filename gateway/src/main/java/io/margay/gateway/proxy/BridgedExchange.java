package io.margay.gateway.proxy;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.timing.Phases;
import io.margay.server.timing.RequestPhase;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An exchange of a blocking connection as one on a loop: the loop of its dialer, where all of the
/// gateway's work is done. Reads and writes that wait run on two virtual threads ([BridgedInput],
/// [BridgedOutput]), so that neither direction holds up the other.
///
/// Confined to that loop.
final class BridgedExchange implements Exchange {
    private final DialingExchange real;
    private final Dialer loop;
    private final BridgedInput input;
    private final BridgedOutput output;

    private BridgedExchange(DialingExchange real, MemoryBudget memory) {
        this.real = real;
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
    public RequestHead request() {
        return real.request();
    }

    @Override
    public CanonicalPath path() {
        return real.path();
    }

    @Override
    public String scheme() {
        return real.scheme();
    }

    @Override
    public boolean secure() {
        return real.secure();
    }

    @Override
    public SocketAddress remote() {
        return real.remote();
    }

    @Override
    public SocketAddress local() {
        return real.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return real.tls();
    }

    @Override
    public long connectionId() {
        return real.connectionId();
    }

    @Override
    public long id() {
        return real.id();
    }

    @Override
    public Phases phases() {
        return real.phases();
    }

    @Override
    public long micros(RequestPhase phase) {
        return real.micros(phase);
    }

    @Override
    public int attempts() {
        return real.attempts();
    }

    @Override
    public @Nullable Thread worker() {
        return real.worker();
    }

    @Override
    public int headMicros() {
        return real.headMicros();
    }

    @Override
    public long startNanos() {
        return real.startNanos();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return real.attribute(name);
    }

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
    public int status() {
        return real.status();
    }

    @Override
    public void status(int status) {
        real.status(status);
    }

    @Override
    public FieldList fields() {
        return real.fields();
    }

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
    public void trailers(Supplier<FieldList> trailers) {
        real.trailers(trailers);
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
    public void abort() {
        real.abort();
    }

    @Override
    public long bytesSent() {
        return real.bytesSent();
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

    @Override
    public void onEnd(Runnable task) {
        real.onEnd(task);
    }

    @Override
    public void onEnd(ExchangeObserver observer) {
        real.onEnd(observer);
    }

    @Override
    public ExchangeObserver observer() {
        return real.observer();
    }

    @Override
    public @Nullable IOException failure() {
        return real.failure();
    }

    @Override
    public String requestId() {
        return real.requestId();
    }

    @Override
    public ExchangeNotes notes() {
        return real.notes();
    }

    @Override
    public @Nullable String remoteUser() {
        return real.remoteUser();
    }

    @Override
    public void remoteUser(@Nullable String user) {
        real.remoteUser(user);
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
