package io.margay.protocol.http2;

import io.margay.protocol.fields.FieldHabits;

/// Encodes header blocks (RFC 7541). One per connection; guarded as its session is.
///
/// Fields whose value seldom changes go into the dynamic table. Those whose value is new each time
/// do not: they would only push the others out. Some are known by name, the rest by what was sent
/// ([SentFields.Entry#mayBeFollowedBy]). Those that are secrets are marked so that nobody on the
/// way indexes them either (RFC 7541 §7.1.3).
public final class HpackEncoder {
    /// What the table may have at most, whatever the peer allows, octets.
    static final int TABLE_BYTES_MAX = 4_096;

    /// Larger fields would push everything else out of the table.
    private static final int INDEXED_BYTES_MAX = TABLE_BYTES_MAX / 4;

    private final SentFields table = new SentFields();
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
            table.evict(limit);
        }
    }

    /// Begins a block.
    void begin(Http2Buffer out) {
        if (limitChanged) {
            limitChanged = false;
            changes++;
            if (smallestLimit < sizeLimit) {
                out.integer(0x20, 5, smallestLimit);
            }
            out.integer(0x20, 5, sizeLimit);
        }
    }

    /// Encodes a field, whose name is in lower case. Characters are octets.
    void field(Http2Buffer out, String name, String value) {
        int nameIndex = HpackStaticTable.indexOf(name);
        if (nameIndex > 0) {
            int whole = HpackStaticTable.indexOf(nameIndex, value);
            if (whole > 0) {
                out.integer(0x80, 7, whole);
                return;
            }
        }
        SentFields.Entry named = table.newest(name);
        SentFields.Entry same = named == null ? null : table.find(named, value);
        if (same != null) {
            out.integer(0x80, 7, HpackStaticTable.SIZE + table.index(same));
            return;
        }
        if (named != null && nameIndex == 0) {
            nameIndex = HpackStaticTable.SIZE + table.index(named);
        }
        boolean secret = FieldHabits.isSecret(name);
        int bytes = name.length() + value.length() + HpackDecoder.ENTRY_OVERHEAD;
        boolean index =
                !secret
                        && !FieldHabits.isFickle(name)
                        && bytes <= Math.min(INDEXED_BYTES_MAX, sizeLimit)
                        && (named == null || named.mayBeFollowedBy(value));
        if (index) {
            out.integer(0x40, 6, nameIndex);
        } else {
            out.integer(secret ? 0x10 : 0, 4, nameIndex);
        }
        if (nameIndex == 0) {
            out.string(0, 7, name);
        }
        out.string(0, 7, value);
        if (index) {
            changes++;
            table.evict(sizeLimit - bytes);
            table.add(name, value, bytes);
        }
    }
}
