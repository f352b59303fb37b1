package io.margay.app;

import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.plan.GatewayPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Servers that do what configuration files of others amount to. Stateless.
public final class PlanServer {
    private PlanServer() {}

    /// Starts one that ends at once when it is closed.
    ///
    /// @param work its working folder
    public static MargayServer start(GatewayPlan plan, Path work) {
        return MargayServer.start(
                GatewayConfig.of(plan, List.of()).withWork(work).withDrain(Duration.ZERO),
                DeployProgress.NONE);
    }
}
