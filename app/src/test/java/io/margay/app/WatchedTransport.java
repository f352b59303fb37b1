package io.margay.app;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsSession;
import io.margay.transport.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A transport that remembers by which ways its connections were written to, as stacks show them.
final class WatchedTransport implements Transport {
    private final Transport real;
    private volatile List<StackTraceElement> queued = List.of();
    private volatile List<StackTraceElement> toPeer = List.of();
    private volatile List<StackTraceElement> toClient = List.of();

    WatchedTransport(Transport real) {
        this.real = real;
    }

    private static List<StackTraceElement> here() {
        return List.of(Thread.currentThread().getStackTrace());
    }

    /// The way to the last task that was given to a dialer while an event was delivered: in a round
    /// of which other events wait, as on a busy server.
    List<StackTraceElement> queued() {
        return queued;
    }

    /// The way to the last write to a peer.
    List<StackTraceElement> toPeer() {
        return toPeer;
    }

    /// The way to the last write to a client.
    List<StackTraceElement> toClient() {
        return toClient;
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        return real.listen(config, io -> handlers.accept(new WatchedConnection(io, false)));
    }

    @Override
    public Dialer dialer() {
        return new WatchedDialer(real.dialer());
    }

    @Override
    public void close() {
        real.close();
    }

    private final class WatchedDialer implements Dialer {
        private final Dialer dialer;

        WatchedDialer(Dialer dialer) {
            this.dialer = dialer;
        }

        @Override
        public void dial(
                DialTarget target,
                ConnectionHandler.Factory handlers,
                Consumer<IOException> failed) {
            dialer.dial(target, io -> handlers.accept(new WatchedConnection(io, true)), failed);
        }

        @Override
        public boolean inLoop() {
            return dialer.inLoop();
        }

        @Override
        public void execute(Runnable task) {
            queued = here();
            dialer.execute(task);
        }

        @Override
        public boolean atRoundEnd(Runnable step) {
            queued = here();
            dialer.execute(step);
            return true;
        }

        @Override
        public Timer timer(Runnable action) {
            return dialer.timer(action);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WatchedDialer that && dialer.equals(that.dialer);
        }

        @Override
        public int hashCode() {
            return dialer.hashCode();
        }
    }

    private final class WatchedConnection implements Connection {
        private final Connection io;
        private final boolean peer;

        WatchedConnection(Connection io, boolean peer) {
            this.io = io;
            this.peer = peer;
        }

        @Override
        public int write(byte[] source, int offset, int length) throws IOException {
            if (peer) {
                toPeer = here();
            } else {
                toClient = here();
            }
            return io.write(source, offset, length);
        }

        @Override
        public Dialer dialer() {
            return new WatchedDialer(io.dialer());
        }

        @Override
        public void handler(ConnectionHandler next) {
            io.handler(next);
        }

        @Override
        public long id() {
            return io.id();
        }

        @Override
        public boolean blocking() {
            return io.blocking();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return io.read(target, offset, length);
        }

        @Override
        public boolean flush() throws IOException {
            return io.flush();
        }

        @Override
        public long sendFile(FileChannel file, long position, long count) throws IOException {
            return io.sendFile(file, position, count);
        }

        @Override
        public boolean await(int operations, long timeoutNanos) throws IOException {
            return io.await(operations, timeoutNanos);
        }

        @Override
        public void interest(int operations) {
            io.interest(operations);
        }

        @Override
        public void execute(Runnable task) {
            io.execute(task);
        }

        @Override
        public boolean inLoop() {
            return io.inLoop();
        }

        @Override
        public void deadline(long nanoTime) {
            io.deadline(nanoTime);
        }

        @Override
        public void shutdownOutput() throws IOException {
            io.shutdownOutput();
        }

        @Override
        public void close() {
            io.close();
        }

        @Override
        public void reset() {
            io.reset();
        }

        @Override
        public boolean isClosed() {
            return io.isClosed();
        }

        @Override
        public SocketAddress local() {
            return io.local();
        }

        @Override
        public SocketAddress remote() {
            return io.remote();
        }

        @Override
        public @Nullable TlsSession tls() {
            return io.tls();
        }
    }
}
