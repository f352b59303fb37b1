package io.margay.lab.wire;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// A TLS connection by the JDK's engine. Its tasks run on the loop: the generator's own work is
/// reported, not hidden on other threads.
public final class TlsWire implements Wire {
    private static final System.Logger LOG = System.getLogger(TlsWire.class.getName());
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer in;
    private ByteBuffer out;
    private boolean connected;

    public TlsWire(SocketChannel channel, SSLEngine engine) throws SSLException {
        this.channel = channel;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        in = ByteBuffer.allocateDirect(2 * packet);
        out = ByteBuffer.allocateDirect(2 * packet);
        engine.beginHandshake();
    }

    @Override
    public boolean advance() throws IOException {
        if (!connected) {
            connected = channel.finishConnect();
            if (!connected) {
                return false;
            }
        }
        ByteBuffer none = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        while (true) {
            if (!flush()) {
                return false;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrapHandshake(none)) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return true;
                }
            }
        }
    }

    /// One step forward; false if more must arrive first.
    private boolean unwrapHandshake(ByteBuffer target) throws IOException {
        in.flip();
        SSLEngineResult result = engine.unwrap(in, target);
        in.compact();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new EOFException("closed within the handshake");
        }
        if (result.getStatus() != SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            return true;
        }
        int count = channel.read(in);
        if (count < 0) {
            throw new EOFException("closed within the handshake");
        }
        return count > 0;
    }

    @Override
    public int read(byte[] target, int offset) throws IOException {
        int count = channel.read(in);
        ByteBuffer plain = ByteBuffer.wrap(target, offset, target.length - offset);
        boolean ended = count < 0;
        in.flip();
        boolean more = in.hasRemaining();
        while (more) {
            SSLEngineResult result = engine.unwrap(in, plain);
            if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            }
            switch (result.getStatus()) {
                case OK -> more = in.hasRemaining();
                case CLOSED -> {
                    ended = true;
                    more = false;
                }
                case BUFFER_UNDERFLOW -> more = false;
                case BUFFER_OVERFLOW -> throw new IOException("a TLS record larger than its limit");
            }
        }
        in.compact();
        int got = plain.position() - offset;
        return got == 0 && ended ? -1 : got;
    }

    @Override
    public boolean write(ByteBuffer source) throws IOException {
        wrap(source);
        return flush();
    }

    private void wrap(ByteBuffer source) throws IOException {
        do {
            SSLEngineResult result = engine.wrap(source, out);
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                out = ByteBuffer.allocateDirect(2 * out.capacity()).put(out.flip());
            }
        } while (source.hasRemaining());
    }

    @Override
    public boolean flush() throws IOException {
        if (out.position() > 0) {
            out.flip();
            channel.write(out);
            out.compact();
        }
        return out.position() == 0;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; ) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    @Override
    public String protocol() {
        String agreed = engine.getApplicationProtocol();
        return agreed == null ? "" : agreed;
    }

    @Override
    public void close() {
        engine.closeOutbound();
        try {
            if (connected) {
                wrap(NOTHING);
                flush();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no farewell", e);
        }
        Sockets.close(channel);
    }
}
