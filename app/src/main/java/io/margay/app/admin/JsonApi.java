package io.margay.app.admin;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.app.admin.AdminException.Kind;
import io.margay.app.admin.ProcessReading.Collector;
import io.margay.app.console.ClusterView;
import io.margay.app.console.ConfigControl;
import io.margay.app.console.ConfigView;
import io.margay.app.console.Flame;
import io.margay.app.console.HostMap;
import io.margay.app.console.LiveEvents;
import io.margay.app.console.LogTail;
import io.margay.app.shared.SharedStatus;
import io.margay.gateway.cache.CachePurge;
import io.margay.gateway.discovery.DiscoveryReading;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.status.SharedChanges;
import io.margay.server.config.ServerStats;
import io.margay.server.meter.Meter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/// The JSON API below `/api`, as `openapi.json` describes it. Stateless but for the server.
final class JsonApi {
    private static final System.Logger LOG = System.getLogger(JsonApi.class.getName());

    private static final int PROFILE_SECONDS_MAX = 60;

    private final ManagedServer server;
    private final Flame flame = new Flame();
    private final LiveEvents events;

    /// What is read as a whole: by its path, and by its name in the events.
    private final Map<String, Supplier<Object>> parts;

    JsonApi(ManagedServer server, LogTail log) {
        this.server = server;
        parts = parts(server);
        Map<String, Supplier<LiveEvents.Part>> live = new HashMap<>();
        parts.forEach((name, part) ->
                live.put(name, LiveEvents.whole(() -> JSON.std.asString(part.get()))));
        live.put("log-lines", () -> lines(log));
        events = new LiveEvents(live);
    }

    private Map<String, Supplier<Object>> parts(ManagedServer of) {
        Map<String, Supplier<Object>> all = new HashMap<>();
        all.put("server", this::serverInfo);
        all.put("listeners", this::listeners);
        all.put("applications", () -> of.apps().stream().map(this::app).toList());
        all.put("hosts", () -> of.traffic().stream().map(JsonApi::host).toList());
        all.put("map", () -> of.map().stream().map(JsonApi::map).toList());
        all.put("upstreams", () -> of.upstreams().stream().map(JsonApi::upstream).toList());
        all.put("system", this::system);
        all.put("cluster", this::cluster);
        all.put("attention", () -> Attention.of(of).stream().map(JsonApi::attention).toList());
        all.put("threads", VmReport::stacks);
        all.put("meters", () -> of.meters().stream().map(JsonApi::meter).toList());
        return Map.copyOf(all);
    }

    private Object cluster() {
        Map<String, List<Registrar.Entry>> registered = new TreeMap<>();
        for (UpstreamReading upstream : server.upstreams()) {
            Registrar registrar = server.registrar(upstream.name());
            if (registrar != null) {
                registered.put(upstream.name(), registrar.registered());
            }
        }
        return ClusterView.of(
                server.shared(), registered, server.registrations(), server.sessionEngines());
    }

    /// The lines of the log that a client has not been told.
    private static LiveEvents.Part lines(LogTail log) {
        long[] last = {0};
        return () -> {
            List<LogTail.Line> lines = log.after(last[0]);
            if (lines.isEmpty()) {
                return null;
            }
            last[0] = lines.getLast().number();
            return JSON.std.asString(lines.stream().map(JsonApi::line).toList());
        };
    }

