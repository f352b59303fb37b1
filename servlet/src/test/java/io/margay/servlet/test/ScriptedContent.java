package io.margay.servlet.test;

import io.margay.protocol.http.Fields;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// The content of a request, in the pieces in which it arrives. Thread-safe.
final class ScriptedContent {
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private boolean complete = true;
    private Fields trailers = Fields.EMPTY;
    private IOException failure;
    private Runnable readable;
    private boolean closed;

    /// A piece arrives.
    void arrive(byte[] piece) {
        change(() -> pieces.add(piece));
    }

    /// More comes after what is here.
    synchronized void open() {
        complete = false;
    }

    /// Nothing more comes.
    void end(Fields last) {
        change(() -> {
            complete = true;
            trailers = last;
        });
    }

    /// It breaks off.
    void fail(IOException cause) {
        change(() -> failure = cause);
    }

    /// The exchange is over: nothing may be read any more.
    synchronized void close() {
        closed = true;
    }

    private void change(Runnable change) {
        Runnable task;
        synchronized (this) {
            change.run();
            task = readable;
            readable = null;
            notifyAll();
        }
        if (task != null) {
            task.run();
        }
    }

    /// Waits for what can be read.
    synchronized int read(byte[] target, int offset, int length) throws IOException {
        while (true) {
            int count = poll(target, offset, length);
            if (count != 0) {
                return count;
            }
            try {
                wait(10_000);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    synchronized int poll(byte[] target, int offset, int length) throws IOException {
        if (closed) {
            throw new IllegalStateException("the exchange has ended");
        }
        if (failure != null) {
            throw failure;
        }
        byte[] piece = pieces.poll();
        if (piece == null) {
            return complete ? -1 : 0;
        }
        int count = Math.min(length, piece.length);
        System.arraycopy(piece, 0, target, offset, count);
        if (count < piece.length) {
            pieces.addFirst(Arrays.copyOfRange(piece, count, piece.length));
        }
        return count;
    }

    synchronized boolean ended() {
        return complete && pieces.isEmpty();
    }

    void onReadable(Runnable task) {
        synchronized (this) {
            if (pieces.isEmpty() && !complete && failure == null) {
                readable = task;
                return;
            }
        }
        task.run();
    }

    synchronized Fields trailers() {
        return trailers;
    }
}
