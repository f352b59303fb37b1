package io.margay.valkey;

import java.time.Duration;

/// Bounds of the calls of an engine. Immutable.
///
/// @param connectTimeout how long a connection may take
/// @param timeout how long an answer may take
/// @param connectionsMax connections at most
public record ValkeyBounds(Duration connectTimeout, Duration timeout, int connectionsMax) {}
