package io.margay.app.upgrade;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Predicate;

/// Which sessions another process has, by the first 64 bits of their identifiers, which are by
/// chance: eight bytes for each, however many there are. Immutable.
final class KnownSessions implements Predicate<String> {
    private static final int DIGITS = 16;
    private static final int HEX = 16;

    private final long[] sorted;

    private KnownSessions(long[] sorted) {
        this.sorted = sorted;
    }

    /// As bytes for the other process.
    static byte[] of(Collection<String> ids) {
        ByteBuffer bytes = ByteBuffer.allocate(ids.size() * Long.BYTES);
        ids.forEach(id -> bytes.putLong(beginning(id)));
        return bytes.array();
    }

    static KnownSessions read(byte[] bytes) {
        LongBuffer read = ByteBuffer.wrap(bytes).asLongBuffer();
        long[] all = new long[read.remaining()];
        read.get(all);
        Arrays.sort(all);
        return new KnownSessions(all);
    }

    private static long beginning(String id) {
        return Long.parseUnsignedLong(id, 0, DIGITS, HEX);
    }

    /// @param id a well-formed one
    @Override
    public boolean test(String id) {
        return Arrays.binarySearch(sorted, beginning(id)) >= 0;
    }
}
