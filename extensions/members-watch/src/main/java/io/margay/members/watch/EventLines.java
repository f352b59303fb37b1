package io.margay.members.watch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The lines of an answer that does not end, as they come. Threads of the HTTP client put them in,
/// one takes them out; `lock` guards them. What is not taken is not read beyond a bound.
final class EventLines implements BodySubscriber<EventLines>, AutoCloseable {
    private final WatchLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Queue<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();
    private int queuedChars;
    private Flow.@Nullable Subscription subscription;
    private boolean paused;
    private boolean ended;
    private @Nullable IOException failure;

    EventLines(WatchLimits limits) {
        this.limits = limits;
    }

    @Override
    public CompletionStage<EventLines> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription to) {
        lock.lock();
        try {
            subscription = to;
        } finally {
            lock.unlock();
        }
        to.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        Flow.Subscription ask;
        boolean tooLong;
        lock.lock();
        try {
            buffers.forEach(this::put);
            tooLong = part.size() > limits.lineBytesMax();
            if (tooLong) {
                end(
                        new ExpiredException(
                                "an event is longer than " + limits.lineBytesMax() + " bytes"));
            }
            paused = queuedChars > limits.queueBytesMax();
            ask = paused ? null : subscription;
            more.signalAll();
        } finally {
            lock.unlock();
        }
        if (tooLong) {
            close();
        } else if (ask != null) {
            ask.request(1);
        }
    }

    private void put(ByteBuffer bytes) {
        while (bytes.hasRemaining() && part.size() <= limits.lineBytesMax()) {
            byte next = bytes.get();
            if (next != '\n') {
                part.write(next);
            } else if (part.size() > 0) {
                String line = part.toString(StandardCharsets.UTF_8);
                part.reset();
                lines.add(line);
                queuedChars += line.length();
            }
        }
    }

    /// Guarded by `lock`.
    private void end(@Nullable IOException why) {
        if (!ended) {
            ended = true;
            failure = why;
        }
        more.signalAll();
    }

    @Override
    public void onError(Throwable thrown) {
        lock.lock();
        try {
            String why = thrown.getMessage();
            end(new IOException(why == null ? thrown.toString() : why, thrown));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onComplete() {
        lock.lock();
        try {
            end(null);
        } finally {
            lock.unlock();
        }
    }

    /// The next line, waiting for it at most so long.
    ///
    /// @return null = there is none yet, or none any more
    /// @throws IOException when the answer has broken off
    /// @throws ExpiredException when a line is too long, and what it says is to be read otherwise
    @Nullable String next(long waitNanos) throws IOException, InterruptedException {
        Flow.Subscription ask = null;
        String line;
        lock.lockInterruptibly();
        try {
            long left = waitNanos;
            while (lines.isEmpty() && !ended && left > 0) {
                left = more.awaitNanos(left);
            }
            line = lines.poll();
            if (line != null) {
                queuedChars -= line.length();
            } else if (failure != null) {
                throw failure;
            }
            if (paused && queuedChars <= limits.queueBytesMax()) {
                paused = false;
                ask = subscription;
            }
        } finally {
            lock.unlock();
        }
        if (ask != null) {
            ask.request(1);
        }
        return line;
    }

    /// Whether there are no more lines.
    boolean isEnded() {
        lock.lock();
        try {
            return ended && lines.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        Flow.Subscription to;
        lock.lock();
        try {
            end(null);
            to = subscription;
        } finally {
            lock.unlock();
        }
        if (to != null) {
            to.cancel();
        }
    }
}
