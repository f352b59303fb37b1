package io.margay.gateway.health;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How the checks of an upstream's peers stand, for the process that goes on with them. Immutable
/// but for what it is about.
record CheckState(Upstream upstream, Map<Peer, CheckResult> results) implements TravellingState {
    private static final int REASON_MAX = 1_000;

    @Override
    public String name() {
        return "checks " + upstream.config().name();
    }

    /// Names and results, then an empty name.
    @Override
    public void write(DataOutput out) throws IOException {
        for (Peer peer : upstream.peers()) {
            CheckResult result = results.get(peer);
            if (result != null) {
                String reason = String.valueOf(result.reason());
                out.writeUTF(peer.config().name());
                out.writeInt(result.passes());
                out.writeInt(result.fails());
                out.writeUTF(reason.substring(0, Math.min(reason.length(), REASON_MAX)));
            }
        }
        out.writeUTF("");
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        Map<String, Peer> peers = new HashMap<>();
        upstream.peers().forEach(peer -> peers.put(peer.config().name(), peer));
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            Peer peer = peers.get(name);
            int passes = in.readInt();
            int fails = in.readInt();
            String reason = in.readUTF();
            if (peer != null) {
                CheckResult _ =
                        results.putIfAbsent(
                                peer, new CheckResult(passes, fails, fails == 0 ? null : reason));
            }
        }
    }
}
