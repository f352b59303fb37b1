package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// The peers among which the method chooses, in the order in which they are considered. One for
/// each upstream, filled again for each choice. Guarded by the upstream's lock.
final class Candidates {
    private static final int STANDBYS = 1 << 20;

    private static final int SIZE_FIRST = 8;

    /// So many are compared by their times at least, and so many for each request in flight.
    private static final int KNOWN_MIN = 20;

    private static final int KNOWN_EACH = 3;

    /// What a zone can do of which so much is usable, in parts of its share.
    private static final double ENOUGH = 1.4;

    private final RandomGenerator random;
    private Peer[] peers = new Peer[SIZE_FIRST];
    private int size;
    private long key;
    private long now;

    /// The least place of a part, and of which part of how many it is.
    private int least;

    private int leastOf;
    private int leastSize;

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

    /// Forgets those that are not used for this request where a gateway prefers some: those of its
    /// own zone, and of many a part that it has drawn once: as many as are configured, or where
    /// times are compared as many as a gateway hears of often enough to know them ("aperture" of
    /// Finagle). Sessions and their failover do not ask.
    ///
    /// The own zone gets all requests while 5 of 7 of its weight are usable, and fewer in
    /// proportion below that, so that peers that are left do not get the load of those that are not
    /// (Envoy's overprovisioning factor of 1.4).
    ///
    /// @param all peers, also those that are no candidates
    void narrow(UpstreamConfig config, List<Peer> all) {
        UpstreamConfig.Spread spread = config.spread();
        if (!spread.ownZone().isEmpty()) {
            zone(spread.ownZone(), all);
        }
        int count = spread.subset() == 0 ? known(config) : spread.subset();
        if (count > 0 && size > count) {
            subset(count);
        }
    }

    private void zone(String own, List<Peer> all) {
        double usable = 0;
        for (int i = 0; i < size; i++) {
            usable += isIn(own, peers[i]) ? peers[i].weight() : 0;
        }
        if (usable == 0) {
            return;
        }
        double whole = 0;
        for (Peer peer : all) {
            boolean counts = peer.activation() == Activation.ACTIVE && isIn(own, peer);
            whole += counts ? peer.weight() : 0;
        }
        boolean stays = ENOUGH * usable >= whole || random.nextDouble() * whole < ENOUGH * usable;
        keep(peer -> isIn(own, peer) == stays);
    }

    private static boolean isIn(String zone, Peer peer) {
        PeerConfig.Share share = peer.config().share();
        return share.zone().equals(zone) && !share.standby();
    }

    /// How many answer often enough that their times are known, in steps of two; 0 = all.
    private int known(UpstreamConfig config) {
        if (size <= KNOWN_MIN || !Chooser.of(config.method()).measures()) {
            return 0;
        }
        int busy = 0;
        for (int i = 0; i < size && KNOWN_EACH * busy < size; i++) {
            busy += peers[i].busy();
        }
        int count = KNOWN_MIN;
        while (count < KNOWN_EACH * busy) {
            count *= 2;
        }
        return count;
    }

    /// Those of the greatest places, which are drawn for each peer once.
    private void subset(int count) {
        boolean isKnown = leastOf == count && leastSize == size;
        for (int i = 0; i < size; i++) {
            if (peers[i].place == 0) {
                peers[i].place = 1 + random.nextInt(Integer.MAX_VALUE);
                isKnown = false;
            }
        }
        if (!isKnown) {
            int[] places = new int[size];
            Arrays.setAll(places, i -> peers[i].place);
            Arrays.sort(places);
            least = places[size - count];
            leastOf = count;
            leastSize = size;
        }
        keep(peer -> peer.place >= least);
        leastSize = size == count ? leastSize : 0; // some are others by now
    }

    /// Forgets those that are not wanted, unless none would be left.
    private void keep(Predicate<Peer> wanted) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            kept += wanted.test(peers[i]) ? 1 : 0;
        }
        if (kept == 0 || kept == size) {
            return;
        }
        int to = 0;
        for (int i = 0; i < size; i++) {
            if (wanted.test(peers[i])) {
                peers[to++] = peers[i];
            }
        }
        Arrays.fill(peers, to, size, null);
        size = to;
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
