package io.margay.gateway.limit;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An exchange whose response is sent no faster than a rate. What is too early is held, and sent by
/// a timer of the loop: nobody waits for it but who writes more than may be held. Owned as the
/// client's exchange is.
public final class PacedExchange extends DelegatingExchange {
    private static final byte[] NOTHING = {};
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ByType paces;
    private final HeldContent held;
    private final int heldBytesMax;
    private final LongSupplier nanos;
    private byte[] piece = NOTHING;

    /// Once content has come.
    private @Nullable Pace decided;

    /// Whether nothing is paced: the rate is not for such a response, or the bytes are those of
    /// another protocol.
    private boolean raw;

    private boolean hasTrailers;

    /// Whether the response ends with what is held.
    private boolean ended;

    /// Whether [#go] is to come.
    private boolean armed;

    /// Who waits for all to have gone.
    private @Nullable Runnable then;

    /// How fast a response is sent.
    @FunctionalInterface
    interface ByType {
        /// @param contentType what it says of its content
        /// @return null = as fast as can be
        @Nullable Pace of(@Nullable String contentType);
    }

    /// @param freeBytes that are sent before the rate holds
    public PacedExchange(
            DialingExchange real,
            long bytesPerSecond,
            long freeBytes,
            LimiterLimits limits,
            MemoryBudget memory,
            LongSupplier nanos) {
        this(real, new Pace(bytesPerSecond, freeBytes, nanos.getAsLong()), limits, memory, nanos);
    }

    PacedExchange(
            DialingExchange real,
            Pace pace,
            LimiterLimits limits,
            MemoryBudget memory,
            LongSupplier nanos) {
        this(real, _ -> pace, limits, memory, nanos);
        decided = pace;
    }

    /// @param paces asked once, when there is content
    PacedExchange(
            DialingExchange real,
            ByType paces,
            LimiterLimits limits,
            MemoryBudget memory,
            LongSupplier nanos) {
        super(real);
        this.paces = paces;
        this.held = new HeldContent(memory);
        this.heldBytesMax = limits.heldBytesMax();
        this.nanos = nanos;
        real.onEnd(held::close);
    }

    // What is sent now

    private boolean isNow(long length) {
        if (length > 0 && decided == null && !raw) {
            decided = paces.of(real.fields().get("Content-Type"));
            raw = decided == null;
        }
        return raw || (held.isEmpty() && (length == 0 || pace().takes(length, nanos.getAsLong())));
    }

    private Pace pace() {
        return Objects.requireNonNull(decided);
    }

    private boolean isDue() {
        return decided == null || decided.isDue(nanos.getAsLong());
    }

    private void sent(long length) {
        if (length > 0 && decided != null) {
            decided.sent(length, nanos.getAsLong());
        }
    }

    /// Sends what is next of what is held.
    private void step(int max, boolean waits) throws IOException {
        if (piece.length < max) {
            piece = new byte[Math.max(max, pace().pieceBytes())];
        }
        int count = held.take(piece, max);
        if (ended && held.isEmpty()) {
            real.end(piece, 0, count);
        } else if (waits) {
            real.write(piece, 0, count);
        } else {
            real.offer(piece, 0, count);
        }
        sent(count);
    }

