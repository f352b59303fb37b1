package io.margay.acme;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The certificates that are due and whose orders have not begun, of each authority the most urgent
/// first: those that no authority has issued yet, then those that somebody wants renewed, then
/// those that end first. Used by the thread of the orders.
final class OrderQueue {
    /// A certificate that is due.
    ///
    /// @param until when the one in use ends; [Instant#MIN] = no authority has issued one
    record Entry(AcmeCertificate wanted, CertificateWatch watch, Urgency urgency, Instant until) {}

    private static final Comparator<Entry> MOST_URGENT =
            Comparator.comparing((Entry one) -> !one.until.equals(Instant.MIN))
                    .thenComparing(one -> one.urgency, Comparator.reverseOrder())
                    .thenComparing(Entry::until);

    private final Map<AcmeAuthority, PriorityQueue<Entry>> waiting = new HashMap<>();

    void add(Entry entry) {
        waiting.computeIfAbsent(entry.wanted.authority(), one -> new PriorityQueue<>(MOST_URGENT))
                .add(entry);
    }

    void clear() {
        waiting.clear();
    }

    /// Takes the next one whose authority need not be waited for.
    ///
    /// @param waitNanos how long an order of an authority has to wait
    /// @param namesMax of its certificate; a larger one holds those behind it up
    /// @return null = there is none
    @Nullable Entry next(ToLongFunction<AcmeAuthority> waitNanos, int namesMax) {
        Entry best = null;
        for (Map.Entry<AcmeAuthority, PriorityQueue<Entry>> one : waiting.entrySet()) {
            Entry first = one.getValue().peek();
            if (first != null
                    && (best == null || MOST_URGENT.compare(first, best) < 0)
                    && waitNanos.applyAsLong(one.getKey()) == 0) {
                best = first;
            }
        }
        if (best == null || best.wanted.domains().size() > namesMax) {
            return null;
        }
        PriorityQueue<Entry> from = waiting.get(best.wanted.authority());
        return from == null ? null : from.poll();
    }

    /// How long until one of them may begin, as far as authorities are waited for, in ns;
    /// [Long#MAX_VALUE] = nothing is waited for.
    long waitNanos(ToLongFunction<AcmeAuthority> waitNanos) {
        long least = Long.MAX_VALUE;
        for (Map.Entry<AcmeAuthority, PriorityQueue<Entry>> one : waiting.entrySet()) {
            long wait = one.getValue().isEmpty() ? 0 : waitNanos.applyAsLong(one.getKey());
            least = wait > 0 ? Math.min(least, wait) : least;
        }
        return least;
    }
}
