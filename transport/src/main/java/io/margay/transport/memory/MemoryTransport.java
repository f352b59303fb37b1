package io.margay.transport.memory;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.LoopDialer;
import io.margay.transport.loop.LoopListener;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// Connections that are two byte queues, for tests of protocols and servers without sockets.
///
/// Either with a thread of its own ([#threaded]), like the real ones, or pumped by the test
/// ([#pumped]): then nothing happens but in [#run], on the test's thread, with the test's clock.
public final class MemoryTransport implements Transport {
    /// How a connection behaves.
    ///
    /// @param outputBytes what the server may have sent without the peer taking it
    /// @param readMax asked at each read of the server for the most bytes that it gives
    /// @param writeMax asked at each write of the server for the most bytes that it takes
    public record Script(int outputBytes, IntSupplier readMax, IntSupplier writeMax) {
        /// 64 KiB of output, no other bounds.
        public static Script defaults() {
            return new Script(64 * 1024, () -> Integer.MAX_VALUE, () -> Integer.MAX_VALUE);
        }

        /// Each read and write of the server moves at most this many bytes.
        public static Script pieces(int bytes) {
            return new Script(64 * 1024, () -> bytes, () -> bytes);
        }
    }

    private final EventLoop loop;
    private final MemoryConnector connector = new MemoryConnector();
    private final boolean pumped;
    private final List<LoopListener> listeners = new CopyOnWriteArrayList<>();
    private final TlsLayer tls;

    private MemoryTransport(LongSupplier clock, boolean pumped) {
        this.pumped = pumped;
        this.tls = new TlsLayer(TransportConfig.defaults(), pumped);
        this.loop =
                new EventLoop(
                        clock, new MemoryPoller(), made -> new LoopDialer(made, tls, connector));
    }

    /// A transport that acts only in [#run].
    ///
    /// @param clock nanoseconds, as `System.nanoTime()`
    public static MemoryTransport pumped(LongSupplier clock) {
        return new MemoryTransport(clock, true);
    }

    /// A transport with a thread.
    public static MemoryTransport threaded() {
        MemoryTransport transport = new MemoryTransport(System::nanoTime, false);
        transport.loop.start(
                "margay-memory", _ -> transport.listeners.forEach(LoopListener::close));
        return transport;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Dialer dialer() {
        return loop.dialer();
    }

    @Override
    public Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers) {
        TlsLayer.Secured secured = tls.secure(config.tls(), handlers);
        LoopListener listener =
                new LoopListener(config, config.address(), secured, List.of(loop), secured.close());
        listeners.add(listener);
        return listener;
    }

    /// Connects to a listener of this transport.
    ///
    /// @throws IOException when it takes no more connections
    public MemoryPeer connect(Listener listener, Script script) throws IOException {
        if (!(listener instanceof LoopListener target) || !listeners.contains(target)) {
            throw new IllegalArgumentException("not a listener of this transport");
        }
        MemoryPipe in = new MemoryPipe(Integer.MAX_VALUE);
        MemoryPipe out = new MemoryPipe(script.outputBytes());
        LoopConnection server =
                new LoopConnection(
                        loop,
                        target,
                        new MemorySocket(in, out, script.readMax(), script.writeMax()));
        if (!target.adopt(loop, () -> server)) {
            throw new IOException("connection refused");
        }
        server.signal(Connection.READ | Connection.WRITE);
        return new MemoryPeer(in, out, server);
    }

    /// Connects without a script.
    public MemoryPeer connect(Listener listener) throws IOException {
        return connect(listener, Script.defaults());
    }

    /// Accepts what this transport's dialer connects to `address`, with the script for its own end.
    ///
    /// @param accept told of the other end of each connection, on the loop
    public void accept(SocketAddress address, Script script, Consumer<MemoryPeer> accept) {
        connector.accept(address, script, accept);
    }

    /// Does all that is to be done now: events, tasks, deadlines that the clock has passed.
    public void run() throws IOException {
        if (!pumped) {
            throw new IllegalStateException("this transport has its own thread");
        }
        loop.pump();
    }

    @Override
    public void close() {
        listeners.forEach(LoopListener::close);
        if (pumped) {
            loop.endPumped();
        } else {
            loop.stop();
        }
        tls.close();
    }
}
