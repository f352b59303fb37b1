package io.margay.app.admin;

import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Answers the requests of the admin listener. Stateless but for the server.
///
/// Whoever reaches the listener may look; changing anything, and Tomcat's text interface, want the
/// token. A browser that was led here by another site is turned away: a request that another origin
/// has made changes nothing, and a listener of the machine alone answers to no foreign name, so
/// that no site can have its own name lead here (DNS rebinding).
public final class AdminHandler implements Handler {
    private static final System.Logger LOG = System.getLogger(AdminHandler.class.getName());

    private static final String MANAGER = "/manager/text";

    /// How long a wrong token or password is thought about: guessing takes its time.
    private static final long REFUSAL_NANOS = 200_000_000L;

    private final ManagedServer server;
    private final AdminAccess access;
    private final boolean loopback;
    private final ManagerText manager;
    private final JsonApi api;

    /// @param loopback whether the listener can be reached from this machine only
    public AdminHandler(ManagedServer server, AdminAccess access, boolean loopback) {
        this.server = server;
        this.access = access;
        this.loopback = loopback;
        manager = new ManagerText(server);
        api = new JsonApi(server);
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
        if (loopback && !isOwnName(exchange.request().target().authority())) {
            request.plain(421, "This listener answers to addresses and localhost.\n");
        } else if (path.equals(MANAGER) || path.startsWith(MANAGER + "/")) {
            if (isAllowed(request, "Basic realm=\"margay\"")) {
                manager.handle(below(request, MANAGER));
            }
        } else if (path.equals("/api/openapi.json")) {
            resource(request, "openapi.json", "application/json");
        } else if (path.startsWith("/api/")) {
            boolean reading = request.method().equals("GET");
            if (reading || isAllowed(request, "Bearer realm=\"margay\"")) {
                api.handle(below(request, "/api"));
            }
        } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            request.plain(405, "405 Method Not Allowed\n");
        } else {
            page(request);
        }
    }

    private void page(AdminRequest request) throws IOException {
        switch (request.path()) {
            case "/" -> resource(request, "admin.html", "text/html;charset=utf-8");
            case "/metrics" -> request.answer(200, Metrics.TYPE, Metrics.of(server));
            case "/health/live" -> {
                boolean dead = server.isDead();
                request.json(dead ? 503 : 200, Map.of("status", dead ? "failed" : "up"));
            }
            case "/health", "/health/ready" -> {
                boolean serving = server.isServing();
                String status = serving ? "up" : server.isDead() ? "failed" : "stopping";
                request.json(serving ? 200 : 503, Map.of("status", status));
            }
            default -> request.plain(404, "404 Not Found\n");
        }
    }

    private static AdminRequest below(AdminRequest request, String prefix) {
        return new AdminRequest(
                request.exchange(),
                request.path().substring(prefix.length()),
                request.parameters());
    }

    /// An address or `localhost`, which no site can have for its name.
    private static boolean isOwnName(@Nullable String authority) {
        String host = Authority.host(authority);
        return host == null
                || host.equalsIgnoreCase("localhost")
                || host.startsWith("[")
                || host.indexOf(':') >= 0
                || host.matches("[0-9.]+");
    }

    /// Whether the sender may change something; otherwise it has been told.
    private boolean isAllowed(AdminRequest request, String challenge) throws IOException {
        if (isFromElsewhere(request)) {
            request.plain(403, "403 Forbidden: the request was made by another site\n");
            return false;
        }
        String authorization = request.exchange().request().field("authorization");
        if (!access.allows(authorization)) {
            LOG.log(Level.DEBUG, "refused: {0} {1}", request.method(), request.path());
            if (authorization != null) {
                LockSupport.parkNanos(this, REFUSAL_NANOS);
            }
            request.exchange().fields().set("WWW-Authenticate", challenge);
            request.plain(401, "401 Unauthorized: changes want the token\n");
            return false;
        }
        return true;
    }

    private static boolean isFromElsewhere(AdminRequest request) {
        String site = request.exchange().request().field("sec-fetch-site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        String origin = request.exchange().request().field("origin");
        String authority = request.exchange().request().target().authority();
        return origin != null
                && authority != null
                && !origin.toLowerCase(Locale.ROOT)
                        .endsWith("://" + authority.toLowerCase(Locale.ROOT));
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
