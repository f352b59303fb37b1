package io.margay.protocol.quic;

import java.util.Arrays;

/// A set of numbers as ranges, the smallest first: `[from,to)`. Adjacent ranges are one. Confined
/// to its owner, who bounds how many ranges there are.
public final class RangeSet {
    private static final int FIRST = 4;

    private long[] bounds = new long[2 * FIRST];
    private int count;

    /// Octets that it takes.
    public int bytes() {
        return Long.BYTES * bounds.length;
    }

    /// Ranges that there are.
    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Where a range begins; 0 is the smallest range.
    public long from(int range) {
        return bounds[2 * range];
    }

    /// Where a range ends, exclusive.
    public long to(int range) {
        return bounds[2 * range + 1];
    }

    /// The number of the first range that ends at `value` or behind it: [#count] when none does.
    private int find(long value) {
        if (count > 0 && bounds[2 * count - 1] < value) {
            return count;
        }
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[2 * middle + 1] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The number of the first range that ends behind `value`, or [#count].
    public int behind(long value) {
        return find(value + 1);
    }

    public boolean contains(long value) {
        int at = behind(value);
        return at < count && bounds[2 * at] <= value;
    }

    /// Adds `[from,to)`.
    ///
    /// @return how many of these numbers were not there before
    public long add(long from, long to) {
        if (from >= to) {
            return 0;
        }
        int first = find(from);
        int last = first;
        long start = from;
        long end = to;
        long known = 0;
        while (last < count && bounds[2 * last] <= to) {
            start = Math.min(start, bounds[2 * last]);
            end = Math.max(end, bounds[2 * last + 1]);
            known += bounds[2 * last + 1] - bounds[2 * last];
            last++;
        }
        if (last == first) {
            insert(first);
        } else {
            delete(first + 1, last);
        }
        bounds[2 * first] = start;
        bounds[2 * first + 1] = end;
        return end - start - known;
    }

    private void insert(int at) {
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        System.arraycopy(bounds, 2 * at, bounds, 2 * at + 2, 2 * (count - at));
        count++;
    }

    private void delete(int first, int last) {
        if (last > first) {
            System.arraycopy(bounds, 2 * last, bounds, 2 * first, 2 * (count - last));
            count -= last - first;
        }
    }

    /// Removes `[from,to)`.
    public void remove(long from, long to) {
        if (from >= to || count == 0) {
            return;
        }
        int at = find(from + 1);
        if (at < count && bounds[2 * at] < from && bounds[2 * at + 1] > to) {
            insert(at);
            bounds[2 * at] = bounds[2 * at + 2];
            bounds[2 * at + 1] = from;
            bounds[2 * at + 2] = to;
            return;
        }
        if (at < count && bounds[2 * at] < from) {
            bounds[2 * at + 1] = Math.min(bounds[2 * at + 1], from);
            at++;
        }
        int last = at;
        while (last < count && bounds[2 * last + 1] <= to) {
            last++;
        }
        delete(at, last);
        if (at < count && bounds[2 * at] < to) {
            bounds[2 * at] = to;
        }
    }

    /// Removes the range of the smallest numbers.
    public void removeFirst() {
        delete(0, 1);
    }

    public void clear() {
        count = 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(from(i)).append('-').append(to(i));
        }
        return text.toString();
    }
}
