package io.margay.app;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.deploy.AppChange;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.ChangeLog;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.site.Site;
import io.margay.app.upgrade.Inheritance;
import java.time.Duration;
import java.util.Set;

/// How a server starts: what it serves is made first, then what the process before knows is taken
/// over; then whoever runs the server, and members that register, can reach it; and when there is
/// somebody to serve requests, all listeners open together. Used by the thread that starts.
record ServerStart(MargayServer server, MargayConfig config, Inheritance inherited) {
    /// @param reachable run before the listeners open, which may take as long as members wait
    void run(DeployProgress progress, Runnable reachable) {
        try {
            server.front.tell(config.seen().telemetry(), server.control::meters);
            deploy(progress);
            boolean told = inherited.restore(server.keeper());
            server.admin.open(config, inherited);
            reachable.run();
            if (!told) {
                server.site().awaitRegistered();
            }
            server.whileRunning(() -> {
                server.listeners().open(config, config.listeners(), inherited);
                server.context.sight().start();
                inherited.closeRest();
                if (!inherited.hasPredecessor()) {
                    server.keeper().start();
                }
            });
        } catch (RuntimeException | Error e) {
            server.stop(Duration.ZERO);
            throw e;
        }
    }

    private void deploy(DeployProgress progress) {
        // Loops and the calls into the system are made ready beside the deployment.
        Thread transports =
                Thread.ofPlatform()
                        .name("margay-transports")
                        .start(() -> server.listeners().prepare(config.listeners()));
        try {
            Site first =
                    Site.build(
                            config,
                            Site.NONE,
                            new AppChange.ToConfiguration(),
                            Set.of(),
                            server.context,
                            progress);
            inherited.follow(first.apps());
            server.front.replace(first);
            server.front.slow().from(config.limits().slow());
            ChangeLog.changed(Site.NONE, first, server::isStopped, ChangeCause.START);
        } finally {
            join(transports);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted", e);
        }
    }
}
