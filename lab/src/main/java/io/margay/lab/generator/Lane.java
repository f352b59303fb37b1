package io.margay.lab.generator;

import io.margay.lab.wire.BodyCheck;
import io.margay.lab.wire.Target;
import org.jspecify.annotations.Nullable;

/// What carries one request at a time: a connection, or one of the streams of a connection.
/// Confined to the loop.
sealed interface Lane permits ClientConnection, StreamLane {
    /// Sends a request, over a new connection if there is none.
    ///
    /// @param start the moment that its latency counts from
    void request(Target target, long start);

    /// What compares the content of its answers.
    BodyCheck check();

    /// Keeps an object of the pattern's.
    void attach(Object object);

    /// That object.
    @Nullable Object attached();
}
