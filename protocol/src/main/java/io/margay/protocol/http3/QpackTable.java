package io.margay.protocol.http3;

import org.jspecify.annotations.Nullable;

/// A dynamic table (RFC 9204 §3.2): entries are numbered as they are inserted, from 0, and the
/// oldest go first. What has gone is not held. Guarded as its session is.
final class QpackTable<E extends QpackTable.Sized> {
    /// What counts for the table's size.
    interface Sized {
        int bytes();
    }

    /// Octets by which an entry counts beside name and value.
    static final int OVERHEAD = 32;

    private @Nullable Object[] ring = new @Nullable Object[16];
    private int first;
    private int count;
    private long capacity;
    private long size;
    private long inserted;

    long capacity() {
        return capacity;
    }

    long size() {
        return size;
    }

    /// Entries that were ever inserted: the number of the next.
    long inserted() {
        return inserted;
    }

    /// The number of the oldest entry that is there.
    long oldest() {
        return inserted - count;
    }

    boolean has(long number) {
        return number >= oldest() && number < inserted;
    }

    private int slot(int index) {
        return (first + index) & (ring.length - 1);
    }

    /// @throws IllegalStateException when it is not there: [#has]
    E get(long number) {
        Object entry = has(number) ? ring[slot((int) (number - oldest()))] : null;
        if (entry == null) {
            throw new IllegalStateException("no entry " + number);
        }
        @SuppressWarnings("unchecked") // nothing else is put there
        E known = (E) entry;
        return known;
    }

    /// Makes it smaller or larger; what does not fit goes.
    void capacity(long octets) {
        capacity = octets;
        evict(octets);
    }

    /// Makes room by removing the oldest.
    private void evict(long most) {
        while (size > most) {
            size -= get(oldest()).bytes();
            ring[first] = null;
            first = slot(1);
            count--;
        }
    }

    /// Adds an entry; false when it is larger than the table.
    boolean add(E entry) {
        if (entry.bytes() > capacity) {
            return false;
        }
        evict(capacity - entry.bytes());
        if (count == ring.length) {
            @Nullable Object[] larger = new @Nullable Object[2 * count];
            for (int i = 0; i < count; i++) {
                larger[i] = ring[slot(i)];
            }
            ring = larger;
            first = 0;
        }
        ring[slot(count++)] = entry;
        inserted++;
        size += entry.bytes();
        return true;
    }
}
