package io.margay.protocol.http2;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The streams of a session by their numbers. Guarded as its session is.
final class StreamTable {
    private static final int BUCKETS = 64;

    private final @Nullable Http2Stream[] buckets = new Http2Stream[BUCKETS];
    private int count;

    @Nullable Http2Stream get(int id) {
        Http2Stream stream = buckets[bucket(id)];
        while (stream != null && stream.id != id) {
            stream = stream.next;
        }
        return stream;
    }

    void add(Http2Stream stream) {
        int bucket = bucket(stream.id);
        stream.next = buckets[bucket];
        buckets[bucket] = stream;
        count++;
    }

    void remove(Http2Stream stream) {
        int bucket = bucket(stream.id);
        Http2Stream before = null;
        for (Http2Stream at = buckets[bucket]; at != null; at = at.next) {
            if (at.id == stream.id) {
                if (before == null) {
                    buckets[bucket] = at.next;
                } else {
                    before.next = at.next;
                }
                count--;
                return;
            }
            before = at;
        }
    }

    List<Http2Stream> all() {
        List<Http2Stream> all = new ArrayList<>(count);
        for (Http2Stream first : buckets) {
            for (Http2Stream at = first; at != null; at = at.next) {
                all.add(at);
            }
        }
        return all;
    }

    /// Numbers of one side are all odd or all even.
    private static int bucket(int id) {
        return (id >> 1) & (BUCKETS - 1);
    }
}
