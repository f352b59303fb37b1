package io.margay.gateway.balance;

import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/// Which peers of an upstream are in error, unwell or on the way back, for the process that goes on
/// with them. Immutable but for the upstream.
public record UpstreamState(Upstream upstream) implements TravellingState {
    @Override
    public String name() {
        return "members " + upstream.config().name();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        upstream.write(out);
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        upstream.read(in, since.toNanos());
    }
}
