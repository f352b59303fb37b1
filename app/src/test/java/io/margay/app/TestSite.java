package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.AppChange;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.deploy.SiteContext;
import io.margay.app.shared.SharedState;
import io.margay.app.site.Site;
import io.margay.gateway.status.ServerInfo;
import io.margay.server.exchange.MemoryBudget;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// What a configuration serves, without listeners.
final class TestSite {
    private TestSite() {}

    static Site of(MargayConfig config) {
        Site site =
                Site.build(
                        config,
                        Site.NONE,
                        new AppChange.ToConfiguration(),
                        Set.of(),
                        new SiteContext(
                                () -> Site.NONE,
                                new ServerInfo(
                                        "Margay",
                                        Instant.EPOCH,
                                        InstantSource.system(),
                                        List::of,
                                        1),
                                MemoryBudget.UNBOUNDED,
                                new SharedState(null)),
                        DeployProgress.NONE);
        assertEquals(List.of(), site.failures());
        return site;
    }
}
