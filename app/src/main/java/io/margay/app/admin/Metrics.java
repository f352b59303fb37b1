package io.margay.app.admin;

import io.margay.app.admin.ManagedServer.App;
import io.margay.app.admin.ManagedServer.Listener;
import io.margay.app.register.RegistrationReading;
import io.margay.server.config.ServerStats;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.transport.HandshakeCounts;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The server's counters in the text formats of Prometheus and OpenMetrics. The server counts by
/// itself; the Prometheus client library writes what the counters say when asked. Used by one
/// thread.
final class Metrics {
    private static final double NANOS = 1e9;

    private final MetricSnapshots.Builder snapshots = MetricSnapshots.builder();

    private Metrics() {}

    /// Writes the metrics of now.
    ///
    /// @param accept the request's Accept field
    /// @return the media type of what was written
    static String write(ManagedServer server, @Nullable String accept, OutputStream out)
            throws IOException {
        Metrics metrics = new Metrics();
        metrics.server(server);
        metrics.listeners(server.listeners());
        MetricPoints.meters(server.meters()).forEach(metrics.snapshots::metricSnapshot);
        metrics.apps(server.apps());
        metrics.pools(server.pools());
        metrics.sessionEngines(server.sessionEngines());
        metrics.upstreams(server.upstreams());
        metrics.registrations(server.registrations());
        metrics.certificates(server.certificates());
        LoginMetrics.add(metrics.snapshots, server.openIdLogins());
        metrics.process();
        ExpositionFormatWriter open = OpenMetricsTextFormatWriter.create();
        ExpositionFormatWriter writer =
                open.accepts(accept) ? open : PrometheusTextFormatWriter.create();
        writer.write(out, metrics.snapshots.build());
        return writer.getContentType();
    }

    private void server(ManagedServer server) {
        gauge("margay_uptime_seconds", "Time since the start.", server.uptime().toMillis() / 1e3);
        gauge("margay_serving", "1 while requests are taken.", server.isServing() ? 1 : 0);
        ManagedServer.Workers workers = server.workers();
        gauge("margay_workers_active", "Requests in servlets.", workers.active());
        gauge("margay_workers_queued", "Requests that wait for a thread.", workers.queued());
        gauge("margay_workers_max", "Threads at most.", workers.max());
        gauge(
                "margay_build_info",
                "What runs.",
                List.of(server),
                one -> Labels.of("version", one.version(), "java", Runtime.version().toString()),
                _ -> 1);
        LastReload reload = server.lastReload();
        gauge(
                "margay_config_last_reload_successful",
                "Whether the last reload of the configuration is in force.",
                reload == null || reload.failure() == null ? 1 : 0);
        gauge(
                "margay_config_last_reload_timestamp_seconds",
                "When it was; 0 = there was none.",
                reload == null ? 0 : reload.when().toEpochMilli() / 1e3);
    }

    private void process() {
        ProcessReading now = ProcessReading.now();
        List<ProcessReading> one = List.of(now);
        counter(
                "process_cpu_seconds",
                "CPU time of all threads.",
                one,
                _ -> Labels.EMPTY,
                ProcessReading::cpuSeconds);
        gauge("process_start_time_seconds", "When the process started.", now.startSeconds());
        if (now.filesOpen() >= 0) {
            gauge("process_open_fds", "Open descriptors.", (double) now.filesOpen());
            gauge("process_max_fds", "Descriptors at most.", (double) now.filesMax());
        }
        if (now.resident() >= 0) {
            gauge(
                    "process_resident_memory_bytes",
                    "Memory that the process has.",
                    (double) now.resident());
        }
        GaugeSnapshot.Builder used =
                GaugeSnapshot.builder().name("jvm_memory_used_bytes").help("Memory in use.");
        used.dataPoint(MetricPoints.area("heap", now.heapUsed()));
        used.dataPoint(MetricPoints.area("nonheap", now.nonHeapUsed()));
        snapshots.metricSnapshot(used.build());
        Labels heap = Labels.of("area", "heap");
        gauge("jvm_memory_max_bytes", "Heap at most.", one, _ -> heap, ProcessReading::heapMax);
        gauge("jvm_threads_current", "Platform threads.", now.threads());
        List<ProcessReading.Collector> collectors = now.collectors();
        counter(
                "jvm_gc_collections",
                "Collections of garbage.",
                collectors,
                each -> Labels.of("gc", each.name()),
                ProcessReading.Collector::count);
        counter(
                "jvm_gc_seconds",
                "Time of them.",
                collectors,
                each -> Labels.of("gc", each.name()),
                ProcessReading.Collector::seconds);
    }

