package io.margay.servlet.engine;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Paths;
import io.margay.servlet.engine.registration.FastPathServlet;
import io.margay.servlet.engine.registration.ServletCounts;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.mapping.UrlMap;
import io.margay.servlet.security.AccessRequirement;
import io.margay.servlet.security.ContainerAuthenticator;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers on the loop what needs neither a thread that may wait nor anything of the application:
/// no filter, no request listener, no constraint, no session but one that is at hand. Whatever is
/// in doubt is left to a [RequestCycle]. Stateless but for the application.
final class LoopFastPath {
    private final Application app;

    LoopFastPath(Application app) {
        this.app = app;
    }

    /// Answers a request, or leaves it as it is.
    ///
    /// @return whether it has been answered
    boolean answer(Exchange exchange) throws IOException {
        RequestHead head = exchange.request();
        CanonicalPath canonical = exchange.path();
        if (!isReading(head) || canonical.error() != null || !app.runtime().isRunning()) {
            return false;
        }
        String path = inContext(canonical.path());
        String file = path == null ? null : file(path);
        UrlMap.Mapped<ServletHolder> mapped =
                file == null ? null : app.registrations().servlets().find(file);
        if (path == null || file == null || mapped == null) {
            return false;
        }
        ServletHolder holder = mapped.target();
        FastPathServlet servlet = holder.ready();
        boolean answered =
                servlet != null
                        && isLeftAlone(holder, head.method(), path, file)
                        && exchange.inputEnded()
                        && answer(exchange, servlet, file);
        ServletCounts counts = answered ? holder.counts() : null;
        if (counts != null) {
            counts.add(0, false); // Microseconds, which nobody can read in milliseconds.
        }
        return answered;
    }

    /// Answers, and counts the request as a use of its session.
    private boolean answer(Exchange exchange, FastPathServlet servlet, String file)
            throws IOException {
        Fields fields = exchange.request().fields();
        if (!app.sessions().isNamed(exchange.path(), fields)) {
            return servlet.answer(exchange, file);
        }
        WebSession session = app.sessions().ready(fields);
        // Who has logged in is to be found in the log; and may be owed what was asked for before.
        if (session == null || session.login() != null || !servlet.answer(exchange, file)) {
            return false;
        }
        session.access();
        session.release();
        return true;
    }

    private static boolean isReading(RequestHead head) {
        String method = head.method();
        return (method.equals("GET") || method.equals("HEAD"))
                && head.target().form() != RequestTarget.Form.ASTERISK;
    }

    /// The path within the context; null when it is not one that clients may ask for.
    private @Nullable String inContext(String whole) {
        String context = app.contextPath();
        if (!whole.startsWith(context)) {
            return null;
        }
        String path = context.isEmpty() ? whole : whole.substring(context.length());
        boolean seen = !path.isEmpty() && path.charAt(0) == '/' && !Paths.isPrivate(path);
        return seen ? path : null;
    }

    /// What a path leads to: for a folder its first welcome file, should that be one (see
    /// [Registrations#target]).
    private @Nullable String file(String path) {
        if (!path.endsWith("/")) {
            return path;
        }
        List<String> names = app.runtime().descriptor().content().welcomeFiles();
        UrlMap.Mapped<ServletHolder> folder = app.registrations().servlets().find(path);
        if (names.isEmpty() || folder == null || folder.pattern().kind() != MappingMatch.DEFAULT) {
            return null;
        }
        String name = names.getFirst();
        return path + (name.startsWith("/") ? name.substring(1) : name);
    }

    /// Whether nothing of the application sees the request on its way.
    private boolean isLeftAlone(ServletHolder holder, String method, String path, String file) {
        boolean known =
                app.authenticator() == null
                        || app.authenticator() instanceof ContainerAuthenticator;
        return known
                && app.registrations().listeners().requests().isEmpty()
                && !app.settings().sessions().drainDisabled()
                && holder.plan(DispatcherType.REQUEST).filters(file).length == 0
                && isOpen(method, path)
                && isOpen(method, file);
    }

    private boolean isOpen(String method, String path) {
        return app.registrations()
                .constraints()
                .requirement(method, path)
                .equals(AccessRequirement.NONE);
    }
}
