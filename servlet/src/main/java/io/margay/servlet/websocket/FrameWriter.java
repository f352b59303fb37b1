package io.margay.servlet.websocket;

import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.engine.async.UpgradedConnection;
import jakarta.websocket.CloseReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.glassfish.tyrus.spi.CompletionHandler;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.Writer;
import org.glassfish.tyrus.spi.WriterInfo;
import org.jspecify.annotations.Nullable;

/// Sends the frames of one session, in order, whichever threads give them. The monitor of `queue`
/// guards the fields that say so; it is held neither during I/O nor while foreign code runs.
///
/// A frame that the session itself sends, within one of its tasks, goes out at once; where the peer
/// is slow, the task waits, and so no more is read from that peer. Frames of other threads wait in
/// the queue for a task, which sends what the peer takes and never waits. A queue that a peer lets
/// grow over its bound ends the session.
final class FrameWriter extends Writer implements Connection.CloseListener {
    /// Frames of the queue are sent together up to so many bytes.
    private static final int BATCH_BYTES = 16_384;

    /// What a session may have waiting without being counted.
    private static final int FREE_BYTES = 4_096;

    private final int queuedBytesMax;
    private @Nullable UpgradedConnection connection;

    /// What the queue holds; made when it is to be counted. Guarded by `queue`.
    private MemoryBudget.@Nullable Share held;

    /// Its monitor is the lock: a session has no object for that alone.
    private final Queue<Queued> queue = new ArrayDeque<>(1);

    /// Guarded by `queue`.
    private long queuedBytes;

    /// Whether a task has been asked for that sends the queue. Guarded by `queue`.
    private boolean due;

    /// Whether the connection is to be closed once the queue is empty. Guarded by `queue`.
    private boolean closing;

    /// Whether nothing can be sent any more. Guarded by `queue`.
    private boolean closed;

    /// The close frame, which goes out when the application has been told of the end: else the
    /// peer's answer could tell it first, with another reason. Guarded by `queue`.
    private @Nullable Queued farewell;

    /// Whether a task comes when the connection is writable. In tasks only.
    private boolean awaited;

    /// Bytes of a frame, and who wants to know of them.
    @SuppressWarnings("ArrayRecordComponent")
    private record Queued(
            byte[] bytes,
            int offset,
            int length,
            @Nullable CompletionHandler<ByteBuffer> handler,
            ByteBuffer frame) {
        static Queued of(ByteBuffer frame, @Nullable CompletionHandler<ByteBuffer> handler) {
            if (frame.hasArray()) {
                int offset = frame.arrayOffset() + frame.position();
                return new Queued(frame.array(), offset, frame.remaining(), handler, frame);
            }
            byte[] copy = new byte[frame.remaining()];
            frame.duplicate().get(copy);
            return new Queued(copy, 0, copy.length, handler, frame);
        }

        void sent() {
            if (handler != null) {
                handler.completed(frame);
            }
        }

        void failed(Throwable cause) {
            if (handler != null) {
                handler.failed(cause);
            }
        }
    }

    FrameWriter(int queuedBytesMax) {
        this.queuedBytesMax = queuedBytesMax;
    }

    /// Says where the frames go. Called before anything else.
    void open(UpgradedConnection opened) {
        connection = opened;
    }

    /// Counts what waits; with the lock.
    private boolean hold(long bytes) {
        MemoryBudget.Share share = held;
        if (share == null) {
            if (bytes <= FREE_BYTES) {
                return true;
            }
            share = connection().memory().share(FREE_BYTES);
            held = share;
        }
        return share.hold(bytes);
    }

    private UpgradedConnection connection() {
        return Objects.requireNonNull(connection, "the connection is open");
    }

    /// Whether no frame is taken any more.
    boolean isClosing() {
        synchronized (queue) {
            return closing || closed;
        }
    }

    @Override
    public void write(ByteBuffer buffer, CompletionHandler<ByteBuffer> handler, WriterInfo kind) {
        if (kind.getMessageType() != WriterInfo.MessageType.CLOSE) {
            write(buffer, handler);
            return;
        }
        synchronized (queue) {
            farewell = Queued.of(buffer, handler);
        }
    }

