package io.margay.gateway.balance;

/// Requests with the same key go to the same peer while it takes them, whatever becomes of the
/// others ("rendezvous hashing" by weight), so that what peers keep in memory is of use. None gets
/// more than a quarter above its share of the requests in flight: the next in the key's order takes
/// what is above it ("bounded loads", Mirrokni, Thorup and Zadimoghaddam 2018). Requests without a
/// key go to the less busy of two.
enum ByHash implements Chooser {
    INSTANCE;

    private static final double BOUND = 1.25;

    @Override
    public Peer choose(Candidates candidates) {
        long key = candidates.key();
        if (key == 0) {
            return ofTwo(candidates);
        }
        int size = candidates.size();
        double weights = 0;
        long busy = 1; // with the request itself
        for (int i = 0; i < size; i++) {
            weights += candidates.get(i).weight();
            busy += candidates.get(i).busy();
        }
        Peer best = null;
        double bestRank = 0;
        for (int i = 0; i < size; i++) {
            Peer peer = candidates.get(i);
            double share = peer.weight() / weights;
            double rank = rank(key, peer);
            boolean free = peer.busy() < Math.ceil(BOUND * busy * share);
            if (free && (best == null || rank > bestRank)) {
                best = peer;
                bestRank = rank;
            }
        }
        return best == null ? ofTwo(candidates) : best;
    }

    /// Of all peers the first in the key's order has the greatest one.
    private static double rank(long key, Peer peer) {
        long mixed = mix(key ^ mix(peer.config().name().hashCode()));
        double chance = ((mixed >>> 11) + 0.5) / (1L << 53);
        return -peer.weight() / Math.log(chance);
    }

    /// Changes about half of the bits for each bit that is another one (SplitMix64's finalizer).
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
