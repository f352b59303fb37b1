package io.margay.gateway.attempt;

import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http.RequestHead;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Whether a request of an upstream may be tried once more: not where it is of those on which
/// members die, and only so many of all. Thread-safe.
public final class RetryGuard {
    private final RetryBudget budget = new RetryBudget();
    private final DeadlyRequests deadly = new DeadlyRequests();
    private final Supplier<UpstreamConfig> config;
    private final LongSupplier nanos;

    /// @param config as it is by now
    public RetryGuard(Supplier<UpstreamConfig> config, LongSupplier nanos) {
        this.config = config;
        this.nanos = nanos;
    }

    /// A request has come.
    ///
    /// @return whether members have died on some like it
    public DeadlyRequests.Known came(RequestHead request) {
        long now = nanos.getAsLong();
        budget.request(now);
        return deadly.known(request, now);
    }

    /// Whether a request may be tried once more, as far as there are not too many of them; counts.
    public boolean mayRetry() {
        return budget.retry(config.get().retries(), nanos.getAsLong());
    }

    /// Two members have died on a request, or one on a suspected one.
    ///
    /// @param suspected whether that was known of its like when it came
    /// @return what is known of its like by now
    public DeadlyRequests.Known diedOn(RequestHead request, boolean suspected) {
        return deadly.add(request, suspected, nanos.getAsLong());
    }

    /// A member has answered a request.
    public void answered(RequestHead request) {
        deadly.answered(request);
    }
}
