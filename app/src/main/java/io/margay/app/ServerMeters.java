package io.margay.app;

import io.margay.app.admin.LastReload;
import io.margay.app.admin.ManagedServer;
import io.margay.app.admin.ManagedServer.Workers;
import io.margay.app.admin.ProcessReading;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The numbers of a server as a whole, and of everything of which it is asked. Stateless.
final class ServerMeters {
    private static final MeterTable<ManagedServer> SERVER =
            new MeterTable<ManagedServer>("margay_")
                    .gauge(
                            "uptime_seconds",
                            "Time since the start.",
                            one -> one.uptime().toMillis() / 1e3)
                    .gauge("serving", "1 while it serves.", one -> one.isServing() ? 1 : 0)
                    .gauge(
                            "config_last_reload_successful",
                            "Whether the last reload of the configuration is active.",
                            one -> isInForce(one.lastReload()) ? 1 : 0)
                    .gauge(
                            "config_last_reload_timestamp_seconds",
                            "When it was; 0 = there was none.",
                            one -> seconds(one.lastReload()));

    private static final MeterTable<Workers> WORKERS =
            new MeterTable<Workers>("margay_workers_")
                    .gauge("active", "Requests in servlets.", Workers::active)
                    .gauge("queued", "Requests that wait for a thread.", Workers::queued)
                    .gauge("max", "Threads at most.", Workers::max);

    private ServerMeters() {}

    private static boolean isInForce(@Nullable LastReload reload) {
        return reload == null || reload.failure() == null;
    }

    private static double seconds(@Nullable LastReload reload) {
        return reload == null ? 0 : reload.when().toEpochMilli() / 1e3;
    }

    /// The meters of now.
    static List<Meter> of(ManagedServer server, MargayServer within) {
        List<Meter> all = new ArrayList<>(SERVER.of(server));
        all.addAll(WORKERS.of(server.workers()));
        all.add(
                Meter.gauge("margay_build_info", "What runs.", () -> 1)
                        .with("version", server.version())
                        .with("java", Runtime.version().toString()));
        all.addAll(ProcessReading.now().meters());
        server.listeners().forEach(one -> all.addAll(one.meters()));
        server.apps().forEach(one -> all.addAll(one.meters()));
        server.pools().forEach(one -> all.addAll(one.meters()));
        server.sessionEngines().forEach(one -> all.addAll(one.meters()));
        server.registrations().forEach(one -> all.addAll(one.meters()));
        server.certificates().forEach(one -> all.addAll(one.meters()));
        all.addAll(within.front.meters());
        all.addAll(within.memory().meters());
        within.listeners().ownCertificates().forEach(one -> all.addAll(one.meters()));
        within.listeners().staples().forEach(one -> all.addAll(one.meters()));
        all.addAll(within.site().meters());
        within.context.openId().readings().forEach(one -> all.addAll(one.meters()));
        return all;
    }
}
