package io.margay.protocol.http2;

import io.margay.protocol.http.Priority;
import org.jspecify.annotations.Nullable;

/// Priorities that a client has told of streams it has not begun yet (RFC 9218 §7). The latest few
/// are remembered, whatever it tells. Guarded as its session is.
public final class EarlyPriorities {
    static final int REMEMBERED = 32;

    private long @Nullable [] ids;
    private @Nullable Priority[] priorities = {};
    private int next;

    /// Remembers one, in place of an earlier one of the stream or of the oldest.
    ///
    /// @param id above 0
    public void put(long id, Priority priority) {
        long[] known = ids;
        if (known == null) {
            known = new long[REMEMBERED];
            ids = known;
            priorities = new Priority[REMEMBERED];
        }
        for (int i = 0; i < REMEMBERED; i++) {
            if (known[i] == id) {
                priorities[i] = priority;
                return;
            }
        }
        known[next] = id;
        priorities[next] = priority;
        next = (next + 1) % REMEMBERED;
    }

    /// Takes out that of a stream which begins.
    public @Nullable Priority take(long id) {
        long[] known = ids;
        for (int i = 0; known != null && i < REMEMBERED; i++) {
            if (known[i] == id) {
                known[i] = 0;
                Priority found = priorities[i];
                priorities[i] = null;
                return found;
            }
        }
        return null;
    }
}
