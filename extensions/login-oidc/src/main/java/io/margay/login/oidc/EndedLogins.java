package io.margay.login.oidc;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// What has ended before its time, though a cookie still says otherwise. Thread-safe: guarded by
/// `ended`, for as long as one look-up takes.
///
/// Where there are more than it can hold, the oldest are forgotten, and everything that began
/// before those had ended counts as ended, too.
final class EndedLogins {
    private final int max;
    private final Map<String, End> ended = new LinkedHashMap<>();
    private long floorMillis = Long.MIN_VALUE;

    /// @param untilMillis when nothing is left that had begun by then
    private record End(long atMillis, long untilMillis) {}

    EndedLogins(int max) {
        this.max = max;
    }

    /// Ends what has a key and has begun by now.
    ///
    /// @param life after which nothing is left that has begun by now
    /// @return whether it was not ended yet
    boolean end(String key, long nowMillis, Duration life) {
        synchronized (ended) {
            boolean first = ended.remove(key) == null;
            ended.put(key, new End(nowMillis, nowMillis + life.toMillis()));
            Iterator<Map.Entry<String, End>> oldest = ended.entrySet().iterator();
            while (oldest.hasNext()) {
                End end = oldest.next().getValue();
                boolean over = nowMillis > end.untilMillis;
                if (!over && ended.size() <= max) {
                    break;
                }
                if (!over) {
                    floorMillis = Math.max(floorMillis, end.atMillis);
                }
                oldest.remove();
            }
            return first;
        }
    }

    /// Whether what has a key, and has begun then, has ended.
    boolean isEnded(String key, long begunMillis) {
        synchronized (ended) {
            End end = ended.get(key);
            return begunMillis <= floorMillis || (end != null && begunMillis <= end.atMillis);
        }
    }
}
