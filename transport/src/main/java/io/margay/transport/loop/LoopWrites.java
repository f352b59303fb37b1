package io.margay.transport.loop;

import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes to several connections of a loop, the first try of all of them by one [BatchSender].
/// Confined to the loop.
///
/// Every connection is in use from before the call until its result is known, so that none of their
/// sockets is closed meanwhile.
final class LoopWrites implements Dialer.WriteBatch {
    private static final class Write {
        @Nullable LoopConnection connection;
        byte[] source = NOTHING;
        int offset;
        int length;

        /// Number in the sender, or -1.
        int place;

        boolean begun;
        int taken;
        @Nullable Exception failure;
    }

    private static final byte[] NOTHING = new byte[0];

    private final EventLoop loop;
    private final BatchSender sender;
    private final Write[] writes;
    private int count;
    private boolean written;

    LoopWrites(EventLoop loop, BatchSender sender) {
        this.loop = loop;
        this.sender = sender;
        writes = new Write[sender.sendsMax()];
        Arrays.setAll(writes, _ -> new Write());
    }

    @Override
    public boolean add(Connection connection, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (written) {
            count = 0;
            written = false;
        }
        if (count == writes.length
                || !(connection instanceof LoopConnection own)
                || !own.canJoin(loop)) {
            return false;
        }
        own.joined = true;
        Write write = writes[count++];
        write.connection = own;
        write.source = source;
        write.offset = offset;
        write.length = length;
        write.place = -1;
        write.begun = false;
        write.taken = 0;
        write.failure = null;
        return true;
    }

    @Override
    public void write() {
        if (written) {
            return;
        }
        written = true;
        int places = 0;
        try {
            for (int i = 0; i < count; i++) {
                if (begin(writes[i], places)) {
                    places++;
                }
            }
        } finally {
            send();
        }
    }

    /// Whatever happens: what the sender has is sent now or never, and every write must end.
    private void send() {
        try {
            sender.send();
        } finally {
            for (int i = 0; i < count; i++) {
                end(writes[i]);
            }
        }
    }

    /// @return whether the sender has it, as number `place`
    private boolean begin(Write write, int place) {
        LoopConnection connection = Objects.requireNonNull(write.connection);
        try {
            write.begun = connection.beginBatch();
        } catch (IllegalStateException e) {
            return false; // writing alone fails in the same way, and is what tells it
        }
        if (write.begun && connection.put(sender, write.source, write.offset, write.length)) {
            write.place = place;
            return true;
        }
        return false;
    }

    private void end(Write write) {
        LoopConnection connection = Objects.requireNonNull(write.connection);
        byte[] source = write.source;
        write.connection = null;
        write.source = NOTHING;
        connection.joined = false;
        try {
            if (write.begun) {
                int result = write.place < 0 ? BatchSender.NOT_TRIED : sender.result(write.place);
                write.taken =
                        connection.endBatch(sender, result, source, write.offset, write.length);
            } else {
                write.taken = connection.write(source, write.offset, write.length);
            }
        } catch (IOException | RuntimeException e) {
            write.failure = e;
        }
    }

    @Override
    public int taken(int place) throws IOException {
        Objects.checkIndex(place, count);
        Exception failure = writes[place].failure;
        if (failure instanceof IOException io) {
            throw io;
        }
        if (failure instanceof RuntimeException fault) {
            throw fault;
        }
        return writes[place].taken;
    }
}
