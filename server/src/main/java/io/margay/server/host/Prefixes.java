package io.margay.server.host;

import io.margay.server.exchange.Handler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Handlers by the beginning of a path, up to a `/` or its end. Looked up in one walk along the
/// path, however many there are, so that a server of hundreds of applications finds one as fast as
/// a server of one. Immutable.
final class Prefixes {
    private record Prefix(String path, Handler handler) {}

    /// By the hash of the path, which is that of its string; the next place where one is taken. At
    /// least half of the places are free.
    private final @Nullable Prefix[] places;

    private final int lengthMost;

    /// @param handlers by paths without a `/` at the end; the empty one takes all
    Prefixes(Map<String, Handler> handlers) {
        places = new Prefix[Integer.highestOneBit(handlers.size() + 1) * 4];
        int most = -1;
        for (Map.Entry<String, Handler> each : handlers.entrySet()) {
            String path = each.getKey();
            int place = place(path.hashCode());
            while (places[place] != null) {
                place = next(place);
            }
            places[place] = new Prefix(path, each.getValue());
            most = Math.max(most, path.length());
        }
        lengthMost = most;
    }

    /// The handler of the longest beginning of a path, or null.
    @Nullable Handler longest(String path) {
        Handler found = null;
        int hash = 0;
        int end = Math.min(lengthMost, path.length());
        for (int i = 0; i <= end; i++) {
            char c = i < path.length() ? path.charAt(i) : '/';
            if (c == '/') {
                Handler longer = find(path, i, hash);
                found = longer == null ? found : longer;
            }
            hash = 31 * hash + c; // as String.hashCode()
        }
        return found;
    }

    private @Nullable Handler find(String path, int length, int hash) {
        int place = place(hash);
        for (Prefix at = places[place]; at != null; at = places[place]) {
            if (at.path.length() == length && path.startsWith(at.path)) {
                return at.handler;
            }
            place = next(place);
        }
        return null;
    }

    private int place(int hash) {
        return (hash ^ (hash >>> 16)) & (places.length - 1);
    }

    private int next(int place) {
        return (place + 1) & (places.length - 1);
    }
}
