package io.margay.transport.memory;

import io.margay.transport.Connection;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.Pollable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// The client's end of a connection in memory. For one thread.
public final class MemoryPeer {
    private final MemoryPipe toServer;
    private final MemoryPipe fromServer;
    private final LoopConnection server;

    MemoryPeer(MemoryPipe toServer, MemoryPipe fromServer, LoopConnection server) {
        this.toServer = toServer;
        this.fromServer = fromServer;
        this.server = server;
    }

    /// The server's end.
    public Connection server() {
        return server;
    }

    /// Sends all bytes; what the server does not read yet is kept.
    public void send(byte[] bytes) throws IOException {
        toServer.put(bytes, 0, bytes.length);
        server.signal(Connection.READ);
    }

    /// Sends text as ISO 8859-1.
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Takes what the server has sent so far, at most `most` bytes; empty when there is nothing.
    public byte[] received(int most) throws IOException {
        byte[] bytes = new byte[Math.min(most, fromServer.size())];
        int n = fromServer.take(bytes, 0, bytes.length);
        if (n > 0) {
            server.signal(Connection.WRITE);
        }
        return bytes;
    }

    /// Takes all that the server has sent so far, as ISO 8859-1.
    public String receivedText() throws IOException {
        return new String(received(Integer.MAX_VALUE), StandardCharsets.ISO_8859_1);
    }

    /// Takes exactly `count` bytes, waiting for them. Only where the transport has its own thread.
    ///
    /// @throws TimeoutException when they did not come in time; the message says what came
    public byte[] receive(int count, Duration timeout)
            throws IOException, InterruptedException, TimeoutException {
        long end = System.nanoTime() + timeout.toNanos();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (all.size() < count) {
            if (!fromServer.await(end - System.nanoTime())) {
                throw new TimeoutException(
                        "only " + all.size() + " of " + count + " bytes came: " + all);
            }
            byte[] some = received(count - all.size());
            if (some.length == 0 && fromServer.isEnded()) {
                throw new IOException("the server ended its output after " + all.size());
            }
            all.writeBytes(some);
        }
        return all.toByteArray();
    }

    /// Waits for the end of the server's output. Only where the transport has its own thread.
    ///
    /// @return whether it came in time, with nothing before it
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return fromServer.await(timeout.toNanos())
                && fromServer.size() == 0
                && (fromServer.isEnded() || fromServer.isBroken());
    }

    /// Ends the output to the server.
    public void end() {
        toServer.end();
        server.signal(Connection.READ | Pollable.ENDED);
    }

    /// Resets the connection, as a client that was killed.
    public void reset() {
        toServer.breakOff();
        fromServer.breakOff();
        server.signal(Connection.READ | Connection.WRITE | Pollable.ENDED);
    }

    /// Whether the server has ended its output and all of it was taken.
    public boolean ended() {
        return fromServer.isEnded() && fromServer.size() == 0;
    }

    /// Whether the connection was reset.
    public boolean wasReset() {
        return fromServer.isBroken();
    }
}
