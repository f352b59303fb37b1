package io.margay.gateway.balance;

import io.margay.gateway.config.PeerConfig;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// The peers among which the method chooses, in the order in which they are considered. One for
/// each upstream, filled again for each choice. Guarded by the upstream's lock.
final class Candidates {
    private static final int STANDBYS = 1 << 20;

    private static final int SIZE_FIRST = 8;

    private final RandomGenerator random;
    private Peer[] peers = new Peer[SIZE_FIRST];
    private int size;
    private long key;
    private long now;

    Candidates(RandomGenerator random) {
        this.random = random;
    }

    int size() {
        return size;
    }

    Peer get(int index) {
        return peers[index];
    }

    /// Says for which request they are, and when.
    void of(Selection selection, long nanos) {
        key = selection.key();
        now = nanos;
    }

    /// By which requests are told apart; 0 = by nothing.
    long key() {
        return key;
    }

    long now() {
        return now;
    }

    /// For methods that choose by chance.
    RandomGenerator random() {
        return random;
    }

    /// Forgets all peers, of which some may have left.
    void clear() {
        Arrays.fill(peers, 0, size, null);
        size = 0;
    }

    void add(Peer peer) {
        if (size == peers.length) {
            peers = Arrays.copyOf(peers, size * 2);
        }
        peers[size++] = peer;
    }

    /// Adds a peer unless others are nearer; forgets those that are farther.
    void addNearest(Peer peer) {
        int nearest = size == 0 ? Integer.MAX_VALUE : distance(peers[0]);
        int distance = distance(peer);
        if (distance < nearest) {
            clear();
        }
        if (distance <= nearest) {
            add(peer);
        }
    }

    /// A standby is farther than all that are none.
    private static int distance(Peer peer) {
        PeerConfig.Share share = peer.config().share();
        return share.standby() ? STANDBYS + share.distance() : share.distance();
    }

    /// Gives each peer its weight in urgency.
    ///
    /// @return what was given to all of them
    long urge() {
        long total = 0;
        for (int i = 0; i < size; i++) {
            long factor = peers[i].factor();
            peers[i].load += factor;
            total += factor;
        }
        return total;
    }
}
