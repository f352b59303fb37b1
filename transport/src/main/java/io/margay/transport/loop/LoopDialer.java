package io.margay.transport.loop;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import io.margay.transport.TlsClientConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The dialer of an event loop. Confined to it, as [Dialer] says.
public final class LoopDialer implements Dialer {
    private final EventLoop loop;
    private final TlsLayer tls;
    private final Connector connector;
    private @Nullable LoopWrites writes;

    public LoopDialer(EventLoop loop, TlsLayer tls, Connector connector) {
        this.loop = loop;
        this.tls = tls;
        this.connector = connector;
    }

    @Override
    public void dial(
            DialTarget target, ConnectionHandler.Factory handlers, Consumer<IOException> failed) {
        SocketAddress address = target.address();
        if (address instanceof InetSocketAddress named && named.isUnresolved()) {
            Thread.ofVirtual()
                    .name("margay-resolve")
                    .start(() -> resolve(named, target, handlers, failed));
        } else {
            loop.execute(
                    new Dialling(target, handlers, failed, new ArrayDeque<>(List.of(address)))
                            ::next);
        }
    }

    private void resolve(
            InetSocketAddress named,
            DialTarget target,
            ConnectionHandler.Factory handlers,
            Consumer<IOException> failed) {
        Deque<SocketAddress> addresses = new ArrayDeque<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(named.getHostString())) {
                addresses.add(new InetSocketAddress(address, named.getPort()));
            }
            loop.execute(new Dialling(target, handlers, failed, addresses)::next);
        } catch (UnknownHostException e) {
            loop.execute(() -> failed.accept(e));
        }
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return loop.atRoundEnd(step);
    }

    @Override
    public @Nullable WriteBatch writeBatch() {
        if (!loop.inLoop()) {
            return null;
        }
        BatchSender sender = loop.poller().batchSender();
        if (sender == null) {
            return null;
        }
        LoopWrites made = writes;
        if (made == null) {
            made = new LoopWrites(loop, sender);
            writes = made;
        }
        return made;
    }

    @Override
    public Timer timer(Runnable action) {
        return loop.timer(action);
    }

    /// One call of [#dial]: the addresses that are left, and the attempt under way.
    private final class Dialling implements Connector.Result {
        private final DialTarget target;
        private final ConnectionHandler.Factory handlers;
        private final Consumer<IOException> failed;
        private final Deque<SocketAddress> addresses;
        private final DeadlineWheel.Entry timer = new DeadlineWheel.Entry(this::timedOut);
        private Connector.@Nullable Pending pending;
        private @Nullable IOException failure;

        private Dialling(
                DialTarget target,
                ConnectionHandler.Factory handlers,
                Consumer<IOException> failed,
                Deque<SocketAddress> addresses) {
            this.target = target;
            this.handlers = handlers;
            this.failed = failed;
            this.addresses = addresses;
        }

        private void next() {
            SocketAddress address = addresses.poll();
            if (address == null) {
                IOException cause = failure;
                failed.accept(cause == null ? new UnknownHostException("no address") : cause);
                return;
            }
            try {
                pending = connector.connect(address, loop, this);
            } catch (IOException | UnsupportedOperationException e) {
                failed(e instanceof IOException io ? io : new IOException(e.getMessage(), e));
                return;
            }
            if (timer.move(loop.clock.getAsLong() + target.timeout().toNanos())) {
                loop.schedule(timer);
            }
        }

        private void timedOut() {
            Connector.Pending current = pending;
            if (current != null) {
                current.cancel();
                failed(new SocketTimeoutException("no connection within " + target.timeout()));
            }
        }

        @Override
        public void connected(LoopConnection connection) {
            pending = null;
            loop.cancel(timer);
            TlsClientConfig secure = target.tls();
            try {
                connection.open(
                        secure == null
                                ? handlers
                                : tls.secure(secure, target.timeout(), handlers, failed));
            } catch (RuntimeException e) {
                connection.close();
                failed.accept(new ConnectException("TLS cannot be set up: " + e.getMessage()));
            }
        }

        @Override
        public void failed(IOException cause) {
            pending = null;
            loop.cancel(timer);
            if (failure == null) {
                failure = cause;
            } else {
                failure.addSuppressed(cause);
            }
            loop.execute(this::next);
        }
    }
}
