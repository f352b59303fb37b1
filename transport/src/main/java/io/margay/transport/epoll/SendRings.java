package io.margay.transport.epoll;

import io.margay.transport.libc.IoUring;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Makes the [SendRing] of each loop of a transport, until one cannot be made: then there are no
/// others. Thread-safe.
final class SendRings {
    /// The system property that forbids them when it is `false`.
    static final String SWITCH = "io.margay.transport.send-ring";

    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final IoUring calls;
    private volatile boolean possible;

    /// @param allowed whether any may be made
    SendRings(IoUring calls, boolean allowed) {
        this.calls = calls;
        possible = allowed;
    }

    /// What the system property says.
    static boolean allowed() {
        return !"false".equals(System.getProperty(SWITCH));
    }

    /// @return null when there can be none
    @Nullable SendRing open() {
        if (!possible) {
            return null;
        }
        try {
            return SendRing.open(calls);
        } catch (IOException | RuntimeException | LinkageError e) {
            possible = false;
            LOG.log(Level.DEBUG, "sends of a round go one by one: there is no io_uring", e);
            return null;
        }
    }
}
