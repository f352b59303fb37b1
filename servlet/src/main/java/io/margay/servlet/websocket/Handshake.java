package io.margay.servlet.websocket;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PathReading;
import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.engine.request.ServerRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.websocket.server.HandshakeRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.tyrus.core.RequestContext;
import org.glassfish.tyrus.core.TyrusUpgradeResponse;
import org.glassfish.tyrus.core.Utils;
import org.glassfish.tyrus.spi.WebSocketEngine;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;
import org.jspecify.annotations.Nullable;

/// The opening handshake of one session (RFC 6455 §4.2). Confined to the request's task.
final class Handshake {
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int KEY_BYTES = 16;
    private static final int KEY_LENGTH = 24;

    /// A version that no endpoint speaks, so that it is only looked for one.
    private static final List<String> NO_VERSION = List.of("0");

    /// An encoded slash, which a host may let through, is no separator for Tyrus.
    private static final PathReading SLASHES_STAY =
            new PathReading(PathReading.EncodedSlash.PASSTHROUGH, false);

    private final HttpServletRequest request;
    private final WebSocketSettings settings;
    private final WebSocketLimits limits;
    private final OpenSessions sessions;
    private final ScheduledExecutorService timer;
    private final PerMessageDeflate compression;
    private String path;

    /// Whether there is a session, which is counted until its end.
    private boolean opened;

    Handshake(
            HttpServletRequest request,
            WebSocketSettings settings,
            WebSocketLimits limits,
            OpenSessions sessions,
            ScheduledExecutorService timer,
            PerMessageDeflate compression) {
        this.request = request;
        this.settings = settings;
        this.limits = limits;
        this.sessions = sessions;
        this.timer = timer;
        this.compression = compression;
        path = canonical(request.getRequestURI());
    }

    /// The path by which the request was authorised, so that no dot segment leads to an endpoint
    /// below what a constraint is for: Tyrus takes `..` for the value of a variable
    /// (CVE-2026-76183).
    ///
    /// @return "" when there is none
    private static String canonical(String uri) {
        CanonicalPath read = CanonicalPath.of(uri);
        CanonicalPath known = read.error() == null ? read : CanonicalPath.of(uri, SLASHES_STAY);
        return known.error() == null ? known.encoded() : "";
    }

    /// Whether a request asks for WebSocket. With HTTP/2 an extended CONNECT (RFC 8441) comes as
    /// such a GET; the field `Upgrade` cannot come there from a client.
    static boolean isAskedFor(HttpServletRequest request) {
        String upgrade = request.getHeader("Upgrade");
        return upgrade != null
                && upgrade.strip().equalsIgnoreCase("websocket")
                && request.getMethod().equals("GET")
                && List.of("HTTP/1.1", "HTTP/2.0", "HTTP/3.0").contains(request.getProtocol());
    }

    /// The canonical path that was asked for, with the context path, encoded.
    String path() {
        return path;
    }

    /// Takes another path for the one that was asked for.
    void path(String instead) {
        path = instead;
    }