    // By threads that wait

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        if (isNow(length)) {
            real.write(source, offset, length);
            sent(length);
        } else if (held.bytes() + length > heldBytesMax || !held.add(source, offset, length)) {
            drain();
            int at = offset;
            while (at < offset + length) {
                int count = Math.min(offset + length - at, awaited());
                real.write(source, at, count);
                sent(count);
                at += count;
            }
        } else {
            begin();
        }
    }

    /// Has the head sent, and the rest when it is time.
    private void begin() throws IOException {
        if (!real.committed()) {
            real.flush();
        }
        arm();
    }

    /// Waits until all that is held has gone.
    private void drain() throws IOException {
        while (!held.isEmpty()) {
            step(awaited(), true);
        }
    }

    /// Waits until something may be sent.
    ///
    /// @return how many bytes
    private int awaited() throws IOException {
        while (true) {
            long now = nanos.getAsLong();
            int allowed = pace().allowed(now);
            if (allowed > 0) {
                return allowed;
            }
            IOException failure = real.failure();
            if (failure != null) {
                throw new IOException("the exchange has failed", failure);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(pace().dueNanos() - now, LOOK_NANOS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a response was sent slowly");
            }
        }
    }

    private boolean mayWait() {
        return real.carrier().waits() || !real.carrier().dialer().inLoop();
    }

    @Override
    public void flush() throws IOException {
        if (!held.isEmpty() && mayWait()) {
            drain();
        }
        if (held.isEmpty()) {
            real.flush();
        }
    }

    @Override
    public void push() throws IOException {
        if (!held.isEmpty() && mayWait()) {
            drain();
        }
        real.push();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        if (isNow(count)) {
            real.sendFile(file, position, count);
            sent(count);
            return;
        }
        held.add(file, position, count);
        if (mayWait()) {
            drain();
        } else {
            begin();
        }
    }

    // By the loop

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        if (isNow(length)) {
            real.offer(source, offset, length);
            sent(length);
        } else {
            hold(source, offset, length);
            begin();
        }
    }

    private void hold(byte[] source, int offset, int length) throws IOException {
        if (!held.add(source, offset, length)) {
            real.abort();
            throw new IOException("there is no memory for a response that is sent slowly");
        }
    }

    @Override
    public boolean writable() {
        return real.writable() && (raw || (held.isEmpty() && isDue()));
    }

    @Override
    public void onWritable(Runnable task) {
        if (raw) {
            real.onWritable(task);
        } else {
            then = task;
            arm();
        }
    }

    /// Has [#go] run when something may be sent.
    private void arm() {
        if (armed) {
            return;
        }
        armed = true;
        if (isDue()) {
            real.onWritable(this::go);
        } else {
            Delay.until(pace().dueNanos(), real, this::due);
        }
    }

    private void due() {
        if (real.failure() != null) {
            wake();
        } else {
            real.onWritable(this::go);
        }
    }

    /// Sends what may be sent now. On the loop, when no task is at work on the exchange.
    private void go() {
        armed = false;
        try {
            while (real.failure() == null && !held.isEmpty() && real.writable()) {
                int allowed = pace().allowed(nanos.getAsLong());
                if (allowed == 0) {
                    break;
                }
                step(allowed, false);
            }
        } catch (IOException e) {
            real.abort();
        }
        if (real.failure() != null || writable()) {
            wake();
        } else if (!ended || !held.isEmpty()) {
            arm();
        }
    }

    private void wake() {
        Runnable next = then;
        then = null;
        if (next != null) {
            next.run();
        }
    }

    // The end

    @Override
    public boolean committed() {
        return ended || real.committed();
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        if (isNow(length)) {
            real.end(source, offset, length);
        } else {
            hold(source, offset, length);
            endHeld(length);
        }
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        if (isNow(length)) {
            real.endConstant(source, offset, length);
        } else {
            held.addConstant(source, offset, length);
            endHeld(length);
        }
    }

    @Override
    public void end() throws IOException {
        end(NOTHING, 0, 0);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        if (isNow(count)) {
            real.endFile(file, position, count);
        } else {
            held.add(file, position, count);
            endHeld(count);
        }
    }

    /// @param length of what it ends with
    private void endHeld(long length) {
        if (!real.committed() && !hasTrailers && !real.fields().contains("Content-Length")) {
            real.fields().set("Content-Length", String.valueOf(length));
        }
        ended = true;
        arm();
    }

    // Other

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        hasTrailers = true;
        real.trailers(trailers);
    }

    @Override
    public void upgrade() throws IOException {
        raw = true;
        real.upgrade();
    }
}
