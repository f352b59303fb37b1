package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Who is registered with one upstream, for the process that goes on with them; kept while the
/// process runs, so that not even a crash leaves an upstream without members. Immutable but for the
/// registrations.
///
/// @param upstream its name
/// @param registrar who takes them over
record RegistrationState(
        String upstream,
        MemberSource source,
        Registrar registrar,
        Registrations registrations,
        DiscoveryLimits limits)
        implements TravellingState {
    @Override
    public String name() {
        return "registrations " + upstream;
    }

    /// Name, line, lease and what is left of it in nanoseconds; then an empty name.
    @Override
    public void write(DataOutput out) throws IOException {
        for (Registrations.Known each : registrations.known()) {
            out.writeUTF(each.name());
            out.writeUTF(each.member().toString());
            out.writeLong(each.lease().toNanos());
            out.writeLong(each.left().toNanos());
        }
        out.writeUTF("");
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        List<Registrations.Known> others = new ArrayList<>();
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            String line = in.readUTF();
            Duration lease = Duration.ofNanos(in.readLong());
            Duration left = Duration.ofNanos(in.readLong()).minus(since);
            boolean may = lease.isPositive() && lease.compareTo(limits.leaseMax()) <= 0;
            if (may && others.size() < limits.membersMax()) {
                others.add(new Registrations.Known(name, member(line), lease, left));
            }
        }
        registrar.takeOver(others);
    }

    private MemberLine member(String line) throws IOException {
        try {
            MemberLine read = MemberLine.parse(line, 2 * limits.lineMax());
            Object _ = read.member(source, false);
            return read;
        } catch (IllegalArgumentException e) {
            throw new IOException("a member is malformed: " + e.getMessage(), e);
        }
    }

    @Override
    public long revision() {
        return registrations.revision();
    }
}
