package io.margay.app.it;

import io.margay.testkit.fault.FaultyLink;
import org.jspecify.annotations.Nullable;

/// What is done to a cluster under load.
enum ClusterFault {
    NOTHING("nothing"),
    SOURCE("source of members killed (SIGKILL)"),
    LEAVE("container taken from the source of members, and named again"),
    SOURCE_DELAY(
            "network between the gateways and the source of members delays by 50 ms",
            FaultyLink.Fault.DELAY),
    SOURCE_LOSS(
            "network between the gateways and the source of members loses one packet of ten",
            FaultyLink.Fault.LOSS),
    SOURCE_ONE_WAY(
            "network from the source of members to the gateways loses all",
            FaultyLink.Fault.ONE_WAY),
    SHARED_DELAY(
            "network between a gateway and what gateways share delays by 50 ms",
            FaultyLink.Fault.DELAY),
    SHARED_LOSS(
            "network between a gateway and what gateways share loses one packet of ten",
            FaultyLink.Fault.LOSS),
    SHARED_ONE_WAY(
            "network from what gateways share to a gateway loses all", FaultyLink.Fault.ONE_WAY),
    RESTART("container restarted (SIGTERM)"),
    KILL("container killed (SIGKILL)"),
    HANG("container hung (SIGSTOP)"),
    PAUSE("container pauses for 2 to 6 s (SIGSTOP)"),
    STALL("network to a container stalls", FaultyLink.Fault.STALL),
    DROP("network to a container loses all", FaultyLink.Fault.DROP),
    HALF_OPEN("connections to a container half open", FaultyLink.Fault.HALF_OPEN),
    RESET("connections to a container reset", FaultyLink.Fault.RESET),
    DELAY("network to a container delays by 50 ms", FaultyLink.Fault.DELAY),
    LOSS("network to a container loses one packet of ten", FaultyLink.Fault.LOSS),
    ONE_WAY("network from a container loses all", FaultyLink.Fault.ONE_WAY),
    FAILOVER("primary of the engine killed, its replica takes over"),
    ENGINE("engine of sessions killed as a whole, back without data"),
    ENGINE_CUT_OFF("network between a container and the engine loses all"),
    PRIMARY_CUT_OFF("network between all containers and a primary of the engine stalls"),
    ENGINE_DELAY("network between all containers and the engine delays by 50 ms"),
    ENGINE_LOSS("network between all containers and the engine loses one packet of ten"),
    ENGINE_ONE_WAY("network from the engine to a container loses all");

    private final String words;
    private final FaultyLink.@Nullable Fault link;

    ClusterFault(String words) {
        this(words, null);
    }

    ClusterFault(String words, FaultyLink.@Nullable Fault link) {
        this.words = words;
        this.link = link;
    }

    String words() {
        return words;
    }

    /// What the network does, if it is that.
    FaultyLink.@Nullable Fault link() {
        return link;
    }

    /// Whether it is the engine, or the network to it, that fails.
    boolean isOfTheEngine() {
        return switch (this) {
            case FAILOVER,
                    ENGINE,
                    ENGINE_CUT_OFF,
                    PRIMARY_CUT_OFF,
                    ENGINE_DELAY,
                    ENGINE_LOSS,
                    ENGINE_ONE_WAY ->
                    true;
            default -> false;
        };
    }

    /// Whether it is about where gateways learn of containers.
    boolean isOfTheSource() {
        return switch (this) {
            case SOURCE, LEAVE, SOURCE_DELAY, SOURCE_LOSS, SOURCE_ONE_WAY -> true;
            default -> false;
        };
    }

    /// Whether it is about what gateways know of each other, which goes through a store.
    boolean isOfTheGroup() {
        return this == SHARED_DELAY || this == SHARED_LOSS || this == SHARED_ONE_WAY;
    }

    /// Whether it is one of a soak of its own, [SessionPausesSoak].
    boolean isApart() {
        return this == PAUSE;
    }

    /// Whether what the engine had may be lost.
    boolean mayLose() {
        return this == FAILOVER || this == ENGINE;
    }

    /// Whether it can last.
    boolean canBeHeld() {
        return switch (this) {
            case HANG,
                    STALL,
                    DROP,
                    HALF_OPEN,
                    RESET,
                    DELAY,
                    LOSS,
                    ONE_WAY,
                    SOURCE_DELAY,
                    SOURCE_LOSS,
                    SOURCE_ONE_WAY,
                    SHARED_DELAY,
                    SHARED_LOSS,
                    SHARED_ONE_WAY,
                    ENGINE_CUT_OFF,
                    PRIMARY_CUT_OFF,
                    ENGINE_DELAY,
                    ENGINE_LOSS,
                    ENGINE_ONE_WAY ->
                    true;
            default -> false;
        };
    }
}
