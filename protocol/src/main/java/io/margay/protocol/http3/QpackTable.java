package io.margay.protocol.http3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// A dynamic table (RFC 9204 §3.2): entries are numbered as they are inserted, from 0, and the
/// oldest go first. Guarded as its session is.
final class QpackTable<E extends QpackTable.Sized> {
    /// What counts for the table's size.
    interface Sized {
        int bytes();
    }

    /// Octets by which an entry counts beside name and value.
    static final int OVERHEAD = 32;

    private final ArrayDeque<E> order = new ArrayDeque<>();
    private List<E> entries = new ArrayList<>();
    private long shift;
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
        return inserted - order.size();
    }

    boolean has(long number) {
        return number >= oldest() && number < inserted;
    }

    E get(long number) {
        return entries.get((int) (number - shift));
    }

    /// Makes it smaller or larger; what does not fit goes.
    void capacity(long octets) {
        capacity = octets;
        evict(octets);
    }

    /// Makes room by removing the oldest.
    private void evict(long most) {
        while (size > most) {
            size -= order.remove().bytes();
        }
        // The list forgets what has gone when that is half of it.
        int gone = (int) (oldest() - shift);
        if (gone > 16 && gone > entries.size() / 2) {
            entries = new ArrayList<>(entries.subList(gone, entries.size()));
            shift += gone;
        }
    }

    /// Adds an entry; false when it is larger than the table.
    boolean add(E entry) {
        if (entry.bytes() > capacity) {
            return false;
        }
        evict(capacity - entry.bytes());
        order.add(entry);
        entries.add(entry);
        inserted++;
        size += entry.bytes();
        return true;
    }
}
