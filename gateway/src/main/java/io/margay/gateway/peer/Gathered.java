package io.margay.gateway.peer;

/// Content that has come in several pieces within one read, moved together in the array it was read
/// into, so that it is passed on in one. Confined to its connection's loop.
final class Gathered {
    private int from;
    private int to;

    void add(byte[] buffer, int start, int end) {
        if (from == to) {
            from = start;
            to = start;
        } else if (to != start) {
            System.arraycopy(buffer, start, buffer, to, end - start);
        }
        to += end - start;
    }

    void clear() {
        from = 0;
        to = 0;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isEmpty() {
        return from == to;
    }
}
