package io.margay.servlet.engine.response;

import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.ResponseBuffers;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The content of one response: a buffer before the exchange, and the stream that servlets write
/// to.
///
/// Used by the thread that handles the response. A buffer is borrowed from the application's pool
/// for the time of the response: a small one first, and one of [#capacity] bytes once that is full,
/// so that few pieces are sent and few pages need chunks.
public final class ResponseOutput extends ServletOutputStream {
    private static final long NO_LENGTH = -1;
    private static final byte[] NONE = {};

    private final ServerResponse response;
    private final Exchange exchange;
    private final ResponseBuffers pool;
    private final boolean head;

    /// Written by [ResponseWriter] too; `used` bytes wait to be sent.
    byte[] buffer = NONE;

    int used;

    /// The small buffer that `buffer` has replaced, lent until the end as well.
    private byte[] outgrown = NONE;

    private int capacity = ResponseBuffers.WHOLE_BYTES;
    private long sent;
    private long promised = NO_LENGTH;

    /// The whole content, when nobody changes it any more.
    private byte @Nullable [] constant;

    /// The file that has the whole content, from `fileFrom` on.
    private @Nullable FileChannel file;

    private long fileFrom;

    private boolean closed;
    private boolean suspended;
    private @Nullable WriteListener listener;

    /// Whether the last `isReady` said no, so that `onWritePossible` is due.
    private volatile boolean awaited;

    ResponseOutput(ServerResponse response, Exchange exchange, ResponseBuffers pool, boolean head) {
        this.response = response;
        this.exchange = exchange;
        this.pool = pool;
        this.head = head;
    }

    // The buffer

    /// Makes sure that there is a buffer to write to.
    void open() {
        if (buffer.length == 0) {
            boolean standard = capacity == ResponseBuffers.WHOLE_BYTES;
            buffer = standard ? pool.takeFirst() : new byte[capacity];
        }
    }

    /// The buffer is full: takes the larger one, or sends what it holds.
    void full() throws IOException {
        if (buffer.length < capacity && !isFulfilled()) {
            grow();
        } else {
            spill();
        }
    }

    /// Only a pool's first buffer is smaller than what servlets are told.
    private void grow() {
        byte[] larger = pool.takeWhole();
        System.arraycopy(buffer, 0, larger, 0, used);
        outgrown = buffer;
        buffer = larger;
    }

    int capacity() {
        return capacity;
    }

    void capacity(int bytes) {
        if (bytes > capacity) {
            release(true);
            capacity = bytes;
        }
    }

    /// Whether content is refused now: the response has been given away or closed.
    boolean isShut() {
        return closed || suspended;
    }

    void suspend(boolean value) {
        suspended = value;
    }

    public boolean isClosed() {
        return closed;
    }

    /// Forgets what has not been sent.
    void clear() {
        used = 0;
        constant = null;
        closeFile();
    }

    /// Content written so far, sent or not.
    long written() {
        return sent + used;
    }

    void promise(long length) {
        promised = length;
    }

    /// These bytes are the whole content, and remain as they are.
    void constant(byte[] content) {
        promised = content.length;
        constant = content;
    }

    /// These bytes of a file are the whole content; it is closed at the end.
    void file(FileChannel channel, long from, long count) {
        promised = count;
        file = channel;
        fileFrom = from;
    }

