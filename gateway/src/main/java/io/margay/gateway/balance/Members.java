package io.margay.gateway.balance;

import io.margay.gateway.config.PeerConfig;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The peers of an upstream: those of the configuration, added ones and discovered ones. Read by
/// all threads; changed with the upstream's lock held.
public final class Members {
    /// How a peer has come to its upstream.
    public enum Origin {
        /// By the configuration.
        CONFIGURED,
        /// By hand, while the upstream is at work.
        ADDED,
        /// By a source of members.
        DISCOVERED
    }

    /// What a new set of discovered peers has changed.
    ///
    /// @param joined peers that were not there before
    /// @param left peers that are not there any more: they finish the requests that are on them
    public record Change(List<Peer> joined, List<Peer> left) {}

    private final List<Peer> peers;
    private final List<Peer> view;

    Members(List<Peer> configured) {
        peers = new CopyOnWriteArrayList<>(configured);
        view = Collections.unmodifiableList(peers);
    }

    /// All, in the order of the configuration, and then those that have joined.
    List<Peer> all() {
        return view;
    }

    List<Peer> of(Origin origin) {
        return peers.stream().filter(peer -> peer.origin() == origin).toList();
    }

    /// The only one; null = there are several, or none.
    @Nullable Peer alone() {
        return peers.size() == 1 ? peers.getFirst() : null;
    }

    void add(Peer peer) {
        peers.add(peer);
    }

    @Nullable Peer named(String name) {
        for (Peer peer : peers) {
            if (peer.config().name().equals(name)) {
                return peer;
            }
        }
        return null;
    }

    /// What has become of the discovered peers.
    ///
    /// @param back those that stay, to which requests without a session come again
    /// @param same whether nothing has changed
    record Replaced(Change change, List<Peer> back, boolean same) {}

    /// Replaces the discovered peers; one keeps its state and its connections while its name and
    /// the way to it stay.
    Replaced replaceDiscovered(Collection<PeerConfig> now, Function<PeerConfig, Peer> made) {
        Map<String, Peer> left = new HashMap<>();
        of(Origin.DISCOVERED).forEach(peer -> left.put(peer.config().name(), peer));
        List<Peer> joined = new ArrayList<>();
        List<Peer> back = new ArrayList<>();
        boolean same = true;
        for (PeerConfig each : now) {
            Peer known = left.get(each.name());
            if (known != null && known.sameConnections(each)) {
                same &= known.configured().equals(each);
                if (known.redefine(each)) {
                    back.add(known);
                }
                left.remove(each.name());
            } else if (known != null || named(each.name()) == null) {
                joined.add(made.apply(each));
            }
        }
        left.values().forEach(Peer::depart);
        peers.addAll(joined);
        peers.removeIf(Peer::departed);
        return new Replaced(
                new Change(List.copyOf(joined), List.copyOf(left.values())),
                back,
                same && joined.isEmpty() && left.isEmpty());
    }

    /// Writes how the peers do, by name and address; then an empty name.
    void write(DataOutput out, long now) throws IOException {
        for (Peer peer : peers) {
            out.writeUTF(peer.config().name());
            out.writeUTF(peer.config().address().toString());
            peer.write(out, now);
        }
        out.writeUTF("");
    }

    /// Takes over how the peers have done for another process; those that have had requests here
    /// know better.
    void read(DataInput in, long now, long sinceNanos) throws IOException {
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            String address = in.readUTF();
            Peer peer = named(name);
            boolean takes =
                    peer != null
                            && peer.config().address().toString().equals(address)
                            && peer.used() == 0;
            Peer.read(in, takes ? peer : null, now, sinceNanos);
        }
    }
}
