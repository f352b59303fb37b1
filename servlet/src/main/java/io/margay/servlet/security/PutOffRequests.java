package io.margay.servlet.security;

import io.margay.server.exchange.MemoryBudget;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// What clients of one application were asked to log in for, kept for when they have. Nobody knows
/// who they are, so what they make the server hold is counted. Thread-safe.
final class PutOffRequests {
    /// Characters of path and query: a page that people bookmark, not a form in the query. A client
    /// with a longer one comes to the application's first page after its login.
    static final int TARGET_CHARS_MAX = 1_024;

    /// How long a client may take to log in, and how long a session lasts that was made for it.
    /// Tomcat gives as much.
    static final int SECONDS_MAX = 120;

    /// One in so many bytes that clients may make the server hold.
    private static final int SHARE_OF_BUDGET = 8;

    /// What a session takes, roughly, beside the request.
    private static final int SESSION_BYTES = 1_024;

    private final MemoryBudget budget;

    PutOffRequests(MemoryBudget memory) {
        budget = memory.part(SHARE_OF_BUDGET);
    }

    /// Keeps a request, if it is short enough and there is room.
    @Nullable Asked keep(String target, Authenticator.@Nullable Form form, long nowNanos) {
        if (target.length() > TARGET_CHARS_MAX) {
            return null;
        }
        int posted = form == null ? 0 : form.content().length() + form.contentType().length();
        long bytes = (long) SESSION_BYTES + target.length() + posted;
        return budget.take(bytes) ? new Asked(target, form, nowNanos, budget, bytes) : null;
    }

    /// A request that has been put off. Immutable but for that it is let go once.
    static final class Asked {
        private final String target;
        private final Authenticator.@Nullable Form form;
        private final long sinceNanos;
        private final MemoryBudget budget;
        private final long bytes;
        private final AtomicBoolean gone = new AtomicBoolean();

        private Asked(
                String target,
                Authenticator.@Nullable Form form,
                long sinceNanos,
                MemoryBudget budget,
                long bytes) {
            this.target = target;
            this.form = form;
            this.sinceNanos = sinceNanos;
            this.budget = budget;
            this.bytes = bytes;
        }

        /// Path and query.
        String target() {
            return target;
        }

        /// What was posted; null = it is to be asked for with GET.
        Authenticator.@Nullable Form form() {
            return form;
        }

        /// Whether the client has taken too long.
        boolean isLate(long nowNanos) {
            return nowNanos - sinceNanos >= SECONDS_MAX * 1_000_000_000L;
        }

        /// No session remembers it any more.
        void letGo() {
            if (gone.compareAndSet(false, true)) {
                budget.give(bytes);
            }
        }
    }
}
