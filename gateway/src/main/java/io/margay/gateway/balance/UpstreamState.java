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

    /// Which peers are left out because they answer worse than others. Immutable but for the
    /// upstream.
    public record LeftOut(Upstream upstream) implements TravellingState {
        @Override
        public String name() {
            return "ejections " + upstream.config().name();
        }

        /// Those by name and address, with the cause and the time left; then an empty name.
        @Override
        public void write(DataOutput out) throws IOException {
            for (Peer peer : upstream.peers()) {
                Ejection ejection = peer.ejection();
                Ejection.Cause cause = ejection.cause();
                if (cause != null) {
                    out.writeUTF(peer.config().nameAndAddress());
                    out.writeUTF(cause.name());
                    out.writeLong(ejection.millisLeft());
                }
            }
            out.writeUTF("");
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            for (String member = in.readUTF(); !member.isEmpty(); member = in.readUTF()) {
                Ejection.Cause cause = Ejection.Cause.named(in.readUTF());
                long left = in.readLong() - since.toMillis();
                upstream.leaveOut(member, new Ejection(cause, left, 0, false));
            }
        }

        /// Members that are out now must not come back by a crash.
        @Override
        public long revision() {
            return upstream.peers().stream().mapToLong(peer -> peer.ejection().ejections()).sum();
        }
    }
}
