package io.margay.protocol.http2;

import org.jspecify.annotations.Nullable;

/// The dynamic table of an encoder (RFC 7541 §2.3.2), in which a field is found without a walk over
/// all others. Guarded as its session is.
///
/// Entries are numbered as they come. Those whose names have the same hash are a chain, from the
/// newest to the oldest; the oldest of all goes first, so that a chain just ends where its numbers
/// are of entries that have gone.
final class SentFields {
    /// A field that the peer has in its table, too.
    static final class Entry {
        private final String name;
        private final String value;
        private final int valueHash;
        private final int bytes;
        private final int number;
        private final int olderInChain;

        /// Whether it has saved anything since it was added.
        private boolean used;

        /// The last value of this name that was not added, by its hash.
        private int refused;

        private Entry(String name, String value, int bytes, int number, int olderInChain) {
            this.name = name;
            this.value = value;
            this.valueHash = value.hashCode();
            this.bytes = bytes;
            this.number = number;
            this.olderInChain = olderInChain;
        }

        /// Whether another value of this name, which is about to be sent, is worth an entry. As
        /// long as this one has not been sent again, it is only if it was sent just before: so an
        /// identifier that is new in each message has one entry, and not all of the table.
        boolean mayBeFollowedBy(String next) {
            int hash = next.hashCode();
            if (used || refused == hash) {
                return true;
            }
            refused = hash;
            return false;
        }
    }

    /// As many as the table can ever have, since an entry counts as 32 octets at least; a power of
    /// two.
    private static final int ENTRIES = HpackEncoder.TABLE_BYTES_MAX / HpackDecoder.ENTRY_OVERHEAD;

    private static final int CHAINS = 64;

    private static final @Nullable Entry[] NO_ENTRIES = {};

    /// A ring; made with the first entry, as most connections have few.
    private @Nullable Entry[] ring = NO_ENTRIES;

    /// The number of the newest entry of each chain.
    private int[] chains = {};

    /// The number of the newest entry; the first has 1.
    private int added;

    private int count;
    private int size;

    /// The newest entry of that name, or null.
    @Nullable Entry newest(String name) {
        return count == 0 ? null : next(chains[chain(name)], name);
    }

    /// The entry of that name and value, or null.
    ///
    /// @param newest the newest entry of that name
    @Nullable Entry find(Entry newest, String value) {
        int hash = value.hashCode();
        for (Entry at = newest; at != null; at = next(at.olderInChain, at.name)) {
            if (at.valueHash == hash && at.value.equals(value)) {
                at.used = true;
                return at;
            }
        }
        return null;
    }

    /// The first entry of that name from a number on, along the chain.
    private @Nullable Entry next(int number, String name) {
        int at = number;
        while (added - at < count) {
            Entry entry = ring[at & (ENTRIES - 1)];
            if (entry == null || entry.name.equals(name)) {
                return entry;
            }
            at = entry.olderInChain;
        }
        return null;
    }

    /// Where it is in the table: 1 is the newest.
    int index(Entry entry) {
        return added - entry.number + 1;
    }

    /// Adds an entry. There is room for it: [#evict] comes first.
    ///
    /// @param bytes what it counts as (RFC 7541 §4.1)
    void add(String name, String value, int bytes) {
        if (ring.length == 0) {
            ring = new Entry[ENTRIES];
            chains = new int[CHAINS];
        }
        int chain = chain(name);
        int number = ++added;
        ring[number & (ENTRIES - 1)] = new Entry(name, value, bytes, number, chains[chain]);
        chains[chain] = number;
        count++;
        size += bytes;
    }

    /// Removes the oldest until the rest takes no more than so many octets.
    void evict(int most) {
        while (count > 0 && size > most) {
            int oldest = (added - count + 1) & (ENTRIES - 1);
            Entry entry = ring[oldest];
            size -= entry == null ? 0 : entry.bytes;
            ring[oldest] = null;
            count--;
        }
    }

    private static int chain(String name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (CHAINS - 1);
    }
}
