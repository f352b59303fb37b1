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
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// What a configuration serves, without listeners.
public final class TestSite {
    private TestSite() {}

    public static Site of(MargayConfig config) {
        return of(config, Site.NONE);
    }

    /// What follows another site.
    public static Site of(MargayConfig config, Site before) {
        return of(config, before, MemoryBudget.UNBOUNDED);
    }

    /// The same with memory that is counted.
    public static Site of(MargayConfig config, Site before, MemoryBudget memory) {
        Site site =
                Site.build(
                        config,
                        before,
                        new AppChange.ToConfiguration(),
                        Set.of(),
                        new SiteContext(
                                () -> before,
                                new ServerInfo(
                                        "Margay",
                                        Instant.EPOCH,
                                        InstantSource.system(),
                                        List::of,
                                        1),
                                memory,
                                new SharedState(null),
                                new Sight(
                                        SightLimits.defaults(),
                                        System::nanoTime,
                                        InstantSource.system())),
                        DeployProgress.NONE);
        assertEquals(List.of(), site.failures());
        return site;
    }
}
