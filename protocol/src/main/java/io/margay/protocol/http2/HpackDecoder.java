package io.margay.protocol.http2;

import io.margay.protocol.fields.HuffmanCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes header blocks (RFC 7541). One per connection, because the dynamic table outlives the
/// blocks; confined to the thread that receives.
///
/// What a block costs is bounded: it has at most as many fields as octets, a field is given on
/// without a copy, and the table has a fixed size.
public final class HpackDecoder {
    /// Takes the fields of a block as they are found. The octets are valid during the call only.
    public interface Sink {
        void field(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo);
    }

    /// The octets by which an entry counts beside its name and value (RFC 7541 §4.1).
    static final int ENTRY_OVERHEAD = 32;

    private static final class Entry {
        final byte[] name;
        final byte[] value;

        Entry(byte[] name, byte[] value) {
            this.name = name;
            this.value = value;
        }

        int size() {
            return name.length + value.length + ENTRY_OVERHEAD;
        }
    }

    private final int sizeMax;
    private int sizeLimit;
    private int size;

    /// A ring: the newest entry is at `head`, older ones behind it.
    private @Nullable Entry[] ring = new Entry[16];

    private int head;
    private int count;
    private long changes;

    private byte[] nameText = new byte[64];
    private byte[] valueText = new byte[256];
    private byte[] source = nameText;
    private int position;
    private int end;

    private byte[] text = nameText;
    private int textFrom;
    private int textTo;

    /// @param sizeMax octets that the dynamic table may have, as announced to the peer
    public HpackDecoder(int sizeMax) {
        this.sizeMax = sizeMax;
        this.sizeLimit = sizeMax;
    }

    /// Octets that the dynamic table has now.
    public int tableBytes() {
        return size;
    }

    /// How often the dynamic table, or its limit, has changed: as long as this stays, equal blocks
    /// mean the same.
    long changes() {
        return changes;
    }

    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed() {
            super("malformed header block", null, false, false);
        }
    }

    /// Decodes a whole header block.
    ///
    /// @return false when it is malformed; the connection is of no use then, since the tables of
    ///   both sides differ (RFC 9113 §4.3)
    public boolean decode(byte[] block, int from, int to, Sink sink) {
        source = block;
        position = from;
        end = to;
        try {
            boolean first = true;
            while (position < end) {
                int octet = source[position] & 0xff;
                if ((octet & 0xe0) == 0x20) {
                    if (!first) {
                        return false;
                    }
                    resize(integer(5));
                } else {
                    first = false;
                    field(octet, sink);
                }
            }
            return true;
        } catch (Malformed e) {
            return false;
        } finally {
            source = nameText;
        }
    }

    private void field(int octet, Sink sink) throws Malformed {
        if ((octet & 0x80) != 0) {
            int index = integer(7);
            byte[] name = name(index);
            byte[] value = value(index);
            sink.field(name, 0, name.length, value, 0, value.length);
            return;
        }
        boolean indexed = (octet & 0x40) != 0;
        int index = integer(indexed ? 6 : 4);
        byte[] name;
        int nameFrom;
        int nameTo;
        if (index > 0) {
            name = name(index);
            nameFrom = 0;
            nameTo = name.length;
        } else {
            string(true);
            name = text;
            nameFrom = textFrom;
            nameTo = textTo;
        }
        string(false);
        sink.field(name, nameFrom, nameTo, text, textFrom, textTo);
        if (indexed) {
            add(name, nameFrom, nameTo, index > 0);
        }
    }

    /// An integer with a prefix of so many bits (RFC 7541 §5.1), below 2^28.
    private int integer(int prefixBits) throws Malformed {
        int mask = (1 << prefixBits) - 1;
        int value = source[position++] & mask;
        if (value < mask) {
            return value;
        }
        for (int shift = 0; shift <= 21; shift += 7) {
            if (position == end) {
                throw new Malformed();
            }
            int octet = source[position++];
            value += (octet & 0x7f) << shift;
            if (octet >= 0) {
                return value;
            }
        }
        throw new Malformed();
    }

    /// A string literal (RFC 7541 §5.2), into `text`.
    private void string(boolean isName) throws Malformed {
        if (position == end) {
            throw new Malformed();
        }
        boolean huffman = source[position] < 0;
        int length = integer(7);
        if (length > end - position) {
            throw new Malformed();
        }
        int from = position;
        position += length;
        if (!huffman) {
            text = source;
            textFrom = from;
            textTo = position;
            return;
        }
        byte[] target = isName ? nameText : valueText;
        int room = HuffmanCode.decodedMax(length);
        if (target.length < room) {
            target = new byte[room];
            if (isName) {
                nameText = target;
            } else {
                valueText = target;
            }
        }
        int decoded = HuffmanCode.decode(source, from, position, target);
        if (decoded < 0) {
            throw new Malformed();
        }
        text = target;
        textFrom = 0;
        textTo = decoded;
    }

    // The table

    private byte[] name(int index) throws Malformed {
        return index <= HpackStaticTable.SIZE && index > 0
                ? HpackStaticTable.name(index)
                : entry(index).name;
    }

    private byte[] value(int index) throws Malformed {
        return index <= HpackStaticTable.SIZE && index > 0
                ? HpackStaticTable.value(index)
                : entry(index).value;
    }

    private Entry entry(int index) throws Malformed {
        int at = index - HpackStaticTable.SIZE - 1;
        if (index == 0 || at >= count) {
            throw new Malformed();
        }
        Entry found = ring[(head + at) & (ring.length - 1)];
        if (found == null) {
            throw new IllegalStateException("no entry where one was counted");
        }
        return found;
    }

    private void resize(int limit) throws Malformed {
        if (limit > sizeMax) {
            throw new Malformed();
        }
        sizeLimit = limit;
        changes++;
        evict(0);
    }

    private void evict(int room) {
        while (count > 0 && size > sizeLimit - room) {
            int oldest = (head + --count) & (ring.length - 1);
            Entry gone = ring[oldest];
            size -= gone == null ? 0 : gone.size();
            ring[oldest] = null;
        }
    }

    /// @param isEntrys whether the name is the array of another entry
    private void add(byte[] name, int nameFrom, int nameTo, boolean isEntrys) {
        int bytes = nameTo - nameFrom + textTo - textFrom + ENTRY_OVERHEAD;
        changes++;
        evict(bytes);
        if (bytes > sizeLimit) {
            return;
        }
        if (count == ring.length) {
            @Nullable Entry[] larger = new Entry[count * 2];
            for (int i = 0; i < count; i++) {
                larger[i] = ring[(head + i) & (ring.length - 1)];
            }
            ring = larger;
            head = 0;
        }
        // The array of another entry is shared, not copied.
        byte[] ownName = isEntrys ? name : Arrays.copyOfRange(name, nameFrom, nameTo);
        head = (head - 1) & (ring.length - 1);
        ring[head] = new Entry(ownName, Arrays.copyOfRange(text, textFrom, textTo));
        count++;
        size += bytes;
    }
}
