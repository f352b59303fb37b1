package io.margay.protocol.http3;

import io.margay.protocol.fields.FieldHabits;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Encodes field sections, with a dynamic table that our encoder stream fills (RFC 9204). One per
/// connection. An entry that the peer may not have yet is referred to only as long as the peer lets
/// that many streams be blocked, and no entry goes to which a section refers that the peer has not
/// acknowledged. Guarded as its session is.
public final class QpackEncoder {
    private record Entry(String name, String value) implements QpackTable.Sized {
        @Override
        public int bytes() {
            return name.length() + value.length() + QpackTable.OVERHEAD;
        }
    }

    /// A section that the peer has not acknowledged.
    ///
    /// @param required entries that the peer needs for it
    /// @param oldest the number of the oldest entry that it refers to
    private record Section(long stream, long required, long oldest) {}

    /// What the table may have at most, whatever the peer allows, octets.
    static final int CAPACITY_MAX = 4_096;

    /// Sections that wait for an acknowledgement. A peer that acknowledges none gets sections
    /// without references.
    static final int SECTIONS_MAX = 256;

    private final QpackTable<Entry> table = new QpackTable<>();
    private final Map<Entry, Long> whole = new HashMap<>();
    private final Map<String, Long> names = new HashMap<>();
    private final ArrayDeque<Section> sections = new ArrayDeque<>();
    private final Http3Buffer instructions = new Http3Buffer();
    private final Http3Buffer lines = new Http3Buffer();
    private final QpackInput in = new QpackInput();
    private long peerEntries;
    private long blockedMax;
    private long known;
    private long stream;
    private long base;
    private long required;
    private long oldest;
    private boolean mayBlock;
    private int cancellations;
    private byte[] pending = {};

    /// Learns from the peer's SETTINGS what its decoder takes; once.
    public void peerSettings(long capacity, long blockedStreams) {
        peerEntries = capacity / QpackTable.OVERHEAD;
        blockedMax = blockedStreams;
        long own = Math.min(capacity, CAPACITY_MAX);
        if (own > 0) {
            table.capacity(own);
            instructions.integer(0x20, 5, own);
        }
    }

    /// What is to be written to our encoder stream, before any section that was encoded since.
    public Http3Buffer instructions() {
        return instructions;
    }

    /// Sections that wait for an acknowledgement.
    int outstanding() {
        return sections.size();
    }

    // Sections

    /// Begins a section.
    public void begin(long ofStream) {
        stream = ofStream;
        lines.clear();
        base = table.inserted();
        required = 0;
        oldest = Long.MAX_VALUE;
        mayBlock = sections.size() < SECTIONS_MAX && mayBlock(ofStream);
    }

    private boolean mayBlock(long ofStream) {
        Set<Long> risky = new HashSet<>();
        for (Section section : sections) {
            if (section.required > known) {
                risky.add(section.stream);
            }
        }
        risky.add(ofStream);
        return risky.size() <= blockedMax;
    }

    /// Adds a field, whose name is in lower case. Characters are octets.
    public void field(String name, String value) {
        int fixed = QpackStaticTable.indexOf(name, value);
        if (fixed >= 0) {
            lines.integer(0xc0, 6, fixed);
            return;
        }
        boolean secret = FieldHabits.isSecret(name);
        Entry entry = new Entry(name, value);
        Long number = secret ? null : find(entry);
        if (number != null && refer(number)) {
            indexed(number);
            return;
        }
        int fixedName = QpackStaticTable.indexOf(name);
        if (fixedName >= 0) {
            lines.integer(secret ? 0x70 : 0x50, 4, fixedName);
        } else {
            lines.string(secret ? 0x30 : 0x20, 3, name);
        }
        lines.string(0, 7, value);
    }

    private void indexed(long number) {
        if (number < base) {
            lines.integer(0x80, 6, base - number - 1);
        } else {
            lines.integer(0x10, 4, number - base);
        }
    }

    /// Whether the section may refer to an entry; notes that it does.
    private boolean refer(long number) {
        if (sections.size() >= SECTIONS_MAX || (number >= known && !mayBlock)) {
            return false;
        }
        required = Math.max(required, number + 1);
        oldest = Math.min(oldest, number);
        return true;
    }

