package io.margay.transport.memory;

import io.margay.transport.loop.LoopDialer;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connects to what a test accepts. Confined to its loop, but for [#accept] and [#refuse].
final class MemoryDialer extends LoopDialer {
    private record Acceptance(MemoryTransport.Script script, Consumer<MemoryPeer> accept) {}

    private final MemoryLoop home;
    private final Map<SocketAddress, Acceptance> acceptances = new ConcurrentHashMap<>();

    MemoryDialer(MemoryLoop loop, TlsLayer tls) {
        super(loop, tls);
        home = loop;
    }

    void accept(SocketAddress address, MemoryTransport.Script script, Consumer<MemoryPeer> accept) {
        acceptances.put(address, new Acceptance(script, accept));
    }

    void refuse(SocketAddress address) {
        acceptances.remove(address);
    }

    @Override
    protected Pending connect(SocketAddress address, Dialling dialling) throws IOException {
        @Nullable Acceptance acceptance = acceptances.get(address);
        if (acceptance == null) {
            throw new ConnectException("Connection refused");
        }
        MemoryTransport.Script script = acceptance.script();
        MemoryPipe in = new MemoryPipe(Integer.MAX_VALUE);
        MemoryPipe out = new MemoryPipe(script.outputBytes());
        MemoryConnection own =
                new MemoryConnection(home, null, in, out, script.readMax(), script.writeMax());
        Connecting connecting = new Connecting();
        home.execute(() -> {
            if (!connecting.cancelled) {
                dialling.connected(own);
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
