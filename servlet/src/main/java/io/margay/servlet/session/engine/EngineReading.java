package io.margay.servlet.session.engine;

/// What has become of the calls of the engine that keeps sessions. Immutable.
///
/// @param store the word of the configuration
/// @param state whether it is asked, and for what; if not, it is tried only now and then
/// @param failure why it counts as away or full; empty = it does not
/// @param calls that were made
/// @param failures how many of them failed
/// @param refused calls that were not made, for it was away
/// @param aways how often it has been away
/// @param nanos how long the calls took, together
/// @param late changes of attributes that were left out, for newer ones of other servers
/// @param pending sessions here that are to be written
public record EngineReading(
        String store,
        State state,
        String failure,
        long calls,
        long failures,
        long refused,
        long aways,
        long nanos,
        long late,
        int pending) {
    /// Whether an engine does what it is asked.
    public enum State {
        /// It finds and saves.
        THERE,

        /// It finds, and has no room for what is saved.
        FULL,

        /// It does not answer, or refuses everything.
        AWAY
    }

    /// Whether it finds and saves.
    public boolean reachable() {
        return state == State.THERE;
    }
}
