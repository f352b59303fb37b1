package io.margay.app.admin;

import io.margay.app.admin.ManagedServer.State;
import io.margay.app.console.ConsoleFiles;
import io.margay.app.console.LogTail;
import io.margay.app.shared.SharedStatus;
import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.RequestOrigin;
import io.margay.servlet.session.engine.EngineReading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Answers the requests of the admin listener. Stateless but for the server.
///
/// Changing anything, and Tomcat's text interface, want the token; so does reading, where others
/// than this machine can reach the listener. A browser that was led here by another site is turned
/// away ([RequestOrigin]), and the listener answers to no foreign name, so that no site can have
/// its own name lead here (DNS rebinding).
public final class AdminHandler implements Handler {
    private static final System.Logger LOG = System.getLogger(AdminHandler.class.getName());

    private static final String MANAGER = "/manager/text";
    private static final String JMX_PROXY = "/manager/jmxproxy";
    private static final String STATUS = "/manager/status";

    /// Which users of this machine may not be able to read in the file.
    private static final String CONFIGURATION = "/api/configuration";

    private static final String BASIC = "Basic realm=\"margay\"";

    /// What writes metrics: the distribution has it; who embeds the server adds it if it is wanted.
    private static final String METRICS_LIBRARY =
            "io.prometheus:prometheus-metrics-exposition-textformats";

    private static final boolean HAS_METRICS =
            AdminHandler.class.getResource(
                            "/io/prometheus/metrics/expositionformats/ExpositionFormatWriter.class")
                    != null;

    /// How long a wrong token or password is thought about: guessing takes its time.
    static final long REFUSAL_NANOS = 200_000_000L;

    private final ManagedServer server;
    private final AdminAccess access;
    private final boolean loopback;
    private final Set<String> names;
    private final ManagerText manager;
    private final ManagerStatus status;
    private final Function<Map<String, String>, String> jmx;
    private final JsonApi api;
    private final RegistrationApi registrations;

