package io.margay.server.serial;

import io.margay.server.connection.BlockingWait;
import io.margay.server.connection.StalledException;
import io.margay.server.connection.TransferRate;
import io.margay.server.exchange.ArrayPool;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Bytes of a connection that are to be sent: a buffer that collects, behind it perhaps the rest of
/// an array that nobody changes, or a part of a file. Owned as its connection is.
///
/// The array is leased while a response is on its way, a wider one for content that fits there.
/// Where the caller must not wait, the array grows with what the peer does not take.
public final class SerialOutput {
    private static final byte[] NONE = new byte[0];

    /// The end of a large write that is kept for the buffer, so that what follows it (the end of a
    /// chunk) needs no write of its own, and the room for that behind what is kept, bytes.
    private static final int TAIL = 512;

    /// The largest array of every JVM, bytes.
    private static final int LARGEST = Integer.MAX_VALUE - 16;

    /// What one write to a blocking connection moves at most, so that its deadline is one for so
    /// many bytes.
    private static final int PART = 131_072;

    /// What is sent of a file for one connection, where nobody waits, before the others have their
    /// turn. Who is told that not all has been sent asks for room and, as there is some, goes on in
    /// the loop's next turn.
    private static final int TURN = 262_144;

    private final Connection io;
    private final ArrayPool pool;
    private final ArrayPool wide;
    private final int pendingBytesMax;
    private final long stallNanos;

    private byte[] bytes = NONE;
    private int from;
    private int to;

    /// Of its owner, who leaves it as it is: goes from where it is.
    private byte[] constant = NONE;

    private int constantFrom;
    private int constantTo;
    private @Nullable FileChannel file;
    private long filePosition;
    private long fileRemaining;
    private byte[] afterFile = NONE;
    private @Nullable FilePackets filePackets;
    private boolean held;

    /// Bytes the connection has taken.
    long sent;

    private final Supplier<TransferRate> rates;

    /// How long and with what result the peer was waited for; made when it is, for most take all at
    /// once.
    private @Nullable TransferRate rate;

    /// What had been sent when the message began.
    private long sentBefore;

    private final BlockingWait wait;

    private final MemoryBudget budget;

    /// What the client does not take, beyond the first array; made when there is some.
    private MemoryBudget.@Nullable Share memory;

    /// What may be held of what the peer does not take.
    ///
    /// @param wide for what does not fit the usual arrays
    record Room(ArrayPool arrays, ArrayPool wide, int pendingBytesMax, MemoryBudget memory) {}

    SerialOutput(
            Connection io,
            BlockingWait wait,
            Room room,
            long stallNanos,
            Supplier<TransferRate> rates) {
        this.io = io;
        this.wait = wait;
        pool = room.arrays;
        wide = room.wide;
        pendingBytesMax = room.pendingBytesMax;
        this.stallNanos = stallNanos;
        this.rates = rates;
        budget = room.memory;
    }

    /// How long and with what result the peer was waited for since the message began.
    TransferRate rate() {
        TransferRate known = rate;
        if (known == null) {
            known = rates.get();
            known.moved(sent - sentBefore);
            rate = known;
        }
        return known;
    }

    /// How long the peer did not take the message, nanoseconds.
    long waitedNanos() {
        return rate == null ? 0 : rate.waitedNanos();
    }

    /// Another message begins.
    void begin() {
        rate = null;
        sentBefore = sent;
    }

    private void moved(long count) {
        sent += count;
        if (rate != null) {
            rate.moved(count);
        }
    }

    private boolean hold(long bytes) {
        MemoryBudget.Share share = memory;
        if (share == null) {
            if (bytes <= pool.bufferBytes()) {
                return true;
            }
            share = budget.share(pool.bufferBytes());
            memory = share;
        }
        return share.hold(bytes);
    }

    private void release() {
        boolean _ = hold(0);
    }

    /// Whether anything has not been taken by the connection.
    boolean isPending() {
        return from < to || constantFrom < constantTo || file != null || held;
    }

    public boolean isSendingFile() {
        return file != null;
    }

    // Collecting

    /// The array to encode into, from [#mark] on.
    public byte[] array() {
        lease();
        return bytes;
    }

    public int mark() {
        return to;
    }

    /// Says that bytes up to `end` have been encoded.
    public void advance(int end) {
        to = end;
    }

