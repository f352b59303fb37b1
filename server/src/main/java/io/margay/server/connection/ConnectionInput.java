package io.margay.server.connection;

import io.margay.server.exchange.ArrayPool;
import io.margay.transport.Connection;
import java.io.IOException;
import java.util.Arrays;

/// Bytes of a connection that have been received and not used yet. Owned as its connection is.
///
/// The array is leased when bytes arrive and given back when it is empty and the connection idles,
/// so that an idle connection has none.
public final class ConnectionInput {
    private static final byte[] NONE = new byte[0];

    private final Connection io;
    private final BlockingWait wait;
    private final long stallNanos;
    private final ArrayPool small;
    private final ArrayPool large;

    public byte[] bytes = NONE;
    public int from;
    public int to;

    /// The peer has ended its output.
    public boolean ended;

    /// Bytes received on this connection.
    public long received;

    public ConnectionInput(
            Connection io, BlockingWait wait, long stallNanos, ArrayPool small, ArrayPool large) {
        this.io = io;
        this.wait = wait;
        this.stallNanos = stallNanos;
        this.small = small;
        this.large = large;
    }

    public boolean isEmpty() {
        return from == to;
    }

    public int available() {
        return to - from;
    }

    /// Whether there is no room behind the bytes that wait.
    public boolean isFull() {
        return to == bytes.length && bytes.length > 0 && from < to;
    }

    /// Reads once into the free room, of which there must be some, because the connection said that
    /// input has come.
    ///
    /// @return bytes read, 0 for none now, -1 at the end of input
    public int fill() throws IOException {
        makeReady();
        int read = note(io.read(bytes, to, bytes.length - to));
        to += Math.max(0, read);
        return read;
    }

    /// The same for a handler that wants more, which on a blocking connection waits.
    public int fillForHandler() throws IOException {
        makeReady();
        int read = readDirect(bytes, to, bytes.length - to);
        to += Math.max(0, read);
        return read;
    }

    /// Reads once what has come already, as [#fill] does, and waits for nothing, also on a blocking
    /// connection.
    public int fillNow() throws IOException {
        return io.blocking() && !io.await(Connection.READ, 1) ? 0 : fill();
    }

    private void makeReady() {
        if (bytes.length == 0) {
            bytes = small.lease();
        }
        if (from == to) {
            from = 0;
            to = 0;
        }
    }

    /// Reads once past this buffer, which must be empty, into `target`, for a handler.
    public int readDirect(byte[] target, int offset, int length) throws IOException {
        wait.begin(Connection.READ, stallNanos);
        int read = io.read(target, offset, length);
        wait.end(Connection.READ);
        return note(read);
    }

    private int note(int read) {
        if (read > 0) {
            received += read;
        } else if (read < 0) {
            ended = true;
        }
        return read;
    }

    /// Makes room behind the waiting bytes: moves them to the front, or into a larger array.
    ///
    /// @return false when `bytesMax` bytes wait already
    public boolean makeRoom(int bytesMax) {
        int waiting = to - from;
        if (waiting >= bytesMax) {
            return false;
        }
        if (from > 0) {
            System.arraycopy(bytes, from, bytes, 0, waiting);
        } else if (to == bytes.length) {
            enlarge(Math.min(bytesMax, Math.max(large.bufferBytes(), bytes.length * 2)));
        }
        from = 0;
        to = waiting;
        return true;
    }

    private void enlarge(int size) {
        byte[] old = bytes;
        if (size == large.bufferBytes()) {
            bytes = large.lease();
            System.arraycopy(old, 0, bytes, 0, to);
        } else {
            bytes = Arrays.copyOf(old, Math.max(size, old.length + 1));
        }
        giveBack(old);
    }

    /// Uses a large array from now on, for content. Only when empty.
    public void expectMuch() {
        if (isEmpty() && bytes.length < large.bufferBytes()) {
            giveBack(bytes);
            bytes = large.lease();
            from = 0;
            to = 0;
        }
    }

    /// Gives the array back when it is empty.
    public void releaseIfEmpty() {
        if (isEmpty()) {
            release();
        }
    }

    /// Forgets what waits, but keeps the array, into which a read may be on its way.
    public void clear() {
        from = to;
    }

    /// Forgets what waits and gives the array back.
    public void release() {
        giveBack(bytes);
        bytes = NONE;
        from = 0;
        to = 0;
    }

    private void giveBack(byte[] array) {
        // To one pool only, though both may have arrays of this size: whatever is in a pool twice
        // serves two connections at a time.
        if (array.length == small.bufferBytes()) {
            small.release(array);
        } else {
            large.release(array);
        }
    }
}