    /// @param jmx answers what Tomcat's JMX proxy is asked, by the parameters of the request
    /// @param loopback whether the listener can be reached from this machine only
    /// @param names by which it may be called beside addresses and `localhost`, lower case
    /// @param log the newest lines of the log
    public AdminHandler(
            ManagedServer server,
            LogTail log,
            Function<Map<String, String>, String> jmx,
            AdminAccess access,
            boolean loopback,
            Set<String> names) {
        this.jmx = jmx;
        this.server = server;
        this.access = access;
        this.loopback = loopback;
        this.names = names;
        manager = new ManagerText(server);
        status = new ManagerStatus(server);
        api = new JsonApi(server, log);
        registrations = new RegistrationApi(server);
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.dispatch(() -> {
            try {
                answer(exchange);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "a client of the admin listener has left", e);
                exchange.abort();
            }
        });
    }

    private void answer(Exchange exchange) throws IOException {
        if (exchange.path().error() != null) {
            new AdminRequest(exchange, "", Map.of()).plain(400, "400 Bad Request\n");
            return;
        }
        AdminRequest request;
        try {
            request = AdminRequest.of(exchange, exchange.path().path());
        } catch (AdminException e) {
            new AdminRequest(exchange, "", Map.of()).plain(400, e.getMessage() + "\n");
            return;
        }
        String path = request.path();
        if (path.equals("/health") || path.startsWith("/health/")) {
            health(request);
        } else if (RegistrationApi.isFor(path)) {
            // Whoever has its token is no browser, and may call this listener as it likes.
            registrations.handle(request);
        } else if (!isOwnName(exchange.request().target().authority())) {
            request.plain(
                    421, "This listener answers to addresses, localhost and its admin-names.\n");
        } else if (path.equals(MANAGER) || path.startsWith(MANAGER + "/")) {
            AdminRequest command = below(request, MANAGER);
            boolean changes = !ManagerText.isReading(command.path());
            if (isAllowed(request, BASIC, AdminAccess.SCRIPT, changes)) {
                manager.handle(command, by(request, "manager"));
            }
        } else if (path.equals(CONFIGURATION)
                || (path.startsWith("/api/") && !request.method().equals("GET"))) {
            boolean changes = !request.method().equals("GET");
            if (isAllowed(request, "Bearer realm=\"margay\"", AdminAccess.SCRIPT, changes)) {
                api.handle(below(request, "/api"), by(request, "API"));
            }
        } else if (path.equals(JMX_PROXY) || path.equals(JMX_PROXY + "/")) {
            if (isAllowed(request, BASIC, AdminAccess.JMX, false)) {
                request.plain(200, jmx.apply(request.parameters()));
            }
        } else if (path.equals(STATUS) || path.startsWith(STATUS + "/")) {
            if (loopback || isAllowed(request, BASIC, AdminAccess.STATUS, false)) {
                status.handle(request);
            }
        } else if (loopback || isAllowed(request, BASIC, AdminAccess.READ, false)) {
            read(request);
        }
    }

    private void read(AdminRequest request) throws IOException {
        String path = request.path();
        if (path.equals("/api/openapi.json")) {
            resource(request, "openapi.json", "application/json");
        } else if (path.startsWith("/api/")) {
            api.handle(below(request, "/api"), by(request, "API"));
        } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            request.plain(405, "405 Method Not Allowed\n");
        } else {
            page(request);
        }
    }

    private void page(AdminRequest request) throws IOException {
        ConsoleFiles.ConsoleFile file = ConsoleFiles.of(request.path());
        if (file != null) {
            request.answer(200, file.type(), file.content());
            return;
        }
        switch (request.path()) {
            case "/metrics" -> metrics(request);
            // What Tomcat's pages of these names do, the console does.
            case "/manager/html", "/manager/" -> console(request, "../");
            case "/manager" -> console(request, "./");
            default -> request.plain(404, "404 Not Found\n");
        }
    }

    private static void console(AdminRequest request, String location) throws IOException {
        request.exchange().fields().set("Location", location);
        request.plain(302, "");
    }

    private void metrics(AdminRequest request) throws IOException {
        if (HAS_METRICS) {
            String accept = request.exchange().request().field("accept");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            String type = Metrics.write(server.meters(), accept, out);
            request.answer(200, type, out.toByteArray());
        } else {
            request.plain(501, "501: " + METRICS_LIBRARY + " is not on the class path\n");
        }
    }

    /// For load balancers and the like, which know no token.
    private void health(AdminRequest request) throws IOException {
        switch (request.path()) {
            case "/health/live" -> {
                boolean dead = server.isDead();
                request.json(dead ? 503 : 200, Map.of("status", dead ? "failed" : "up"));
            }
            case "/health", "/health/ready" -> health(request, false);
            case "/health/full" -> health(request, true);
            default -> request.plain(404, "404 Not Found\n");
        }
    }

    private Operator by(AdminRequest request, String interfaceName) {
        return new Operator(
                access.who(request.exchange().request().field("authorization")),
                AdminRequest.address(request.exchange().remote()),
                interfaceName);
    }

    /// Says that the server takes requests, and how much of it does not work: on an address of this
    /// machine with names, on another without, for whoever asks there knows no token.
    ///
    /// @param full whether it must all work
    private void health(AdminRequest request, boolean full) throws IOException {
        long apps =
                server.apps().stream()
                        .filter(app -> app.failure() != null && app.state() != State.RUNNING)
                        .count();
        long upstreams = server.upstreams().stream().filter(UpstreamReading::isDown).count();
        boolean serving = server.isServing();
        boolean away = isAny(EngineReading.State.AWAY);
        boolean storeFull = isAny(EngineReading.State.FULL);
        long sources =
                server.upstreams().stream()
                        .flatMap(upstream -> upstream.sources().stream())
                        .filter(source -> source.failure() != null)
                        .count();
        long registrations =
                server.registrations().stream().filter(one -> one.failure() != null).count();
        SharedStatus shared = server.shared();
        boolean alone = shared != null && !shared.reading().up();
        boolean noRoom = server.isDiskFull();
        boolean fewFiles = ProcessReading.isShortOfFiles();
        boolean fewThreads = ThreadRoom.ofSystem().isShort();
        boolean whole =
                !noRoom
                        && !fewFiles
                        && !fewThreads
                        && apps == 0
                        && upstreams == 0
                        && sources == 0
                        && registrations == 0
                        && !away
                        && !storeFull
                        && !alone;
        String status = !serving ? server.idleState() : whole ? "up" : "degraded";
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("status", status);
        if (!whole) {
            said.put("applicationsFailed", apps);
            said.put("upstreamsDown", upstreams);
            said.put("memberSourcesFailing", sources);
            said.put("registrationsFailing", registrations);
            said.put("sessionStoreAway", away);
            said.put("sessionStoreFull", storeFull);
            said.put("sharedAway", alone);
            said.put("diskFull", noRoom);
            said.put("descriptorsShort", fewFiles);
            said.put("threadsShort", fewThreads);
            if (loopback && isOwnName(request.exchange().request().target().authority())) {
                said.put("ill", Attention.of(server).stream().map(Attention::line).toList());
            }
        }
        request.json(serving && (whole || !full) ? 200 : 503, said);
    }

    /// Whether a store of sessions is in that state.
    private boolean isAny(EngineReading.State state) {
        return server.sessionEngines().stream().anyMatch(one -> one.state() == state);
    }

    private static AdminRequest below(AdminRequest request, String prefix) {
        return new AdminRequest(
                request.exchange(),
                request.path().substring(prefix.length()),
                request.parameters());
    }

    /// An address or `localhost`, which no site can have for its name, or a name that was allowed.
    private boolean isOwnName(@Nullable String authority) {
        String host = Authority.host(authority);
        return host == null
                || host.equalsIgnoreCase("localhost")
                || host.startsWith("[")
                || host.indexOf(':') >= 0
                || host.matches("[0-9.]+")
                || names.contains(host.toLowerCase(Locale.ROOT));
    }

    /// Whether the sender may do this; otherwise it has been told.
    private boolean isAllowed(
            AdminRequest request, String challenge, Set<String> roles, boolean changes)
            throws IOException {
        RequestOrigin origin = RequestOrigin.of(request.exchange());
        if (origin == RequestOrigin.OTHER) {
            refuse(request, 403, "Forbidden", "the request was made by another site");
            return false;
        }
        String authorization = request.exchange().request().field("authorization");
        if (!access.allows(authorization, roles)) {
            LOG.log(Level.DEBUG, "refused: {0} {1}", request.method(), request.path());
            if (authorization != null) {
                LockSupport.parkNanos(this, REFUSAL_NANOS);
            }
            request.exchange().fields().set("WWW-Authenticate", challenge);
            refuse(request, 401, "Unauthorized", "this needs the token");
            return false;
        }
        if (changes && origin == RequestOrigin.UNKNOWN && !AdminAccess.isBearer(authorization)) {
            refuse(
                    request,
                    403,
                    "Forbidden",
                    "the browser does not say which page made the request; use another client, or"
                            + " Authorization: Bearer");
            return false;
        }
        return true;
    }

    /// As the rest of the API answers, where it is asked.
    private static void refuse(AdminRequest request, int status, String reason, String why)
            throws IOException {
        if (request.path().startsWith("/api/")) {
            request.json(status, Map.of("error", why));
        } else {
            request.plain(status, status + " " + reason + ": " + why + "\n");
        }
    }

    private static void resource(AdminRequest request, String name, String type)
            throws IOException {
        try (InputStream in = AdminHandler.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("this build has no " + name);
            }
            request.answer(200, type, in.readAllBytes());
        }
    }
}
