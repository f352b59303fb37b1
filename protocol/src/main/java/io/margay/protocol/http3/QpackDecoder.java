package io.margay.protocol.http3;

import io.margay.protocol.http2.HpackDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Decodes field sections of the peer, with the dynamic table that the peer's encoder stream fills
/// (RFC 9204). One per connection. What it takes is bounded by the table's capacity, by
/// [#pendingMax] for an instruction of which a part has come, and by the number of streams that may
/// be blocked; the sections of these are kept by their streams. Guarded as its session is.
public final class QpackDecoder {
    /// What became of a field section.
    public enum Result {
        DONE,
        /// It refers to what has not come: it is to be decoded again when [#inserted] has grown.
        BLOCKED,
        /// The connection is to end with QPACK_DECOMPRESSION_FAILED.
        MALFORMED
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] name, byte[] value) implements QpackTable.Sized {
        @Override
        public int bytes() {
            return name.length + value.length + QpackTable.OVERHEAD;
        }
    }

    /// No string of a field section is longer; its whole length is bounded before.
    private static final int STRING_MAX = 1 << 20;

    private final int capacityMax;
    private final int blockedMax;
    private final QpackTable<Entry> table = new QpackTable<>();
    private final QpackInput in = new QpackInput();
    private final Http3Buffer out = new Http3Buffer();

    /// Streams that are blocked, with the entries that they need.
    private final Map<Long, Long> blocked = new HashMap<>();

    private byte[] pending = {};
    private int pendingBytes;
    private int needed;
    private long told;
    private int instructions;

    /// @param capacityMax octets that the table may have, as our SETTINGS say
    /// @param blockedMax streams that may be blocked at a time, as our SETTINGS say
    public QpackDecoder(int capacityMax, int blockedMax) {
        this.capacityMax = capacityMax;
        this.blockedMax = blockedMax;
    }

    /// Octets of an instruction that are kept until the rest of it has come.
    int pendingMax() {
        return 8 * capacityMax + 64;
    }

    /// Entries that were ever inserted.
    public long inserted() {
        return table.inserted();
    }

    /// Octets of the dynamic table.
    public long tableBytes() {
        return table.size();
    }

    /// Octets of memory that it takes: the table, whose entries take some more than they count, and
    /// an instruction that has not come whole.
    long bytes() {
        return 3 * table.size() + pending.length;
    }

    /// What is to be written to our decoder stream.
    public Http3Buffer output() {
        return out;
    }

    // The encoder stream

    /// Takes octets of the peer's encoder stream.
    ///
    /// @return false when the connection is to end with QPACK_ENCODER_STREAM_ERROR
    public boolean encoderData(byte[] bytes, int from, int to) {
        int count = to - from;
        if (pendingBytes + count > pending.length) {
            pending = Arrays.copyOf(pending, pendingBytes + count);
        }
        System.arraycopy(bytes, from, pending, pendingBytes, count);
        pendingBytes += count;
        if (pendingBytes < needed) {
            return true;
        }
        int done = 0;
        needed = 0;
        while (done < pendingBytes) {
            in.begin(pending, done, pendingBytes);
            boolean right = instruction();
            if (in.isShort() && !in.isMalformed()) {
                needed = pendingBytes - done + in.needed();
                break;
            }
            if (!right || in.isMalformed()) {
                return false;
            }
            instructions++;
            done = in.at();
        }
        System.arraycopy(pending, done, pending, 0, pendingBytes - done);
        pendingBytes -= done;
        if (pendingBytes == 0) {
            pending = new byte[0];
        }
        if (table.inserted() > told) {
            out.integer(0, 6, table.inserted() - told);
            told = table.inserted();
            blocked.values().removeIf(required -> required <= told);
        }
        return pendingBytes <= pendingMax();
    }

    /// Instructions that have come since the last field section, beyond so many; each is told once.
    int takeInstructionsOver(int free) {
        int over = Math.max(0, instructions - free);
        instructions -= over;
        return over;
    }

    private boolean instruction() {
        int first = in.peek();
        if ((first & 0x80) != 0) {
            long index = in.integer(6);
            byte[] value = in.string(7, capacityMax);
            if (in.isShort() || in.isMalformed()) {
                return false;
            }
            byte[] name = (first & 0x40) != 0 ? staticName(index) : relativeName(index);
            return name.length > 0 && table.add(new Entry(name, value));
        }
        if ((first & 0x40) != 0) {
            byte[] name = in.string(5, capacityMax);
            byte[] value = in.string(7, capacityMax);
            return !in.isShort() && !in.isMalformed() && table.add(new Entry(name, value));
        }
        if ((first & 0x20) != 0) {
            long capacity = in.integer(5);
            if (in.isShort() || capacity > capacityMax) {
                return false;
            }
            table.capacity(capacity);
            return true;
        }
        long number = table.inserted() - in.integer(5) - 1;
        return !in.isShort() && table.has(number) && table.add(table.get(number));
    }

    private static byte[] staticName(long index) {
        return index < QpackStaticTable.SIZE ? QpackStaticTable.name((int) index) : new byte[0];
    }

    private byte[] relativeName(long index) {
        long number = table.inserted() - index - 1;
        return table.has(number) ? table.get(number).name : new byte[0];
    }

    // Field sections

    /// Decodes a whole field section. Fields are given on only when it is not blocked.
    public Result decode(long stream, byte[] bytes, int from, int to, HpackDecoder.Sink sink) {
        in.begin(bytes, from, to);
        long required = required(in.integer(8));
        boolean below = in.hasMore() && (in.peek() & 0x80) != 0;
        long delta = in.integer(7);
        if (in.isShort() || in.isMalformed() || required < 0) {
            return Result.MALFORMED;
        }
        if (required > table.inserted()) {
            blocked.put(stream, required);
            return blocked.size() > blockedMax ? Result.MALFORMED : Result.BLOCKED;
        }
        blocked.remove(stream);
        instructions = 0;
        long base = below ? required - delta - 1 : required + delta;
        if (base < 0) {
            return Result.MALFORMED;
        }
        while (in.hasMore()) {
            if (!line(required, base, sink)) {
                return Result.MALFORMED;
            }
        }
        if (required > 0) {
            out.integer(0x80, 7, stream);
        }
        return Result.DONE;
    }

    /// Restores the number of entries that a section needs (RFC 9204 §4.5.1.1), or -1.
    private long required(long encoded) {
        if (encoded == 0) {
            return 0;
        }
        long entries = capacityMax / QpackTable.OVERHEAD;
        long range = 2 * entries;
        if (encoded > range) {
            return -1;
        }
        long most = table.inserted() + entries;
        long value = most / range * range + encoded - 1;
        if (value > most) {
            value = value <= range ? -1 : value - range;
        }
        return value == 0 ? -1 : value;
    }

    private boolean line(long required, long base, HpackDecoder.Sink sink) {
        int first = in.peek();
        if ((first & 0x80) != 0) {
            long index = in.integer(6);
            boolean ofStatic = (first & 0x40) != 0;
            return !in.isShort()
                    && (ofStatic ? whole(index, sink) : whole(base - index - 1, required, sink));
        }
        if ((first & 0xf0) == 0x10) {
            long index = in.integer(4);
            return !in.isShort() && whole(base + index, required, sink);
        }
        byte[] name;
        if ((first & 0x40) != 0) {
            long index = in.integer(4);
            boolean ofStatic = (first & 0x10) != 0;
            name = ofStatic ? staticName(index) : name(base - index - 1, required);
        } else if ((first & 0x20) != 0) {
            name = in.string(3, STRING_MAX);
        } else {
            name = name(base + in.integer(3), required);
        }
        byte[] value = in.string(7, STRING_MAX);
        if (in.isShort() || in.isMalformed() || name.length == 0) {
            return false;
        }
        sink.field(name, 0, name.length, value, 0, value.length);
        return true;
    }

    private boolean refers(long number, long required) {
        return number < required && table.has(number);
    }

    private byte[] name(long number, long required) {
        return refers(number, required) ? table.get(number).name : new byte[0];
    }

    private static boolean whole(long index, HpackDecoder.Sink sink) {
        if (index >= QpackStaticTable.SIZE) {
            return false;
        }
        byte[] name = QpackStaticTable.name((int) index);
        byte[] value = QpackStaticTable.value((int) index);
        sink.field(name, 0, name.length, value, 0, value.length);
        return true;
    }

    private boolean whole(long number, long required, HpackDecoder.Sink sink) {
        if (!refers(number, required)) {
            return false;
        }
        Entry entry = table.get(number);
        sink.field(entry.name, 0, entry.name.length, entry.value, 0, entry.value.length);
        return true;
    }

    /// A stream ended before its section was decoded, or its sections do not matter any more.
    public void cancel(long stream) {
        blocked.remove(stream);
        if (capacityMax > 0) {
            out.integer(0x40, 6, stream);
        }
    }
}