    /// Doubles the array for something that did not fit.
    ///
    /// @return false when it has `bytesMax` already
    public boolean grow(int bytesMax) {
        if (bytes.length >= bytesMax) {
            return false;
        }
        resize(Math.min(bytesMax, bytes.length * 2));
        return true;
    }

    /// Makes room for so many bytes to be encoded, and for the tail behind them where the array
    /// grows: by half at least, so that many small pieces are not each copied anew. For the same
    /// reason what waits is moved to the front only where that frees an eighth of it.
    public void reserve(int count) {
        lease();
        if (count > bytes.length - to && from > (to - from) / 8) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        if (count > bytes.length - to) {
            long least = (long) to + count + TAIL;
            if (least > LARGEST) {
                throw new IllegalStateException("more is offered than an array can hold");
            }
            long half = (long) bytes.length + (bytes.length >> 1);
            resize((int) Math.max(least, Math.min(half, LARGEST)));
        }
    }

    private void lease() {
        if (bytes.length == 0) {
            bytes = pool.lease();
            from = 0;
            to = 0;
        }
    }

    private void resize(int size) {
        byte[] old = bytes;
        bytes = Arrays.copyOf(old, size);
        release(old);
    }

    /// Leases the wider array if so many more bytes fit there: then they leave with what is here.
    private void widen(int count) {
        if (count <= wide.bufferBytes() - (to - from)) {
            byte[] old = bytes;
            bytes = wide.lease();
            System.arraycopy(old, from, bytes, 0, to - from);
            to -= from;
            from = 0;
            release(old);
        }
    }

    private void release(byte[] array) {
        (array.length == wide.bufferBytes() ? wide : pool).release(array);
    }

    /// Takes bytes: into the buffer while they fit, else past it to the connection. What the
    /// connection does not take is kept, or waited for.
    public void put(byte[] source, int offset, int length, boolean mayWait) throws IOException {
        lease();
        if (length > bytes.length - to && bytes.length < wide.bufferBytes()) {
            widen(length);
        }
        int at = offset;
        int left = length;
        if (left > bytes.length - to && file == null) {
            if (to > from) {
                int first = Math.min(left, bytes.length - to);
                copy(source, at, first);
                at += first;
                left -= first;
                settle(mayWait);
            }
            while (!isPending() && left > bytes.length) {
                int count = write(source, at, left - TAIL);
                at += count;
                left -= count;
                if (count == 0 && !waitOrKeep(mayWait)) {
                    break;
                }
            }
        }
        copy(source, at, left);
    }

    private boolean waitOrKeep(boolean mayWait) throws IOException {
        if (mayWait) {
            awaitRoom();
        }
        return mayWait;
    }

    private void settle(boolean mayWait) throws IOException {
        if (mayWait) {
            pushAll();
        } else {
            boolean _ = push();
        }
    }

    /// @throws IllegalStateException when more than may be kept waits for the peer already
    void requireTaken() {
        if (to - from + (long) constantTo - constantFrom > pendingBytesMax) {
            throw new IllegalStateException("offered before the exchange was writable");
        }
    }