    /// A member, with its upstream.
    private record Place(String upstream, UpstreamReading.Member member) {
        Labels labels() {
            return Labels.of("upstream", upstream, "member", member.name());
        }
    }

    private void certificates(List<CertificateReading> certificates) {
        gauge(
                "margay_certificate_expiry_timestamp_seconds",
                "When a certificate expires, since 1970.",
                certificates,
                one -> Labels.of("listener", one.listener(), "file", one.file().toString()),
                one -> one.expires().getEpochSecond());
    }

    private void registrations(List<RegistrationReading> registrations) {
        gauge(
                "margay_registration_up",
                "1 if this server is registered as a member there.",
                registrations,
                one -> Labels.of("upstream", one.upstream(), "name", one.name(), "at", one.at()),
                one -> one.up() ? 1 : 0);
    }

    private void upstreams(List<UpstreamReading> upstreams) {
        List<Place> all = new ArrayList<>();
        for (UpstreamReading upstream : upstreams) {
            upstream.members().forEach(member -> all.add(new Place(upstream.name(), member)));
        }
        gauge(
                "margay_upstream_members_usable",
                "Members that can take a request.",
                upstreams,
                one -> Labels.of("upstream", one.name()),
                one -> one.members().stream().filter(UpstreamReading.Member::usable).count());
        members(all);
    }

    private void members(List<Place> all) {
        gauge(
                "margay_member_usable",
                "1 while it may be given a request.",
                all,
                Place::labels,
                one -> one.member.usable() ? 1 : 0);
        gauge(
                "margay_member_requests_active",
                "Requests that are on it.",
                all,
                Place::labels,
                one -> one.member.active());
        gauge(
                "margay_member_connections_open",
                "Open connections to it.",
                all,
                Place::labels,
                one -> one.member.connections());
        counter(
                "margay_member_requests",
                "Attempts on it.",
                all,
                Place::labels,
                one -> one.member.requests());
        counter(
                "margay_member_errors",
                "Attempts that failed through its fault.",
                all,
                Place::labels,
                one -> one.member.errors());
        counter(
                "margay_member_responses",
                "Its answers by class of status.",
                all.stream()
                        .flatMap(one ->
                                MetricPoints.Statuses.of(one.labels(), one.member.statuses()))
                        .toList(),
                MetricPoints.Statuses::labels,
                MetricPoints.Statuses::count);
        counter(
                "margay_member_sent_bytes",
                "Content sent to it.",
                all,
                Place::labels,
                one -> one.member.bytesSent());
        counter(
                "margay_member_received_bytes",
                "Content received from it.",
                all,
                Place::labels,
                one -> one.member.bytesReceived());
        HistogramSnapshot.Builder builder =
                HistogramSnapshot.builder()
                        .name("margay_member_request_seconds")
                        .help("From choosing a member to the end of its response.");
        for (Place one : all) {
            builder.dataPoint(
                    MetricPoints.histogram(
                            one.member.durations(), one.member.nanos(), one.labels()));
        }
        snapshots.metricSnapshot(builder.build());
    }

    private void listeners(List<Listener> listeners) {
        counter(
                listeners,
                "margay_connections",
                "Accepted connections.",
                ServerStats.Reading::connections);
        gauge(
                listeners,
                "margay_connections_open",
                "Open connections.",
                ServerStats.Reading::connectionsOpen);
        gauge(
                listeners,
                "margay_requests_active",
                "Requests in flight.",
                ServerStats.Reading::requestsActive);
        counter(
                listeners,
                "margay_requests_failed",
                "Requests whose client left, stalled or broke the protocol, or that were given up.",
                ServerStats.Reading::requestsFailed);
        statuses(listeners);
        counter(
                listeners,
                "margay_received_bytes",
                "Bytes of requests.",
                ServerStats.Reading::bytesReceived);
        counter(
                listeners,
                "margay_sent_bytes",
                "Bytes of responses.",
                ServerStats.Reading::bytesSent);
        durations(listeners);
        refusals(listeners);
        handshakes(listeners.stream().filter(one -> one.handshakes() != null).toList());
    }

