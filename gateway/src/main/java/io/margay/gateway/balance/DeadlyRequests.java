package io.margay.gateway.balance;

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

/// Requests on which two members have died, by their fingerprints: no other member gets one like
/// them for a while. Thread-safe; `lock` is held for a look into the map.
public final class DeadlyRequests {
    /// How long one is remembered.
    public static final Duration REMEMBERED = Duration.ofMinutes(1);

    /// So many at most; the oldest is forgotten for another.
    public static final int REQUESTS_MAX = 1000;

    private final ReentrantLock lock = new ReentrantLock();

    /// Until when, by fingerprint, the oldest first.
    private final LinkedHashMap<String, Long> until = new LinkedHashMap<>();

    private volatile boolean any;

    /// Members have died on a request.
    public void add(RequestHead request, long nanos) {
        String fingerprint = fingerprint(request);
        lock.lock();
        try {
            until.remove(fingerprint);
            if (until.size() >= REQUESTS_MAX) {
                until.pollFirstEntry();
            }
            until.put(fingerprint, nanos + REMEMBERED.toNanos());
            any = true;
        } finally {
            lock.unlock();
        }
    }

    /// Whether members have died on one like this.
    public boolean contains(RequestHead request, long nanos) {
        if (!any) {
            return false;
        }
        String fingerprint = fingerprint(request);
        lock.lock();
        try {
            Iterator<Map.Entry<String, Long>> oldest = until.entrySet().iterator();
            while (oldest.hasNext() && nanos - oldest.next().getValue() >= 0) {
                oldest.remove();
            }
            any = !until.isEmpty();
            return until.containsKey(fingerprint);
        } finally {
            lock.unlock();
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
