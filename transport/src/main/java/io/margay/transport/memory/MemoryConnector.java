package io.margay.transport.memory;

import io.margay.transport.Connection;
import io.margay.transport.loop.Connector;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopConnection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connects to what a test accepts. Confined to its loop, but for [#accept].
final class MemoryConnector implements Connector {
    private record Acceptance(MemoryTransport.Script script, Consumer<MemoryPeer> accept) {}

    private final Map<SocketAddress, Acceptance> acceptances = new ConcurrentHashMap<>();

    void accept(SocketAddress address, MemoryTransport.Script script, Consumer<MemoryPeer> accept) {
        acceptances.put(address, new Acceptance(script, accept));
    }

    @Override
    public Pending connect(SocketAddress address, EventLoop loop, Result result)
            throws IOException {
        @Nullable Acceptance acceptance = acceptances.get(address);
        if (acceptance == null) {
            throw new ConnectException("Connection refused");
        }
        MemoryTransport.Script script = acceptance.script();
        MemoryPipe in = new MemoryPipe(Integer.MAX_VALUE);
        MemoryPipe out = new MemoryPipe(script.outputBytes());
        LoopConnection own =
                new LoopConnection(
                        loop, null, new MemorySocket(in, out, script.readMax(), script.writeMax()));
        Connecting connecting = new Connecting();
        loop.execute(() -> {
            if (!connecting.cancelled) {
                result.connected(own);
                own.signal(Connection.READ | Connection.WRITE);
                acceptance.accept().accept(new MemoryPeer(in, out, own));
            }
        });
        return connecting;
    }

    private static final class Connecting implements Pending {
        private boolean cancelled;

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