    private void copy(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, to, length);
        to += length;
    }

    /// Takes bytes that nobody changes, the last of a response: what does not fit into the buffer
    /// is sent from where it is, and need not be waited for.
    public void putConstant(byte[] source, int offset, int length) {
        lease();
        if (length > bytes.length - to && bytes.length < wide.bufferBytes()) {
            widen(length);
        }
        int first = Math.min(length, bytes.length - to);
        copy(source, offset, first);
        if (first < length) {
            constant = source;
            constantFrom = offset + first;
            constantTo = offset + length;
        }
    }

    /// Sends a part of a file after what is in the buffer, and closes the file then.
    ///
    /// @param after bytes that follow the file
    public void putFile(FileChannel channel, long position, long count, byte[] after) {
        if (file != null) {
            throw new IllegalStateException("a file is being sent already");
        }
        file = channel;
        filePosition = position;
        fileRemaining = count;
        afterFile = after;
    }

    /// Sends a part of a file in packets, and closes the file then. Nothing else may be put before.
    public void putFile(FileChannel channel, long position, long count, FilePackets packets) {
        putFile(channel, position, count, NONE);
        filePackets = packets;
    }

    // Moving

    /// Moves what can be moved now.
    ///
    /// @return whether nothing is left
    public boolean push() throws IOException {
        boolean all = push(TURN);
        if (!hold(all ? 0 : bytes.length)) {
            throw new IOException("there is no memory for what the client does not take");
        }
        return all;
    }

    /// @param most bytes of a file
    private boolean push(long most) throws IOException {
        boolean ahead = constantFrom < constantTo || (file != null && filePackets == null);
        while (from < to) {
            int count = write(bytes, from, to - from, ahead);
            from += count;
            if (count == 0) {
                return false;
            }
        }
        from = 0;
        to = 0;
        if (constantFrom < constantTo && !pushConstant()) {
            giveBack();
            return false;
        }
        if (file != null) {
            boolean all =
                    filePackets != null
                            ? pushPackets(file, filePackets, most)
                            : pushFile(file, most);
            if (!all) {
                giveBack();
                return false;
            }
            if (afterFile.length > 0) {
                lease();
                copy(afterFile, 0, afterFile.length);
                return push(most);
            }
        }
        held = !io.flush();
        return !held;
    }

    private boolean pushConstant() throws IOException {
        while (constantFrom < constantTo) {
            int count = write(constant, constantFrom, constantTo - constantFrom);
            constantFrom += count;
            if (count == 0) {
                return false;
            }
        }
        constant = NONE;
        return true;
    }

    private boolean pushPackets(FileChannel channel, FilePackets packets, long most)
            throws IOException {
        lease();
        long before = fileRemaining;
        while (fileRemaining > 0) {
            if (before - fileRemaining >= most) {
                return false;
            }
            int length = packets.contentOfNext(bytes.length, fileRemaining);
            to = packets.encode(channel, filePosition, length, bytes);
            filePosition += length;
            fileRemaining -= length;
            while (from < to) {
                int count = write(bytes, from, to - from);
                from += count;
                if (count == 0) {
                    return false;
                }
            }
            from = 0;
            to = 0;
        }
        file = null;
        filePackets = null;
        channel.close();
        return true;
    }

    private boolean pushFile(FileChannel channel, long most) throws IOException {
        long left = most;
        while (fileRemaining > 0) {
            long part = Math.min(fileRemaining, wait.isBlocking() ? PART : left);
            wait.begin(Connection.WRITE, stallNanos);
            long count = io.sendFile(channel, filePosition, part);
            wait.end(Connection.WRITE);
            if (count < 0) {
                throw new IOException("a file became shorter while it was sent");
            }
            if (count == 0) {
                return false;
            }
            moved(count);
            filePosition += count;
            fileRemaining -= count;
            left -= count;
            if (left <= 0 && fileRemaining > 0 && !wait.isBlocking()) {
                return false;
            }
        }
        file = null;
        channel.close();
        return true;
    }

    /// Moves everything, waiting for the peer.
    void pushAll() throws IOException {
        while (!push(Long.MAX_VALUE)) {
            awaitRoom();
        }
        release();
    }

    private void awaitRoom() throws IOException {
        TransferRate waited = rate();
        waited.beginWait();
        if (!io.await(Connection.WRITE, stallNanos)) {
            throw new StalledException("the client does not take the response");
        }
        waited.endWait();
        if (waited.isTooSlow()) {
            throw new StalledException("the client takes the response too slowly");
        }
    }

    private int write(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length, false);
    }

    /// @param ahead whether content that lies elsewhere follows at once
    private int write(byte[] source, int offset, int length, boolean ahead) throws IOException {
        int part = wait.isBlocking() ? Math.min(PART, length) : length;
        wait.begin(Connection.WRITE, stallNanos);
        int count = ahead ? io.writeAhead(source, offset, part) : io.write(source, offset, part);
        wait.end(Connection.WRITE);
        moved(count);
        return count;
    }

    /// Gives the array back when nothing is pending.
    public void releaseIfEmpty() {
        if (!isPending()) {
            giveBack();
        }
    }

    /// Gives the array back if nothing is in it: what lies elsewhere may take as long as the peer
    /// likes.
    private void giveBack() {
        if (from == to) {
            release(bytes);
            bytes = NONE;
            from = 0;
            to = 0;
        }
    }

    /// Forgets everything and closes the file.
    void drop() {
        release();
        bytes = NONE;
        from = 0;
        to = 0;
        constant = NONE;
        constantFrom = 0;
        constantTo = 0;
        held = false;
        FileChannel channel = file;
        file = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                System.getLogger(SerialOutput.class.getName())
                        .log(System.Logger.Level.DEBUG, "closing a file failed", e);
            }
        }
    }
}
