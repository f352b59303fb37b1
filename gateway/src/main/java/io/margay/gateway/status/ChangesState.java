package io.margay.gateway.status;

import io.margay.gateway.balance.Upstream;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What was changed by hand of an upstream and its members, for the process that goes on with it. A
/// server that is started later begins as configured, but for what a state file keeps. Immutable
/// but for the upstream.
public record ChangesState(Upstream upstream) implements TravellingState {
    private static final System.Logger LOG = System.getLogger(ChangesState.class.getName());

    /// What is older was not handed over, but left by a process that has ended.
    private static final Duration AGE_MAX = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "changes " + upstream.config().name();
    }

    /// Name and value of each setting; then an empty name.
    @Override
    public void write(DataOutput out) throws IOException {
        for (Map.Entry<String, String> each : StateValues.differing(List.of(upstream)).entrySet()) {
            out.writeUTF(each.getKey());
            out.writeUTF(each.getValue());
        }
        out.writeUTF("");
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        Map<String, String> values = new TreeMap<>();
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            values.put(name, in.readUTF());
        }
        if (since.compareTo(AGE_MAX) <= 0) {
            StateValues.apply(List.of(upstream), values)
                    .forEach(each -> LOG.log(Level.WARNING, "changes of before: {0}", each));
        }
    }
}
