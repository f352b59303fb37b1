package io.margay.protocol.http2;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Encodes header blocks (RFC 7541). One per connection; guarded as its session is.
///
/// Fields whose value seldom changes go into the dynamic table; those whose value is new each time
/// do not, and those that are secrets are marked so that nobody on the way indexes them either (RFC
/// 7541 §7.1.3).
public final class HpackEncoder {
    private static final Set<String> SECRET =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");
    private static final Set<String> FICKLE =
            Set.of(
                    ":path",
                    "age",
                    "content-length",
                    "content-range",
                    "etag",
                    "if-modified-since",
                    "if-none-match",
                    "last-modified",
                    "location",
                    "sec-websocket-accept",
                    "sec-websocket-key");

    /// What the table may have at most, whatever the peer allows, octets.
    static final int TABLE_BYTES_MAX = 4_096;

    /// Larger fields would push everything else out of the table.
    private static final int INDEXED_BYTES_MAX = TABLE_BYTES_MAX / 4;

    private static final int ENTRIES = 128;

    /// A ring: the newest entry is at `head`, older ones behind it.
    private final @Nullable String[] names = new String[ENTRIES];

    private final @Nullable String[] values = new String[ENTRIES];
    private int head;
    private int count;
    private int size;
    private int sizeLimit = TABLE_BYTES_MAX;

    /// The smallest limit since the last block, which the peer is to be told (RFC 7541 §4.2).
    private int smallestLimit = TABLE_BYTES_MAX;

    private boolean limitChanged;
    private long changes;

    /// How often the dynamic table, or its limit, has changed: as long as this stays, equal fields
    /// have equal blocks.
    long changes() {
        return changes;
    }

    /// The peer allows a table of so many octets.
    public void tableBytesMax(int bytes) {
        int limit = Math.min(bytes, TABLE_BYTES_MAX);
        if (limit != sizeLimit) {
            sizeLimit = limit;
            smallestLimit = limitChanged ? Math.min(smallestLimit, limit) : limit;
            limitChanged = true;
            changes++;
            evict(0);
        }
    }

    /// Begins a block.
    void begin(Http2Buffer out) {
        if (limitChanged) {
            limitChanged = false;
            changes++;
            if (smallestLimit < sizeLimit) {
                integer(out, 0x20, 5, smallestLimit);
            }
            integer(out, 0x20, 5, sizeLimit);
        }
    }

    /// Encodes a field, whose name is in lower case. Characters are octets.
    void field(Http2Buffer out, String name, String value) {
        int nameIndex = HpackStaticTable.indexOf(name);
        if (nameIndex > 0) {
            int whole = HpackStaticTable.indexOf(nameIndex, value);
            if (whole > 0) {
                integer(out, 0x80, 7, whole);
                return;
            }
        }
        for (int i = 0; i < count; i++) {
            int at = (head + i) & (ENTRIES - 1);
            if (name.equals(names[at])) {
                if (value.equals(values[at])) {
                    integer(out, 0x80, 7, HpackStaticTable.SIZE + 1 + i);
                    return;
                }
                if (nameIndex == 0) {
                    nameIndex = HpackStaticTable.SIZE + 1 + i;
                }
            }
        }
        boolean secret = SECRET.contains(name);
        int bytes = name.length() + value.length() + HpackDecoder.ENTRY_OVERHEAD;
        boolean index =
                !secret
                        && !FICKLE.contains(name)
                        && bytes <= Math.min(INDEXED_BYTES_MAX, sizeLimit);
        if (index) {
            integer(out, 0x40, 6, nameIndex);
        } else {
            integer(out, secret ? 0x10 : 0, 4, nameIndex);
        }
        if (nameIndex == 0) {
            string(out, name);
        }
        string(out, value);
        if (index) {
            add(name, value, bytes);
        }
    }

    private static void integer(Http2Buffer out, int pattern, int prefixBits, int value) {
        int mask = (1 << prefixBits) - 1;
        if (value < mask) {
            out.put(pattern | value);
            return;
        }
        out.put(pattern | mask);
        int rest = value - mask;
        while (rest >= 0x80) {
            out.put((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.put(rest);
    }

    private static void string(Http2Buffer out, String text) {
        int encoded = HuffmanCode.encodedBytes(text);
        if (encoded < text.length()) {
            integer(out, 0x80, 7, encoded);
            HuffmanCode.encode(text, out);
            return;
        }
        integer(out, 0, 7, text.length());
        for (int i = 0; i < text.length(); i++) {
            out.put(text.charAt(i));
        }
    }

    private void add(String name, String value, int bytes) {
        changes++;
        evict(bytes);
        if (count == ENTRIES) {
            evictOldest();
        }
        head = (head - 1) & (ENTRIES - 1);
        names[head] = name;
        values[head] = value;
        count++;
        size += bytes;
    }

    private void evict(int room) {
        while (count > 0 && size > sizeLimit - room) {
            evictOldest();
        }
    }

    private void evictOldest() {
        int oldest = (head + --count) & (ENTRIES - 1);
        String name = names[oldest];
        String value = values[oldest];
        if (name != null && value != null) {
            size -= name.length() + value.length() + HpackDecoder.ENTRY_OVERHEAD;
        }
        names[oldest] = null;
        values[oldest] = null;
    }
}
