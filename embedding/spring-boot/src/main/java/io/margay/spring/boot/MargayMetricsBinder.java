package io.margay.spring.boot;

import io.margay.embed.Activity.Sessions;
import io.margay.embed.Activity.Traffic;
import io.margay.embed.Activity.Workers;
import io.margay.embed.EmbeddedServer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/// Shows the server's counters as meters, named as those of Tomcat are, but for the first word;
/// that is Tomcat's, too, if asked for. Used by the thread that starts and the one that ends the
/// application.
public final class MargayMetricsBinder
        implements ApplicationListener<ApplicationStartedEvent>, DisposableBean {
    private final MeterRegistry registry;
    private final String prefix;
    private final boolean likeTomcat;
    private final List<Meter> meters = new ArrayList<>();

    /// Registries keep what they measure by weak references.
    private @Nullable EmbeddedServer server;

    /// As Tomcat names a connector in the tag `name`; empty where Tomcat's meters have no tag.
    private Tags connector = Tags.empty();

    /// Binds to a registry.
    ///
    /// @param likeTomcat whether meters have the names of Tomcat's and the tag of its connectors
    public MargayMetricsBinder(MeterRegistry registry, boolean likeTomcat) {
        this.registry = registry;
        this.likeTomcat = likeTomcat;
        prefix = likeTomcat ? "tomcat." : "margay.";
    }

    @Override
    public void onApplicationEvent(ApplicationStartedEvent event) {
        if (server == null
                && event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() instanceof MargayWebServer margay) {
            server = margay.server();
            addSessions(server);
            if (likeTomcat) {
                connector = Tags.of("name", "http-nio-" + margay.getPort());
            }
            addTraffic(server);
            addWorkers(server);
        }
    }

    private void addTraffic(EmbeddedServer of) {
        gauge(of, "connections.current", one -> traffic(one).connectionsOpen());
        gauge(of, "connections.config.max", EmbeddedServer::connectionsMax);
        counter(of, "connections.accepted", null, one -> traffic(one).connections());
        gauge(of, "requests.active", one -> traffic(one).requestsActive());
        counter(of, "global.sent", "bytes", one -> traffic(one).bytesSent());
        counter(of, "global.received", "bytes", one -> traffic(one).bytesReceived());
        counter(
                of,
                "global.error",
                null,
                one -> traffic(one).clientErrors() + traffic(one).serverErrors());
        counter(of, "global.failed", null, one -> traffic(one).requestsFailed());
        counter(of, "tls.handshakes", null, one -> traffic(one).handshakes());
        counter(of, "tls.handshakes.failed", null, one -> traffic(one).handshakesFailed());
        meters.add(
                FunctionTimer.builder(
                                prefix + "global.request",
                                of,
                                one -> traffic(one).requests(),
                                one -> traffic(one).nanos(),
                                TimeUnit.NANOSECONDS)
                        .tags(connector)
                        .register(registry));
        meters.add(
                TimeGauge.builder(
                                prefix + "global.request.max",
                                of,
                                TimeUnit.NANOSECONDS,
                                one -> traffic(one).nanosLongest())
                        .tags(connector)
                        .register(registry));
    }

    private void addWorkers(EmbeddedServer of) {
        gauge(of, "threads.busy", one -> workers(one).busy());
        gauge(of, "threads.current", one -> workers(one).threads());
        gauge(of, "threads.queued", one -> workers(one).queued());
        gauge(of, "threads.config.max", one -> workers(one).max());
    }

    private void addSessions(EmbeddedServer of) {
        gauge(of, "sessions.active.current", one -> sessions(one).active());
        counter(of, "sessions.created", null, one -> sessions(one).created());
        counter(of, "sessions.expired", null, one -> sessions(one).expired());
        counter(of, "sessions.rejected", null, one -> sessions(one).refused());
    }

    private static Traffic traffic(EmbeddedServer of) {
        return of.activity().traffic();
    }

    private static Workers workers(EmbeddedServer of) {
        return of.activity().workers();
    }

    private static Sessions sessions(EmbeddedServer of) {
        return of.activity().sessions();
    }

    private void gauge(EmbeddedServer of, String name, ToDoubleFunction<EmbeddedServer> value) {
        meters.add(Gauge.builder(prefix + name, of, value).tags(connector).register(registry));
    }

    private void counter(
            EmbeddedServer of,
            String name,
            @Nullable String unit,
            ToDoubleFunction<EmbeddedServer> value) {
        meters.add(
                FunctionCounter.builder(prefix + name, of, value)
                        .tags(connector)
                        .baseUnit(unit)
                        .register(registry));
    }

    @Override
    public void destroy() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
