package io.margay.servlet.session.engine;

/// What a change of an attribute comes from: what was known of the session when it was made, and
/// when its request began. Immutable.
///
/// @param version of the session that was known
/// @param begunMillis when the request began, or a later one that it has read the change of; in
///   milliseconds since the epoch, by the clock of its server
public record ChangeOrigin(long version, long begunMillis) {
    /// Whether another server has changed the attribute without its knowledge, by a request that
    /// began no sooner. Of two requests that know nothing of each other the one that began last
    /// counts as the later one, whichever is saved first.
    public boolean isBefore(ChangeMark other) {
        return version < other.version() && begunMillis <= other.begunMillis();
    }

    /// That of two changes of one attribute, of which the later one holds.
    public ChangeOrigin with(ChangeOrigin other) {
        return new ChangeOrigin(
                Math.max(version, other.version), Math.max(begunMillis, other.begunMillis));
    }
}
