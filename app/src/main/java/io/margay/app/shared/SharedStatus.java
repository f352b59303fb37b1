package io.margay.app.shared;

import io.margay.server.shared.SharedReading;

/// What this server shares with others, as those see it who run it. Immutable.
///
/// @param changesPending changes of members by hand that the engine does not have yet
/// @param settled counts of limits that the engine was told of
/// @param unsettled those that it was not told of
public record SharedStatus(
        SharedReading reading, int changesPending, long settled, long unsettled) {}
