package io.margay.compat.httpd.plan;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What httpd's files say of the time, size and number of what clients send. Immutable; null where
/// they say nothing.
///
/// @param pause longest pause of a client that sends content or takes a response
/// @param head time for the head of a request
/// @param idle time for the next request on a connection
/// @param bodyGrace time after which content must have a rate
/// @param bodyRate that rate, bytes per second
/// @param requests on one connection
/// @param lineBytes request line, bytes
/// @param fieldBytes one field line, bytes
/// @param fields of a request
@RecordBuilder
public record ClientLimits(
        @Nullable Duration pause,
        @Nullable Duration head,
        @Nullable Duration idle,
        @Nullable Duration bodyGrace,
        @Nullable Integer bodyRate,
        @Nullable Integer requests,
        @Nullable Integer lineBytes,
        @Nullable Integer fieldBytes,
        @Nullable Integer fields) {}
