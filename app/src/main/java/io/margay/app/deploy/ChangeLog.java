package io.margay.app.deploy;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Predicate;

/// Logs each application that begins or ends to be served, on whose account, and how long its
/// deployment took: a line at INFO each. Stateless.
public final class ChangeLog {
    private static final System.Logger LOG = System.getLogger("io.margay.app.Deployment");

    private ChangeLog() {}

    /// Logs what is served otherwise than before.
    ///
    /// @param stopped tells which applications stay configured and are not to run
    public static void changed(
            ServedApps before, ServedApps after, Predicate<AppName> stopped, ChangeCause cause) {
        List<RunningApp> running = after.apps();
        for (RunningApp app : running) {
            if (!before.apps().contains(app)) {
                String conversion = app.deployment().conversion();
                LOG.log(
                        Level.INFO,
                        "{0} {1} in {2} ms, {3}{4}",
                        before.app(app.name()) == null ? "deployed" : "redeployed",
                        app.key(),
                        String.valueOf(app.took().toMillis()),
                        cause,
                        conversion == null ? "" : "; " + conversion);
            }
        }
        for (RunningApp app : before.apps()) {
            if (after.app(app.name()) == null) {
                LOG.log(
                        Level.INFO,
                        "{0} {1}, {2}",
                        stopped.test(app.name()) ? "stopped" : "undeployed",
                        app.key(),
                        cause);
            }
        }
    }
}
