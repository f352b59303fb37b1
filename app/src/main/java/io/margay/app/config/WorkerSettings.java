package io.margay.app.config;

import io.margay.server.dispatch.WorkerLimits;
import java.util.Objects;

/// Where servlets run. Immutable.
///
/// @param limits sizes of the pool; with [Dispatch#VIRTUAL] its queue length bounds the threads
public record WorkerSettings(Dispatch dispatch, WorkerLimits limits) {
    /// The policy.
    public enum Dispatch {
        /// The connection's loop, as long as the servlet is quick; else platform threads.
        INLINE,
        /// Platform threads.
        POOL,
        /// A virtual thread per request.
        VIRTUAL
    }

    public WorkerSettings {
        Objects.requireNonNull(dispatch, "dispatch");
        Objects.requireNonNull(limits, "limits");
    }

    /// A pool of the default size.
    public static WorkerSettings defaults() {
        return new WorkerSettings(Dispatch.POOL, WorkerLimits.defaults());
    }
}
