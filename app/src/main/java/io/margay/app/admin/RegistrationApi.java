package io.margay.app.admin;

import io.margay.gateway.discovery.Registrar;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where members register, `/api/upstreams/UPSTREAM/registrations/NAME`: with the token of the
/// upstream, which opens nothing else, and which alone opens this. Stateless but for the server.
record RegistrationApi(ManagedServer server) {
    private static final Pattern PATH =
            Pattern.compile("/api/upstreams/([^/]+)/registrations/([^/]+)");

    /// Whether a path is one of these.
    static boolean isFor(String path) {
        return path.startsWith("/api/upstreams/") && PATH.matcher(path).matches();
    }

    void handle(AdminRequest request) throws IOException {
        Matcher path = PATH.matcher(request.path());
        if (!path.matches()) {
            throw new IllegalArgumentException(request.path());
        }
        Registrar registrar = server.registrar(path.group(1));
        String authorization = request.exchange().request().field("authorization");
        if (registrar == null || !isToken(registrar, authorization)) {
            if (authorization != null) {
                LockSupport.parkNanos(this, AdminHandler.REFUSAL_NANOS);
            }
            request.exchange().fields().set("WWW-Authenticate", "Bearer realm=\"margay\"");
            error(request, 401, "this needs the token of an upstream where members register");
            return;
        }
        String name = path.group(2);
        switch (request.method()) {
            case "PUT" -> reply(request, registrar.put(name, request.parameters(), from(request)));
            case "DELETE" -> {
                boolean _ = registrar.remove(name);
                request.json(200, Map.of("registered", false));
            }
            default -> {
                request.exchange().fields().set("Allow", "PUT, DELETE");
                error(request, 405, "PUT registers, DELETE leaves");
            }
        }
    }

    private static boolean isToken(Registrar registrar, @Nullable String authorization) {
        return authorization != null
                && AdminAccess.isBearer(authorization)
                && registrar.knows(authorization.substring("Bearer ".length()).strip());
    }

    private static @Nullable InetAddress from(AdminRequest request) {
        return request.exchange().remote() instanceof InetSocketAddress at ? at.getAddress() : null;
    }

    private static void reply(AdminRequest request, Registrar.Reply reply) throws IOException {
        switch (reply.answer()) {
            case DONE -> request.json(200, Map.of("registered", true));
            case INVALID -> error(request, 400, reply.why());
            case FORBIDDEN -> error(request, 403, reply.why());
            case TAKEN -> error(request, 409, reply.why());
            case FULL -> error(request, 503, reply.why());
        }
    }

    private static void error(AdminRequest request, int status, String why) throws IOException {
        request.json(status, Map.of("error", why));
    }
}