    /// Answers for one of the engine's endpoints; false when it has none for the path, and nothing
    /// has been answered.
    ///
    /// @param pathParameters besides those that the endpoint's path names
    boolean answer(
            WebSocketEngine engine,
            HttpServletResponse response,
            Map<String, String> pathParameters)
            throws IOException, ServletException {
        if (path.isEmpty()) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return true;
        }
        MemoryBudget memory = memory();
        if (!memory.take(limits.sessionBytes())) {
            response.setHeader("Retry-After", "1");
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return true;
        }
        try {
            return agree(engine, response, pathParameters, memory);
        } finally {
            if (!opened) {
                memory.give(limits.sessionBytes());
            }
        }
    }

    /// What clients may make the server hold.
    private MemoryBudget memory() {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof ServerRequest own
                ? own.home().settings().memory()
                : MemoryBudget.UNBOUNDED;
    }

    private boolean agree(
            WebSocketEngine engine,
            HttpServletResponse response,
            Map<String, String> pathParameters,
            MemoryBudget memory)
            throws IOException, ServletException {
        HttpSession session = request.getSession(false);
        RequestContext asked;
        try {
            asked = context(session);
        } catch (IllegalArgumentException e) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return true;
        }
        boolean keyed = hasKey();
        if (!keyed) {
            asked.getHeaders().put(HandshakeRequest.SEC_WEBSOCKET_VERSION, NO_VERSION);
        }
        pathParameters.forEach((name, value) -> asked.getParameterMap().put(name, List.of(value)));
        TyrusUpgradeResponse answer = new TyrusUpgradeResponse();
        UpgradeInfo info =
                ScopedValue.where(DefaultConfigurator.INSTALLED, compression)
                        .call(() -> engine.upgrade(asked, answer));
        switch (info.getStatus()) {
            case NOT_APPLICABLE -> {
                return false;
            }
            case HANDSHAKE_FAILED -> {
                if (keyed) {
                    copyHeaders(answer, response);
                    response.sendError(answer.getStatus());
                } else {
                    response.sendError(
                            HttpServletResponse.SC_BAD_REQUEST,
                            "Sec-WebSocket-Key has to be 16 bytes in Base64.");
                }
            }
            case SUCCESS -> {
                if (answer.getStatus() == SWITCHING_PROTOCOLS) {
                    upgrade(info, session, memory);
                }
                response.setStatus(answer.getStatus());
                copyHeaders(answer, response);
            }
        }
        return true;
    }

    /// Whether there is one key, of 16 bytes (RFC 6455 §4.2.1).
    private boolean hasKey() {
        List<String> keys =
                Collections.list(request.getHeaders(HandshakeRequest.SEC_WEBSOCKET_KEY));
        if (keys.size() != 1 || keys.getFirst().length() != KEY_LENGTH) {
            return false;
        }
        try {
            return Base64.getDecoder().decode(keys.getFirst()).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void upgrade(UpgradeInfo info, @Nullable HttpSession session, MemoryBudget memory)
            throws IOException, ServletException {
        WebSocketUpgrade upgrade = request.upgrade(WebSocketUpgrade.class);
        opened = true;
        upgrade.prepare(
                info,
                sessions,
                limits,
                timer,
                memory,
                session == null ? null : session.getId(),
                request.getUserPrincipal() != null);
    }

    private RequestContext context(@Nullable HttpSession session) {
        String host = request.getLocalName();
        RequestContext context =
                RequestContext.Builder.create()
                        .requestURI(sessions.address(path))
                        .queryString(request.getQueryString())
                        .httpSession(session)
                        .secure(request.isSecure())
                        .userPrincipal(request.getUserPrincipal())
                        .isUserInRoleDelegate(request::isUserInRole)
                        .parameterMap(request.getParameterMap())
                        .remoteAddr(request.getRemoteAddr())
                        .serverAddr(sessions.server(host == null ? request.getLocalAddr() : host))
                        .serverPort(request.getLocalPort())
                        .tyrusProperties(settings.parameters())
                        .build();
        for (String name : Collections.list(request.getHeaderNames())) {
            List<String> values = new ArrayList<>();
            for (String value : Collections.list(request.getHeaders(name))) {
                values.addAll(Utils.parseHeaderValue(value.strip()));
            }
            if (name.equalsIgnoreCase(HandshakeRequest.SEC_WEBSOCKET_EXTENSIONS)) {
                values.removeIf(offer -> !PerMessageDeflate.canMeet(offer));
            }
            if (!values.isEmpty()) {
                context.getHeaders().put(name, values);
            }
        }
        return context;
    }

    private static void copyHeaders(TyrusUpgradeResponse from, HttpServletResponse to) {
        from.getHeaders()
                .forEach((name, values) -> to.setHeader(name, Utils.getHeaderFromList(values)));
    }
}
