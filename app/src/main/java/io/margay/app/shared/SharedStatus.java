package io.margay.app.shared;

import io.margay.server.shared.SharedReading;

/// What this server shares with others, as those see it who run it. Immutable.
///
/// @param changesPending changes of members by hand that the engine does not have yet
public record SharedStatus(SharedReading reading, int changesPending) {}
