package io.margay.app.config;

import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.InlineDispatcher;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;

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

    /// What runs them.
    public Dispatcher dispatcher() {
        return switch (dispatch) {
            case INLINE -> new InlineDispatcher(new WorkerPool(limits));
            case POOL -> new WorkerPool(limits);
            case VIRTUAL -> new VirtualDispatcher(limits.queuedMax());
        };
    }

    /// Loops, and a pool of the default size for what is not quick.
    public static WorkerSettings defaults() {
        return new WorkerSettings(Dispatch.INLINE, WorkerLimits.defaults());
    }
}
