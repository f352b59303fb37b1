package io.margay.gateway.limit;

import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/// What one rate has counted, for the process that goes on with it. Where the next configuration
/// has another rate under the name, it is another state. Immutable but for the limiter.
///
/// @param host whose limit it is
record RateState(String host, RequestLimit limit, RateLimiter rate) implements TravellingState {
    @Override
    public String name() {
        return String.join(
                " ", "limit", limit.name(), host, limit.key().toString(), "" + limit.rate());
    }

    @Override
    public int form() {
        return 1;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        rate.write(out);
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        rate.read(in, since.toNanos());
    }
}