    private void refusals(List<Listener> listeners) {
        counter(
                "margay_connections_over_address_limit",
                "Connections that were reset, since their address had as many as it may.",
                listeners,
                Metrics::of,
                one -> one.refusals().overAddress());
        counter(
                "margay_connections_without_proxy_header",
                "Connections that were reset for want of a PROXY header that is believed.",
                listeners,
                Metrics::of,
                one -> one.refusals().withoutHeader());
    }

    /// @param listeners those with TLS
    private void handshakes(List<Listener> listeners) {
        counter(
                "margay_tls_handshakes",
                "TLS handshakes that ended well.",
                listeners,
                Metrics::of,
                one -> of(one.handshakes()).done());
        counter(
                "margay_tls_handshakes_failed",
                "TLS handshakes that did not.",
                listeners,
                Metrics::of,
                one -> of(one.handshakes()).failed());
        counter(
                "margay_tls_handshake_seconds",
                "Time of those that ended well.",
                listeners,
                Metrics::of,
                one -> of(one.handshakes()).nanos() / NANOS);
    }

    private static HandshakeCounts of(@Nullable HandshakeCounts counts) {
        return Objects.requireNonNull(counts, "a listener with TLS");
    }

    private void statuses(List<Listener> listeners) {
        CounterSnapshot.Builder builder =
                CounterSnapshot.builder()
                        .name("margay_requests")
                        .help("Ended requests by class of status.");
        for (Listener listener : listeners) {
            ServerStats.Reading reading = listener.reading();
            long[] counts = {
                reading.informational(),
                reading.successful(),
                reading.redirects(),
                reading.clientErrors(),
                reading.serverErrors()
            };
            for (int i = 0; i < counts.length; i++) {
                Labels labels = Labels.of("listener", listener.name(), "status", (i + 1) + "xx");
                builder.dataPoint(
                        CounterDataPointSnapshot.builder()
                                .labels(labels)
                                .value((double) counts[i])
                                .build());
            }
        }
        snapshots.metricSnapshot(builder.build());
    }

    private void durations(List<Listener> listeners) {
        HistogramSnapshot.Builder builder =
                HistogramSnapshot.builder()
                        .name("margay_request_seconds")
                        .help("From complete heads to ends of responses.");
        for (Listener listener : listeners) {
            ServerStats.Reading reading = listener.reading();
            builder.dataPoint(
                    MetricPoints.histogram(reading.durations(), reading.nanos(), of(listener)));
        }
        snapshots.metricSnapshot(builder.build());
    }

    private void apps(List<App> apps) {
        apps(
                "running",
                "1 while it runs.",
                apps,
                app -> app.state() == ManagedServer.State.RUNNING ? 1 : 0);
        apps("sessions", "Live sessions.", apps, App::sessions);
        counter(
                "margay_application_sessions_restored",
                "Sessions restored that the process before had kept.",
                apps,
                Metrics::of,
                app -> app.totals().restored());
        counter(
                "margay_application_sessions_lost",
                "Sessions lost on the way from one process to the next.",
                apps,
                Metrics::of,
                app -> app.totals().lost());
        counter("margay_application_requests", "Requests begun.", apps, Metrics::of, App::requests);
        apps("requests_active", "Requests in flight.", apps, App::requestsRunning);
        apps(
                "requests_stuck",
                "Requests that have taken longer than StuckThreadDetectionValve allows.",
                apps.stream().filter(app -> app.requestsStuck() >= 0).toList(),
                App::requestsStuck);
        counter("margay_application_errors", "Responses with 5xx.", apps, Metrics::of, App::errors);
    }

    private void apps(String name, String help, List<App> apps, ToDoubleFunction<App> value) {
        gauge("margay_application_" + name, help, apps, Metrics::of, value);
    }