    private void closeFile() {
        FileChannel channel = file;
        file = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                System.getLogger(ResponseOutput.class.getName())
                        .log(System.Logger.Level.DEBUG, "closing a file failed", e);
            }
        }
    }

    /// Whether as much was written as `Content-Length` announced.
    public boolean isFulfilled() {
        return promised > 0 && written() >= promised;
    }

    /// Whether less was written than `Content-Length` announced.
    boolean isShort() {
        return !head && file == null && constant == null && written() < promised;
    }

    long promised() {
        return promised;
    }

    /// Whether characters may be encoded straight into the buffer.
    boolean isDirect() {
        return promised == NO_LENGTH && listener == null && !closed && !suspended;
    }

    /// Sends what the buffer holds, with the head before it when that was not sent.
    void spill() throws IOException {
        if (response.cycle().isUpgrading()) {
            return;
        }
        if (promised != NO_LENGTH && written() > promised) {
            used = (int) Math.max(0, promised - sent);
        }
        response.commit();
        int length = used;
        used = 0;
        sent += length;
        if (head || length == 0) {
            exchange.flush();
        } else if (listener != null) {
            exchange.offer(buffer, 0, length);
        } else {
            exchange.write(buffer, 0, length);
        }
    }

    /// Has the client get what has been written.
    void push() throws IOException {
        spill();
        exchange.push();
    }

    /// Ends the response with what is left.
    void finish() throws IOException {
        closed = true;
        if (promised != NO_LENGTH && written() > promised) {
            used = (int) Math.max(0, promised - sent);
        }
        boolean committed = exchange.committed();
        if (!committed && head && promised == NO_LENGTH && response.mayHaveContent()) {
            promised = written();
            response.promisedLength(promised);
        }
        response.commit();
        byte[] whole = constant;
        FileChannel channel = file;
        if (channel != null && !head) {
            file = null;
            exchange.endFile(channel, fileFrom, promised);
            sent += promised;
        } else if (whole != null && !head) {
            exchange.endConstant(whole, 0, whole.length);
            sent += whole.length;
        } else if (used == 0 || head) {
            exchange.end();
        } else if (!committed && response.hasTrailers()) {
            exchange.write(buffer, 0, used);
            exchange.end();
        } else {
            exchange.end(buffer, 0, used);
        }
        sent += used;
        used = 0;
    }

    /// Lets the buffer go.
    ///
    /// @param reuse whether another response may have it: not where a thread of the application
    ///   might still be writing into it
    void release(boolean reuse) {
        closeFile();
        if (buffer.length > 0) {
            if (reuse) {
                pool.give(buffer);
                pool.give(outgrown);
            }
            buffer = NONE;
            outgrown = NONE;
        }
    }

    // OutputStream

    @Override
    public void write(int octet) throws IOException {
        if (!admit()) {
            return;
        }
        open();
        if (promised != NO_LENGTH && written() >= promised) {
            return;
        }
        buffer[used++] = (byte) octet;
        if (used == buffer.length || isFulfilled()) {
            full();
        }
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        java.util.Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0 || !admit()) {
            return;
        }
        int left = promised == NO_LENGTH ? length : (int) Math.min(length, promised - written());
        if (left <= 0) {
            return;
        }
        open();
        int from = offset;
        boolean all = used == 0 && written() + left == promised;
        if (left > buffer.length - used && left < capacity && buffer.length < capacity && !all) {
            grow();
        }
        if (left > buffer.length - used) {
            if (used > 0) {
                int fits = buffer.length - used;
                System.arraycopy(source, from, buffer, used, fits);
                used += fits;
                from += fits;
                left -= fits;
                spill();
            }
            if (left >= buffer.length) {
                response.commit();
                sendDirectly(source, from, left);
                return;
            }
        }
        System.arraycopy(source, from, buffer, used, left);
        used += left;
        if (used == buffer.length || isFulfilled()) {
            full();
        }
    }

    private void sendDirectly(byte[] source, int from, int length) throws IOException {
        sent += length;
        if (head) {
            return;
        }
        if (listener != null) {
            exchange.offer(source, from, length);
        } else {
            exchange.write(source, from, length);
        }
    }

    /// Whether content is taken; what comes after a forward or a redirect is dropped silently.
    ///
    /// @throws IOException when the application has closed the response
    private boolean admit() throws IOException {
        response.requireOpen();
        if (suspended) {
            return false;
        }
        if (closed) {
            throw new IOException("the response has been closed");
        }
        if (listener != null && (awaited || !exchange.writable())) {
            throw new IllegalStateException("written although isReady() was not true");
        }
        return true;
    }

    @Override
    public void flush() throws IOException {
        if (!closed && admit()) {
            push();
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        response.requireOpen();
        if (suspended) {
            return;
        }
        if (!exchange.committed() && promised == NO_LENGTH && !response.hasTrailers()) {
            promised = written();
            response.promisedLength(promised);
        }
        push();
        closed = true;
    }

    // Without waiting

    @Override
    public boolean isReady() {
        response.requireOpen();
        if (listener == null) {
            return true;
        }
        if (awaited) {
            return false;
        }
        if (exchange.writable()) {
            return true;
        }
        awaited = true;
        exchange.onWritable(() -> response.cycle().enqueue(this::writePossible));
        return false;
    }

    @Override
    public void setWriteListener(WriteListener writeListener) {
        java.util.Objects.requireNonNull(writeListener);
        if (listener != null) {
            throw new IllegalStateException("there is a write listener already");
        }
        response.cycle().requireAsync();
        listener = writeListener;
        awaited = true;
        response.cycle().enqueue(this::writePossible);
    }

    private void writePossible() {
        WriteListener waiting = listener;
        if (waiting == null || closed || response.cycle().isOver()) {
            return;
        }
        awaited = false;
        IOException failure = exchange.failure();
        try {
            if (failure != null) {
                throw failure;
            }
            waiting.onWritePossible();
        } catch (IOException | RuntimeException | LinkageError e) {
            waiting.onError(e);
            response.cycle().asyncFailed(e);
        }
    }
}
