package io.margay.servlet.security;

import io.margay.server.users.SignedNonces;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// The nonces of DIGEST, of which nothing is kept but for how often those have been used that
/// somebody has logged in with. Thread-safe; `lock` guards these counts.
final class Nonces {
    /// How long a nonce is good for; then the client gets another without asking its user.
    static final Duration LIFE = Duration.ofMinutes(5);

    /// Nonces whose uses are counted; the one used least recently is forgotten first.
    static final int COUNTED_MAX = 10_000;

    private final SignedNonces signed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Uses> counted = new LinkedHashMap<>(16, 0.75f, true);

    /// The highest count of a nonce, and which of the 63 below it have been used.
    private static final class Uses {
        private long highest;
        private long below;

        boolean use(long count) {
            if (count > highest) {
                long shift = count - highest;
                below = shift > 63 ? 0 : (below << 1 | 1) << (shift - 1);
                highest = count;
                return true;
            }
            long distance = highest - count;
            if (distance == 0 || distance > 63 || (below >>> (distance - 1) & 1) != 0) {
                return false;
            }
            below |= 1L << (distance - 1);
            return true;
        }
    }

    Nonces(LongSupplier nanoClock) {
        signed = new SignedNonces(nanoClock);
    }

    /// A new one.
    String next(String realm) {
        return signed.next(realm);
    }

    SignedNonces.State check(String nonce, String realm) {
        return signed.check(nonce, realm, LIFE);
    }

    /// Counts a use by a client that knows the password; false when it has been counted before, and
    /// so may be somebody who has listened.
    boolean use(String nonce, long count) {
        lock.lock();
        try {
            Uses uses = counted.computeIfAbsent(nonce, key -> new Uses());
            if (counted.size() > COUNTED_MAX) {
                counted.remove(counted.keySet().iterator().next());
            }
            return uses.use(count);
        } finally {
            lock.unlock();
        }
    }
}