    private void pools(List<ManagedServer.Pool> pools) {
        pools("connections_active", "Connections in use.", pools, PoolReading::active);
        pools("connections_idle", "Connections that wait to be used.", pools, PoolReading::idle);
        pools("connections_max", "Connections at most.", pools, PoolReading::max);
        pools("threads_waiting", "Threads that wait for one.", pools, PoolReading::waiting);
        counter(
                "margay_datasource_acquired",
                "Connections given out.",
                pools,
                Metrics::of,
                one -> one.reading().given());
        counter(
                "margay_datasource_timeouts",
                "How often no connection was had in time.",
                pools,
                Metrics::of,
                one -> one.reading().timeouts());
        counter(
                "margay_datasource_wait_seconds",
                "How long those who got one waited.",
                pools,
                Metrics::of,
                one -> one.reading().waitedNanos() / NANOS);
    }

    private void pools(
            String name,
            String help,
            List<ManagedServer.Pool> pools,
            ToLongFunction<PoolReading> value) {
        gauge(
                "margay_datasource_" + name,
                help,
                pools,
                Metrics::of,
                one -> value.applyAsLong(one.reading()));
    }

    private void sessionEngines(List<EngineReading> engines) {
        if (engines.isEmpty()) {
            return;
        }
        String name = "margay_session_store_";
        Function<EngineReading, Labels> of = one -> Labels.of("store", one.store());
        gauge(
                name + "up",
                "1 while it answers and takes writes.",
                engines,
                of,
                one -> one.reachable() ? 1 : 0);
        gauge(
                name + "full",
                "1 while it answers and has no room for writes.",
                engines,
                of,
                one -> one.state() == EngineReading.State.FULL ? 1 : 0);
        gauge(
                name + "pending_sessions",
                "Sessions that are to be written.",
                engines,
                of,
                EngineReading::pending);
        counter(name + "calls", "Calls.", engines, of, EngineReading::calls);
        counter(name + "failures", "Calls that failed.", engines, of, EngineReading::failures);
        counter(
                name + "refused",
                "Calls that were not made, for it did not answer before.",
                engines,
                of,
                EngineReading::refused);
        counter(
                name + "aways",
                "How often it stopped answering, or was full.",
                engines,
                of,
                EngineReading::aways);
        counter(
                name + "late_changes",
                "Changes of attributes that were left out, for newer ones of other servers.",
                engines,
                of,
                EngineReading::late);
        counter(
                name + "call_seconds",
                "How long calls took.",
                engines,
                of,
                one -> one.nanos() / NANOS);
    }

    private static Labels of(ManagedServer.Pool pool) {
        AppRef app = pool.app();
        String name = pool.reading().name();
        return app == null
                ? Labels.of("datasource", name)
                : Labels.of(
                        "datasource",
                        name,
                        "host",
                        app.host(),
                        "path",
                        app.shownPath(),
                        "version",
                        app.version());
    }

    private static Labels of(Listener listener) {
        return Labels.of("listener", listener.name());
    }

    private static Labels of(App app) {
        String path = app.path().isEmpty() ? "/" : app.path();
        return Labels.of("host", app.host(), "path", path, "version", app.version());
    }

    private void counter(
            List<Listener> listeners,
            String name,
            String help,
            ToLongFunction<ServerStats.Reading> value) {
        counter(name, help, listeners, Metrics::of, one -> value.applyAsLong(one.reading()));
    }

    private void gauge(
            List<Listener> listeners,
            String name,
            String help,
            ToLongFunction<ServerStats.Reading> value) {
        gauge(name, help, listeners, Metrics::of, one -> value.applyAsLong(one.reading()));
    }

    private void gauge(String name, String help, double value) {
        gauge(name, help, List.of(value), _ -> Labels.EMPTY, Double::doubleValue);
    }

    /// @param name without the `_total` that is written behind it
    private <T> void counter(
            String name,
            String help,
            List<T> items,
            Function<T, Labels> labels,
            ToDoubleFunction<T> value) {
        snapshots.metricSnapshot(MetricPoints.counter(name, help, items, labels, value));
    }

    private <T> void gauge(
            String name,
            String help,
            List<T> items,
            Function<T, Labels> labels,
            ToDoubleFunction<T> value) {
        snapshots.metricSnapshot(MetricPoints.gauge(name, help, items, labels, value));
    }
}
