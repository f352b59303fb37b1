package io.margay.gateway.simulation;

/// What a simulation has counted. Confined to one thread.
final class Traffic {
    /// Announcements that containers have sent.
    long announcements;

    /// Commands that the engine was asked to do, and the keys that it has read for them.
    long commands;

    long keysRead;

    /// Checks of containers by gateways.
    long checks;

    /// Requests, those that found no container, and those that came to one that had been killed.
    long requests;

    long unserved;
    long refused;

    /// Stops in good order that ended.
    long stops;

    void add(Traffic other) {
        announcements += other.announcements;
        commands += other.commands;
        keysRead += other.keysRead;
        checks += other.checks;
        requests += other.requests;
        unserved += other.unserved;
        refused += other.refused;
        stops += other.stops;
    }
}