    @Override
    public void write(ByteBuffer buffer, CompletionHandler<ByteBuffer> handler) {
        Queued frame = Queued.of(buffer, handler);
        UpgradedConnection to = connection();
        boolean here = to.inTask();
        switch (admit(frame, here)) {
            case SEND -> drain(here);
            case TASK -> to.enqueue(() -> drain(false));
            case WAIT -> {}
            case CLOSED -> frame.failed(new IOException("the session has been closed"));
            case FULL -> {
                IOException full = new IOException("the peer does not take its messages");
                frame.failed(full);
                to.abort();
                fail(full);
            }
        }
    }

    private enum Admission {
        SEND,
        TASK,
        WAIT,
        CLOSED,
        FULL
    }

    private Admission admit(Queued frame, boolean here) {
        synchronized (queue) {
            if (closing || closed) {
                return Admission.CLOSED;
            }
            boolean first = queue.isEmpty();
            if (!first && queuedBytes + frame.length() > queuedBytesMax) {
                return Admission.FULL;
            }
            if (!first && !hold(queuedBytes + frame.length())) {
                return Admission.FULL;
            }
            queue.add(frame);
            queuedBytes += frame.length();
            if (here) {
                return Admission.SEND;
            }
            if (due) {
                return Admission.WAIT;
            }
            due = true;
            return Admission.TASK;
        }
    }

    @Override
    public void close(CloseReason reason) {
        close();
    }

    /// Closes the connection after the frames that wait.
    @Override
    public void close() {
        UpgradedConnection to = connection();
        boolean here = to.inTask();
        synchronized (queue) {
            if (closing || closed) {
                return;
            }
            closing = true;
            if (farewell != null) {
                queue.add(farewell);
                queuedBytes += farewell.length();
                farewell = null;
            }
            if (!here && due) {
                return;
            }
            due = true;
        }
        if (here) {
            drain(true);
        } else {
            to.enqueue(() -> drain(false));
        }
    }

    /// Sends what waits; in a task.
    ///
    /// @param waits whether to wait for a peer that is slow
    private void drain(boolean waits) {
        UpgradedConnection to = connection();
        List<Queued> batch = new ArrayList<>();
        try {
            while (true) {
                if (!waits && !to.writable() && to.failure() == null) {
                    await(to);
                    return;
                }
                if (!next(batch)) {
                    return;
                }
                send(to, batch);
                batch.forEach(Queued::sent);
                batch.clear();
            }
        } catch (IOException | IllegalStateException e) {
            IOException cause = e instanceof IOException io ? io : new IOException(e);
            batch.forEach(frame -> frame.failed(cause));
            fail(cause);
        }
    }

    private void await(UpgradedConnection to) {
        if (!awaited) {
            awaited = true;
            to.onWritable(() -> {
                awaited = false;
                drain(false);
            });
        }
    }

    /// Takes the next frames, or ends the connection when none are left and it is to be closed.
    private boolean next(List<Queued> batch) {
        boolean close = false;
        synchronized (queue) {
            int bytes = 0;
            for (Queued frame = queue.peek();
                    frame != null && (bytes == 0 || bytes + frame.length() <= BATCH_BYTES);
                    frame = queue.peek()) {
                batch.add(queue.remove());
                bytes += frame.length();
            }
            queuedBytes -= bytes;
            boolean _ = hold(queuedBytes);
            if (batch.isEmpty()) {
                due = awaited;
                close = closing && !closed;
                closed |= close;
            }
        }
        if (close) {
            connection().close();
        }
        return !batch.isEmpty();
    }

    private static void send(UpgradedConnection to, List<Queued> batch) throws IOException {
        Queued first = batch.getFirst();
        byte[] bytes = first.bytes();
        int offset = first.offset();
        int length = first.length();
        if (batch.size() > 1) {
            length = batch.stream().mapToInt(Queued::length).sum();
            bytes = new byte[length];
            offset = 0;
            int at = 0;
            for (Queued frame : batch) {
                System.arraycopy(frame.bytes(), frame.offset(), bytes, at, frame.length());
                at += frame.length();
            }
        }
        if (to.writable()) {
            to.offer(bytes, offset, length);
        } else {
            to.write(bytes, offset, length);
        }
    }

    /// Nothing can be sent any more: who waits is told.
    void fail(IOException cause) {
        List<Queued> left;
        synchronized (queue) {
            closed = true;
            left = List.copyOf(queue);
            queue.clear();
            queuedBytes = 0;
            boolean _ = hold(0);
        }
        left.forEach(frame -> frame.failed(cause));
    }
}
