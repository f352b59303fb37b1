package io.margay.transport;

/// The connections of a listener that were reset at once, since it was opened. Immutable.
///
/// @param overAddress those of addresses that had as many as they may
/// @param withoutHeader those without a header of the PROXY protocol that is believed
public record RefusalCounts(long overAddress, long withoutHeader) {}
