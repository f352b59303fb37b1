package io.margay.transport.tls;

import io.margay.transport.BufferPool;
import io.margay.transport.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The records between an engine and a raw connection: received but not decrypted, and encrypted
/// but not sent. Buffers are borrowed only while they hold something. Used by one thread at a time.
final class TlsRecords {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Connection raw;
    private final BufferPool<ByteBuffer> buffers;

    /// Received bytes, from position to limit; null when there are none.
    private @Nullable ByteBuffer in;

    /// Encrypted bytes to send, from position to limit; null when there are none.
    private @Nullable ByteBuffer out;

    TlsRecords(Connection raw, BufferPool<ByteBuffer> buffers) {
        this.raw = raw;
        this.buffers = buffers;
    }

    boolean hasInput() {
        return in != null && in.hasRemaining();
    }

    /// The input, which is not to be changed.
    ByteBuffer input() {
        return in == null ? NOTHING : in.asReadOnlyBuffer();
    }

    /// The first byte of the input.
    int firstByte() {
        return in == null ? -1 : in.get(in.position()) & 0xff;
    }

    /// Receives more.
    ///
    /// @return as [Connection#read]
    @SuppressWarnings("ByteBufferBackingArray") // from the pool, without offset
    int fill() throws IOException {
        ByteBuffer buffer = in;
        if (buffer == null) {
            buffer = buffers.take();
            buffer.clear().limit(0);
            in = buffer;
        } else if (buffer.position() > 0) {
            buffer.compact().flip();
        }
        int room = buffer.capacity() - buffer.limit();
        if (room == 0) {
            throw new SSLException("TLS record too long");
        }
        int n = raw.read(buffer.array(), buffer.limit(), room);
        if (n > 0) {
            buffer.limit(buffer.limit() + n);
        }
        releaseInput();
        return n;
    }

    SSLEngineResult unwrap(SSLEngine engine, ByteBuffer target) throws SSLException {
        SSLEngineResult result = engine.unwrap(in == null ? NOTHING : in, target);
        releaseInput();
        return result;
    }

    /// Encrypts a record; all earlier ones must have been sent.
    SSLEngineResult wrap(SSLEngine engine, ByteBuffer source) throws SSLException {
        if (out != null) {
            throw new IllegalStateException("an earlier record is not sent yet");
        }
        ByteBuffer buffer = buffers.take().clear();
        SSLEngineResult result = engine.wrap(source, buffer);
        buffer.flip();
        if (buffer.hasRemaining()) {
            out = buffer;
        } else {
            buffers.give(buffer);
        }
        return result;
    }

    SSLEngineResult wrapNothing(SSLEngine engine) throws SSLException {
        return wrap(engine, NOTHING.duplicate());
    }

    static ByteBuffer nothing() {
        return NOTHING.duplicate();
    }

    boolean hasOutput() {
        return out != null;
    }

    /// Sends what is encrypted.
    ///
    /// @return whether all is sent
    boolean flush() throws IOException {
        return flush(false);
    }

    /// @param ahead whether more is encrypted and sent at once
    @SuppressWarnings("ByteBufferBackingArray")
    boolean flush(boolean ahead) throws IOException {
        ByteBuffer buffer = out;
        if (buffer == null) {
            return true;
        }
        while (buffer.hasRemaining()) {
            byte[] bytes = buffer.array();
            int from = buffer.position();
            int n =
                    ahead
                            ? raw.writeAhead(bytes, from, buffer.remaining())
                            : raw.write(bytes, from, buffer.remaining());
            if (n == 0) {
                return false;
            }
            buffer.position(buffer.position() + n);
        }
        out = null;
        buffers.give(buffer);
        return true;
    }

    private void releaseInput() {
        ByteBuffer buffer = in;
        if (buffer != null && !buffer.hasRemaining()) {
            in = null;
            buffers.give(buffer);
        }
    }
}
