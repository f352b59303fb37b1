package io.margay.gateway.balance;

import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/// How many requests are on the peers of an upstream, for the process that follows and counts them
/// as its own until they have ended. Immutable but for the upstream.
public record BusyState(Upstream upstream) implements TravellingState {
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
