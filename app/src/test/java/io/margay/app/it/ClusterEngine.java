package io.margay.app.it;

import java.io.IOException;

/// What keeps the sessions of a cluster, as far as it can be made to fail. Used by one thread.
interface ClusterEngine extends AutoCloseable {
    /// The load while it fails.
    interface Meanwhile {
        /// Waits until there has been enough of it.
        void pass() throws InterruptedException;

        /// What comes from now on is not of the fault any more.
        void over();
    }

    /// Whether that can be done to it.
    boolean canSuffer(ClusterFault fault);

    /// Has it fail, and be whole again.
    ///
    /// @param container the number of the one that suffers, where one does
    void suffer(ClusterFault fault, int container, Meanwhile meanwhile)
            throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
