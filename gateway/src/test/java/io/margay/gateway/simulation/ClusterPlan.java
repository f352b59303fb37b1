package io.margay.gateway.simulation;

/// What is simulated. Immutable.
///
/// @param gateways how many
/// @param containers how many
/// @param way how gateways learn of containers
/// @param leaseMillis how long an announcement holds; there are three in that time
/// @param drainDelayMillis how long a container that is told to stop stays open
/// @param lifeMillis how long a call may be under way: after that it has failed for both sides
/// @param readMillis pause between two readings of the engine by a gateway, and between two checks
///   of containers whose lease it cannot read
/// @param driftMax how much faster or slower than it should a clock runs
/// @param requestMillis mean time between two requests at a gateway; 0 = there are none
/// @param patient whether a gateway believes an engine that has come back only once all containers
///   had the time to announce themselves again
record ClusterPlan(
        int gateways,
        int containers,
        Way way,
        long leaseMillis,
        long drainDelayMillis,
        long lifeMillis,
        long readMillis,
        double driftMax,
        long requestMillis,
        boolean patient) {
    /// How gateways learn of containers.
    enum Way {
        /// Each container announces itself to each gateway.
        DIRECT,
        /// Each container keeps one key of an engine, with a time to live, which all gateways read.
        ENGINE
    }

    /// A lease of 10 s, a look each second, calls of 2 s at most, clocks that are wrong by 1 %.
    static ClusterPlan of(Way way, int gateways, int containers) {
        long lease = 10_000;
        ClusterPlan plan =
                new ClusterPlan(
                        gateways, containers, way, lease, 0, 2_000, lease / 10, 0.01, 500, true);
        return plan.withDrainDelay(plan.enoughMillis());
    }

    /// After so long no gateway gives a request to a container that has announced nothing but that
    /// it drains, or nothing at all, whatever is lost or late: an announcement is under way, read
    /// by a gateway if there is an engine, holds for its lease by clocks that may go slow, and so
    /// is a request. The time is that of a clock that goes fast.
    long enoughMillis() {
        int calls = way == Way.DIRECT ? 2 : 3;
        double slowest = (1 - driftMax) * (1 - driftMax) / (1 + driftMax);
        return (long) Math.ceil((leaseMillis / slowest + calls * lifeMillis) * (1 + driftMax));
    }

    long announceMillis() {
        return leaseMillis / 3;
    }

    ClusterPlan withDrainDelay(long millis) {
        return copy(millis, requestMillis, patient);
    }

    ClusterPlan withoutRequests() {
        return copy(drainDelayMillis, 0, patient);
    }

    ClusterPlan impatient() {
        return copy(drainDelayMillis, requestMillis, false);
    }

    private ClusterPlan copy(long drainDelay, long request, boolean patient) {
        return new ClusterPlan(
                gateways,
                containers,
                way,
                leaseMillis,
                drainDelay,
                lifeMillis,
                readMillis,
                driftMax,
                request,
                patient);
    }
}
