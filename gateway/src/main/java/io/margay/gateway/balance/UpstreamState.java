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
                upstream.answers().leaveOut(member, new Ejection(cause, left, 0, false));
            }
        }

        /// Members that are out now must not come back by a crash.
        @Override
        public long revision() {
            return upstream.peers().stream().mapToLong(peer -> peer.ejection().ejections()).sum();
        }
    }

    /// How many requests are on the peers of an upstream, for the process that follows and counts
    /// them as its own until they have ended. Immutable but for the upstream.
    public record Busy(Upstream upstream) implements TravellingState {
        @Override
        public String name() {
            return "requests " + upstream.config().name();
        }

        /// Those with requests, by name and address; then an empty name.
        @Override
        public void write(DataOutput out) throws IOException {
            for (Peer peer : upstream.peers()) {
                if (peer.busyHere() > 0) {
                    out.writeUTF(peer.config().name());
                    out.writeUTF(peer.config().address().toString());
                    out.writeInt(peer.busyHere());
                }
            }
            out.writeUTF("");
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            ended();
            for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
                String address = in.readUTF();
                int busy = in.readInt();
                for (Peer peer : upstream.peers()) {
                    if (peer.config().name().equals(name)
                            && peer.config().address().toString().equals(address)) {
                        peer.busyBefore(busy);
                    }
                }
            }
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public void ended() {
            upstream.peers().forEach(peer -> peer.busyBefore(0));
        }
    }
}
