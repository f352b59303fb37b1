package io.margay.servlet.session.engine;

/// What has become of the calls of the engine that keeps sessions. Immutable.
///
/// @param store the word of the configuration
/// @param reachable false = it counts as away, and only now and then it is tried
/// @param failure why it counts as away; empty = it does not
/// @param calls that were made
/// @param failures how many of them failed
/// @param refused calls that were not made, for it was away
/// @param aways how often it has been away
/// @param nanos how long the calls took, together
/// @param pending sessions here that are to be written
public record EngineReading(
        String store,
        boolean reachable,
        String failure,
        long calls,
        long failures,
        long refused,
        long aways,
        long nanos,
        int pending) {}
