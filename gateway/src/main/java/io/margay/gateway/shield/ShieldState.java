package io.margay.gateway.shield;

import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The accounts of a shield, for the process that goes on with them. Where the next configuration
/// has another budget, it is another state. Immutable but for the shield.
///
/// @param host whose shield it is
record ShieldState(String host, ShieldSettings.@Nullable Budget budget, Shield shield)
        implements TravellingState {
    @Override
    public String name() {
        return "shield " + host + " " + budget;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        shield.write(out);
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        shield.read(in, since);
    }
}