    /// The number of an entry, which is inserted if that is worth it; else null.
    private @Nullable Long find(Entry entry) {
        Long found = whole.get(entry);
        if (found != null && table.has(found)) {
            return found;
        }
        boolean worth =
                !FieldHabits.isFickle(entry.name)
                        && entry.bytes() <= table.capacity() / 4
                        && sections.size() < SECTIONS_MAX
                        && canEvictFor(entry);
        if (!worth) {
            return null;
        }
        insert(entry);
        return table.inserted() - 1;
    }

    /// Whether there is room, or what has to go is known to the peer and referred to by nothing
    /// that waits.
    private boolean canEvictFor(Entry entry) {
        long size = table.size() + entry.bytes();
        long first = oldest;
        for (Section section : sections) {
            first = Math.min(first, section.oldest);
        }
        for (long i = table.oldest(); size > table.capacity(); i++) {
            if (i >= Math.min(known, first)) {
                return false;
            }
            size -= table.get(i).bytes();
        }
        return true;
    }

    private void insert(Entry entry) {
        int fixedName = QpackStaticTable.indexOf(entry.name);
        Long named = names.get(entry.name);
        if (fixedName >= 0) {
            instructions.integer(0xc0, 6, fixedName);
        } else if (named != null && table.has(named)) {
            instructions.integer(0x80, 6, table.inserted() - named - 1);
        } else {
            instructions.string(0x40, 5, entry.name);
        }
        instructions.string(0, 7, entry.value);
        long number = table.inserted();
        table.add(entry);
        whole.put(entry, number);
        names.put(entry.name, number);
        if (whole.size() > 2 * CAPACITY_MAX / QpackTable.OVERHEAD) {
            whole.values().removeIf(old -> !table.has(old));
            names.values().removeIf(old -> !table.has(old));
        }
    }

    /// Ends a section: its prefix and its lines.
    public void end(Http3Buffer out) {
        if (required == 0) {
            out.put(0);
            out.put(0);
        } else {
            out.integer(0, 8, required % (2 * peerEntries) + 1);
            if (base >= required) {
                out.integer(0, 7, base - required);
            } else {
                out.integer(0x80, 7, required - base - 1);
            }
            sections.add(new Section(stream, required, oldest));
        }
        out.put(lines);
    }

    // The decoder stream

    /// Takes octets of the peer's decoder stream.
    ///
    /// @return false when the connection is to end with QPACK_DECODER_STREAM_ERROR
    public boolean decoderData(byte[] bytes, int from, int to) {
        byte[] all = new byte[pending.length + to - from];
        System.arraycopy(pending, 0, all, 0, pending.length);
        System.arraycopy(bytes, from, all, pending.length, to - from);
        int done = 0;
        while (done < all.length) {
            in.begin(all, done, all.length);
            int first = in.peek();
            long value = in.integer((first & 0x80) != 0 ? 7 : 6);
            if (in.isShort()) {
                break;
            }
            if (in.isMalformed() || !instruction(first, value)) {
                return false;
            }
            done = in.at();
        }
        // An integer that is not whole has fewer octets than any that is malformed.
        pending = java.util.Arrays.copyOfRange(all, done, all.length);
        return true;
    }

    private boolean instruction(int first, long value) {
        if ((first & 0x80) != 0) {
            return acknowledged(value);
        }
        if ((first & 0x40) != 0) {
            cancellations++;
            sections.removeIf(section -> section.stream == value);
            return true;
        }
        known += value;
        return value > 0 && known <= table.inserted();
    }

    /// Streams that the peer has cancelled, known or not; each is told once.
    int takeCancellations() {
        int taken = cancellations;
        cancellations = 0;
        return taken;
    }

    private boolean acknowledged(long ofStream) {
        for (Iterator<Section> all = sections.iterator(); all.hasNext(); ) {
            Section section = all.next();
            if (section.stream == ofStream) {
                known = Math.max(known, section.required);
                all.remove();
                return true;
            }
        }
        return false;
    }
}