    private static Map<String, Object> line(LogTail.Line line) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("number", line.number());
        one.put("time", line.time().toString());
        one.put("level", line.level());
        one.put("logger", line.logger());
        one.put("message", line.message());
        return one;
    }

    private static Map<String, Object> attention(Attention of) {
        return Map.of(
                "level", of.level().name().toLowerCase(Locale.ROOT),
                "subject", of.subject(),
                "text", of.text(),
                "page", of.page());
    }

    private static Map<String, Object> map(HostMap host) {
        return Map.of(
                "name", host.name(),
                "stages", host.stages(),
                "targets",
                        host.targets().stream()
                                .map(one ->
                                        Map.of(
                                                "path",
                                                one.path(),
                                                "kind",
                                                one.kind(),
                                                "to",
                                                one.to()))
                                .toList());
    }

    /// Answers a request.
    ///
    /// @param request whose path is what follows `/api`
    /// @param by who asks
    void handle(AdminRequest request, Operator by) throws IOException {
        try {
            route(request, by);
        } catch (AdminException e) {
            request.json(status(e.kind()), Map.of("error", String.valueOf(e.getMessage())));
        }
    }

    private static int status(Kind kind) {
        return switch (kind) {
            case INVALID -> 400;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case FAILED -> 422;
        };
    }

    private void route(AdminRequest request, Operator by) throws IOException, AdminException {
        Supplier<Object> part =
                request.method().equals("GET") ? parts.get(request.path().substring(1)) : null;
        if (part != null) {
            request.json(200, part.get());
            return;
        }
        if (!watched(request, by)) {
            changed(request, by);
        }
    }

    /// Answers what is asked about the server as a whole.
    ///
    /// @return false = this is something else
    private boolean watched(AdminRequest request, Operator by) throws IOException, AdminException {
        switch (request.method() + " " + request.path()) {
            case "GET /events" -> events(request);
            case "POST /profile" -> profile(request);
            case "GET /configuration" -> {
                String find = request.parameters().getOrDefault("find", "");
                boolean all = request.flag("all");
                request.json(200, ConfigView.of(configuration(), find, all));
            }
            case "POST /configuration/check" -> {
                ConfigControl control = configuration();
                request.json(200, Map.of("name", control.name(), "problems", control.check()));
            }
            case "POST /configuration/reload" -> {
                String wrong = configuration().reload(by.toString());
                if (wrong != null) {
                    throw new AdminException(Kind.FAILED, wrong);
                }
                done(request);
            }
            case "GET /hour" -> request.json(200, new SightApi(server).hour(request));
            case "GET /hour/members" -> request.json(200, new SightApi(server).members());
            case "GET /requests" -> request.json(200, new SightApi(server).requests(request));
            default -> {
                return false;
            }
        }
        return true;
    }

    /// Answers what is asked of an application, a member or the log.
    private void changed(AdminRequest request, Operator by) throws IOException, AdminException {
        switch (request.method() + " " + request.path()) {
            case "GET /applications/sessions" -> request.json(200, sessions(request.app()));
            case "DELETE /applications/sessions" -> {
                String key = request.parameters().getOrDefault("key", "");
                server.endSession(request.app(), key, by);
                done(request);
            }
            case "PUT /applications" -> deploy(request, by);
            case "DELETE /applications" -> {
                server.undeploy(request.app(), by);
                done(request);
            }
            case "POST /applications/reload" -> {
                server.reload(request.app(), by);
                done(request);
            }
            case "POST /applications/start" -> {
                server.start(request.app(), by);
                done(request);
            }
            case "POST /applications/stop" -> {
                server.stop(request.app(), by);
                done(request);
            }
            case "GET /upstreams/members" -> request.json(200, member(request));
            case "PUT /upstreams/members" -> {
                server.changeMember(
                        request.parameters().getOrDefault("upstream", ""),
                        request.parameters().getOrDefault("member", ""),
                        MemberChange.of(request.parameters()),
                        by);
                request.json(200, member(request));
            }
            case "DELETE /cache" -> request.json(200, Map.of("removed", purged(request, by)));
            case "GET /log" -> request.json(200, log());
            case "PUT /log" -> {
                String logger = request.parameters().getOrDefault("logger", "");
                String level = request.parameters().getOrDefault("level", "");
                LogLevels.set(logger, level);
                LOG.log(
                        Level.INFO,
                        "log level of {0}: {1}, {2}",
                        logger.isEmpty() ? "all" : AdminRequest.printable(logger),
                        level,
                        by);
                request.json(200, log());
            }
            case "POST /leaks" -> request.json(200, leaks());
            default -> request.json(404, Map.of("error", "there is no such operation"));
        }
    }

    private void events(AdminRequest request) throws IOException, AdminException {
        int refused =
                events.serve(request.exchange(), request.parameters().getOrDefault("parts", ""));
        switch (refused) {
            case 400 -> throw new AdminException(Kind.INVALID, "there is no such part");
            case 503 -> request.json(503, Map.of("error", "too many clients follow the events"));
            default -> {}
        }
    }

    private ConfigControl configuration() throws AdminException {
        ConfigControl control = server.configuration();
        if (control == null) {
            throw new AdminException(Kind.CONFLICT, "there is no configuration file to read again");
        }
        return control;
    }

    private void profile(AdminRequest request) throws IOException, AdminException {
        String seconds = request.parameters().getOrDefault("seconds", "");
        if (!seconds.matches("[0-9]{1,2}")
                || Integer.parseInt(seconds) < 1
                || Integer.parseInt(seconds) > PROFILE_SECONDS_MAX) {
            throw new AdminException(
                    Kind.INVALID, "seconds is a whole number from 1 to " + PROFILE_SECONDS_MAX);
        }
        Map<String, Object> tree = flame.record(Duration.ofSeconds(Integer.parseInt(seconds)));
        if (tree.isEmpty()) {
            throw new AdminException(Kind.CONFLICT, "another recording is in progress");
        }
        request.json(200, tree);
    }

    private int purged(AdminRequest request, Operator by) throws AdminException {
        List<String> words = new ArrayList<>();
        request.parameters()
                .forEach((name, value) -> {
                    words.add(name);
                    words.add(value);
                });
        try {
            return server.purge(CachePurge.of(words), by);
        } catch (IllegalArgumentException e) {
            throw new AdminException(Kind.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private static void done(AdminRequest request) throws IOException {
        request.json(200, Map.of("done", true));
    }

    private void deploy(AdminRequest request, Operator by) throws IOException, AdminException {
        AppRef app = request.app();
        Path received =
                server.receivingFolder(app.host()).resolve(".received-" + UUID.randomUUID());
        request.receive(received);
        server.deploy(app, received, request.flag("update"), by);
        done(request);
    }

    private Map<String, Object> serverInfo() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", server.version());
        info.put("java", Runtime.version().toString());
        info.put("uptimeSeconds", server.uptime().toSeconds());
        info.put("serving", server.isServing());
        info.put("failures", server.failures());
        return info;
    }

    private static Map<String, Object> meter(Meter meter) {
        Map<String, Object> one = new LinkedHashMap<>();
        Map<String, String> labels = new LinkedHashMap<>();
        meter.labels().forEach(label -> labels.put(label.name(), label.value()));
        one.put("name", meter.name());
        one.put("kind", meter.kind().name().toLowerCase(Locale.ROOT));
        one.put("labels", labels);
        one.put("value", meter.read().getAsDouble());
        if (meter.kind() == Meter.Kind.DISTRIBUTION) {
            one.put("sum", meter.spread().get().sum());
        }
        return one;
    }

    private List<Map<String, Object>> listeners() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ManagedServer.Listener listener : server.listeners()) {
            ServerStats.Reading reading = listener.reading();
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", listener.name());
            one.put("connections", reading.connections());
            one.put("connectionsOpen", reading.connectionsOpen());
            one.put("requests", reading.requests());
            one.put("protocols", reading.protocols());
            one.put("requestsActive", reading.requestsActive());
            one.put("requestsFailed", reading.requestsFailed());
            one.put("successful", reading.successful());
            one.put("redirects", reading.redirects());
            one.put("clientErrors", reading.clientErrors());
            one.put("serverErrors", reading.serverErrors());
            one.put("bytesReceived", reading.bytesReceived());
            one.put("bytesSent", reading.bytesSent());
            one.put("nanos", reading.nanos());
            all.add(one);
        }
        return all;
    }

    private Map<String, Object> app(ManagedServer.App app) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("host", app.host());
        one.put("path", app.path().isEmpty() ? "/" : app.path());
        one.put("version", app.version());
        one.put("state", app.state().name().toLowerCase(Locale.ROOT));
        one.put("sessions", app.sessions());
        one.put("requests", app.requests());
        one.put("requestsRunning", app.requestsRunning());
        one.put("errors", app.errors());
        one.put("file", app.file().toString());
        if (app.failure() != null) {
            one.put("failure", app.failure());
        }
        DividedJson.newVersion(app, server.newVersions(), one);
        return one;
    }

    private List<Map<String, Object>> sessions(AppRef app) throws AdminException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ManagedServer.Session session : server.sessions(app)) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", session.id());
            one.put("key", session.key());
            one.put("created", session.created().toString());
            one.put("idleSeconds", session.idle().toSeconds());
            one.put("timeoutSeconds", session.timeout().toSeconds());
            if (session.user() != null) {
                one.put("user", session.user());
            }
            all.add(one);
        }
        return all;
    }

    private static Map<String, Object> host(HostReading host) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", host.name());
        one.put("statuses", host.statuses());
        one.put(
                "routes",
                host.routes().stream()
                        .map(route -> Map.of("path", route.path(), "statuses", route.statuses()))
                        .toList());
        return one;
    }

    private static Map<String, Object> upstream(UpstreamReading upstream) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", upstream.name());
        one.put("down", upstream.isDown());
        one.put("members", upstream.members().stream().map(JsonApi::member).toList());
        one.put("sources", upstream.sources().stream().map(JsonApi::source).toList());
        one.put(
                "canaries",
                upstream.divided().canaries().stream().map(DividedJson::canary).toList());
        one.put("mirrors", upstream.divided().mirrors().stream().map(DividedJson::mirror).toList());
        one.put("hedges", upstream.divided().hedges().stream().map(DividedJson::hedge).toList());
        changes(one, upstream.changes());
        return one;
    }

    /// What was changed by hand at this gateway or at another that shares it.
    private static void changes(
            Map<String, Object> one, Map<String, SharedChanges.Changed> changes) {
        if (!changes.isEmpty()) {
            Map<String, Object> all = new TreeMap<>();
            changes.forEach((key, each) ->
                    all.put(
                            key,
                            Map.of(
                                    "value",
                                    each.value(),
                                    "from",
                                    each.node(),
                                    "by",
                                    each.by(),
                                    "at",
                                    each.at())));
            one.put("changes", all);
        }
    }

    /// The member that the parameters `upstream` and `member` name.
    private Map<String, Object> member(AdminRequest request) throws AdminException {
        String name = request.parameters().getOrDefault("member", "");
        for (UpstreamReading upstream : server.upstreams()) {
            if (upstream.name().equals(request.parameter("upstream"))) {
                for (UpstreamReading.Member each : upstream.members()) {
                    if (each.name().equals(name)) {
                        return member(each);
                    }
                }
            }
        }
        throw new AdminException(Kind.NOT_FOUND, "there is no such member");
    }

    private static Map<String, Object> source(DiscoveryReading source) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("source", source.source());
        one.put("members", source.members());
        one.put("looks", source.looks());
        one.put("failures", source.failures());
        one.put("sinceSuccessSeconds", source.sinceSuccessSeconds());
        if (source.failure() != null) {
            one.put("failure", source.failure());
        }
        return one;
    }

    private static Map<String, Object> member(UpstreamReading.Member member) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", member.name());
        one.put("url", member.url());
        one.put("route", member.route());
        one.put("origin", member.origin());
        one.put("weight", member.weight());
        one.put("activation", member.activation());
        one.put("state", member.state());
        one.put("healthy", member.healthy());
        if (member.ejection().cause() != null) {
            one.put("leftOut", member.ejection().cause().says());
            one.put("leftOutSeconds", member.ejection().secondsLeft());
        }
        one.put("ejections", member.ejection().ejections());
        one.put("usable", member.usable());
        one.put("requestsActive", member.load().active());
        one.put("requestsActiveMax", member.load().limit());
        one.put("connections", member.load().connections());
        one.put("requests", member.requests());
        one.put("errors", member.errors());
        one.put("statuses", member.statuses());
        one.put("bytesSent", member.bytesSent());
        one.put("bytesReceived", member.bytesReceived());
        one.put("nanos", member.nanos());
        changes(one, member.changes());
        return one;
    }

    private Map<String, Object> system() {
        ProcessReading now = ProcessReading.now();
        ManagedServer.Workers workers = server.workers();
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("process", ProcessHandle.current().pid());
        one.put("cpuSeconds", now.cpuSeconds());
        one.put("resident", now.memory().resident());
        one.put("heapUsed", now.memory().heapUsed());
        one.put("heapMax", now.memory().heapMax());
        one.put("nonHeapUsed", now.memory().nonHeapUsed());
        one.put("threads", now.threads());
        one.put("filesOpen", now.filesOpen());
        one.put("gcSeconds", now.collectors().stream().mapToDouble(Collector::seconds).sum());
        one.put("gcCount", now.collectors().stream().mapToLong(Collector::count).sum());
        one.put("workersActive", workers.active());
        one.put("workersQueued", workers.queued());
        one.put("workersMax", workers.max());
        List<Map<String, Object>> certificates = new ArrayList<>();
        for (CertificateReading certificate : server.certificates()) {
            certificates.add(
                    Map.of(
                            "listener",
                            certificate.listener(),
                            "file",
                            certificate.file().toString(),
                            "subject",
                            certificate.subject(),
                            "expires",
                            certificate.expires().toString()));
        }
        one.put("certificates", certificates);
        SharedStatus shared = server.shared();
        if (shared != null) {
            one.put(
                    "shared",
                    Map.of(
                            "group",
                            shared.reading().group(),
                            "node",
                            shared.reading().node(),
                            "servers",
                            shared.reading().servers(),
                            "up",
                            shared.reading().up(),
                            "changesPending",
                            shared.changesPending()));
        }
        one.put("pools", server.pools().stream().map(JsonApi::pool).toList());
        ConfigControl control = server.configuration();
        if (control != null) {
            one.put("configuration", control.name());
        }
        LastReload reload = server.lastReload();
        if (reload != null) {
            one.put("reloaded", reload.when().toString());
            one.put("reloadFailure", reload.failure() == null ? "" : reload.failure());
        }
        return one;
    }

    private static Map<String, Object> pool(ManagedServer.Pool pool) {
        Map<String, Object> one = new LinkedHashMap<>();
        AppRef app = pool.app();
        one.put("name", pool.reading().name());
        one.put("path", app == null ? "" : app.shownPath());
        one.put("active", pool.reading().active());
        one.put("idle", pool.reading().idle());
        one.put("waiting", pool.reading().waiting());
        one.put("max", pool.reading().max());
        one.put("given", pool.reading().given());
        one.put("timeouts", pool.reading().timeouts());
        return one;
    }

    private static Map<String, Object> log() {
        Map<String, Object> levels = new LinkedHashMap<>();
        levels.put("level", LogLevels.of(""));
        levels.put("levels", LogLevels.words());
        levels.put("loggers", LogLevels.changed());
        return levels;
    }

    private List<Map<String, Object>> leaks() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ManagedServer.Leak leak : server.findLeaks()) {
            all.add(
                    Map.of(
                            "path",
                            leak.app().shownPath(),
                            "version",
                            leak.app().version(),
                            "undeployedSecondsAgo",
                            leak.since().toSeconds(),
                            "leftBehind",
                            leak.left()));
        }
        return all;
    }
}
