package io.margay.gateway.attempt;

import io.margay.protocol.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Requests on which members have died, by their fingerprints. A request on which two members died
/// may have been on both by chance, and so may all like it that were under way, so they are only
/// suspected: each that comes later is sent to one member. When a member dies on one of those, no
/// other gets such a request for a while; an answer clears it. Thread-safe; `lock` is held for a
/// look into the map.
public final class DeadlyRequests {
    /// How long one is remembered.
    public static final Duration REMEMBERED = Duration.ofMinutes(1);

    /// So many at most; the oldest is forgotten for another.
    public static final int REQUESTS_MAX = 1000;

    /// What is known of requests like one.
    public enum Known {
        /// No member has died on one.
        NOTHING,
        /// Members have died on one.
        SUSPECTED,
        /// Members have died on two: no other gets one.
        DEADLY
    }

    private record Entry(Known known, long untilNanos) {}

    private final ReentrantLock lock = new ReentrantLock();

    /// By fingerprint, the oldest first.
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();

    private volatile boolean any;

    /// Members have died on a request.
    ///
    /// @param suspected whether that was known of its like when it came
    /// @return what is known of its like by now
    public Known add(RequestHead request, boolean suspected, long nanos) {
        String fingerprint = fingerprint(request);
        lock.lock();
        try {
            forget(nanos);
            Entry before = entries.remove(fingerprint);
            boolean deadly = suspected || (before != null && before.known == Known.DEADLY);
            Known known = deadly ? Known.DEADLY : Known.SUSPECTED;
            if (entries.size() >= REQUESTS_MAX) {
                entries.pollFirstEntry();
            }
            entries.put(fingerprint, new Entry(known, nanos + REMEMBERED.toNanos()));
            any = true;
            return known;
        } finally {
            lock.unlock();
        }
    }

    /// A member has answered a request: it is not suspected any more.
    public void answered(RequestHead request) {
        if (!any) {
            return;
        }
        String fingerprint = fingerprint(request);
        lock.lock();
        try {
            Entry entry = entries.get(fingerprint);
            if (entry != null && entry.known == Known.SUSPECTED) {
                entries.remove(fingerprint);
            }
            any = !entries.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// What is known of requests like one.
    public Known known(RequestHead request, long nanos) {
        if (!any) {
            return Known.NOTHING;
        }
        String fingerprint = fingerprint(request);
        lock.lock();
        try {
            forget(nanos);
            any = !entries.isEmpty();
            Entry entry = entries.get(fingerprint);
            return entry == null ? Known.NOTHING : entry.known;
        } finally {
            lock.unlock();
        }
    }

    private void forget(long nanos) {
        Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
        while (oldest.hasNext() && nanos - oldest.next().getValue().untilNanos >= 0) {
            oldest.remove();
        }
    }

    /// Method, host, target and length of the content, as 32 digits that nobody finds another
    /// request for.
    private static String fingerprint(RequestHead request) {
        String text =
                request.method()
                        + '\n'
                        + request.target().authority()
                        + '\n'
                        + request.target().rawPath()
                        + '\n'
                        + request.target().rawQuery()
                        + '\n'
                        + request.contentLength();
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
