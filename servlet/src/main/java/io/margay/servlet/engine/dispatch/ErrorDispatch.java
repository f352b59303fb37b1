package io.margay.servlet.engine.dispatch;

import io.margay.server.exchange.ErrorPage;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.files.NoRoomException;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.engine.registration.ErrorPages;
import io.margay.servlet.engine.request.BadRequestException;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.response.ServerResponse;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.settings.ErrorReports;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers a request that failed with an error page: the application's own, by a dispatch, or the
/// default one (Servlet 6.1 §10.9). Made for one failure; used within the request's task.
public record ErrorDispatch(
        Application app, Exchange exchange, ServerRequest request, ServerResponse response) {
    /// After which a disk may have room again.
    private static final int NO_ROOM_SECONDS = 10;

    /// Causes that are followed.
    private static final int CAUSES_MAX = 32;

    /// Answers what the application has thrown.
    ///
    /// @param clientLeft whether the client has gone, so that the failure may be its doing
    public void show(Throwable thrown, boolean clientLeft) {
        show(statusOf(thrown), null, thrown, clientLeft);
    }

    /// What a request may throw without harm to others; the rest is thrown on.
    public static Throwable survivable(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal
                && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        return thrown;
    }

    private int statusOf(Throwable thrown) {
        Throwable cause = ErrorPages.rootCause(thrown);
        NoRoomException full = noRoom(cause);
        if (full != null) {
            retryAfter(NO_ROOM_SECONDS);
            return full.status();
        }
        return switch (cause) {
            case BadRequestException bad -> bad.status();
            case RequestBodyException bad -> bad.error().status();
            case SessionStore.UnknownException _ -> {
                retryAfter(1);
                yield 503;
            }
            case UnavailableException u when u.isPermanent() -> 404;
            case UnavailableException u -> {
                retryAfter(u.getUnavailableSeconds());
                yield 503;
            }
            default -> statusByContent(thrown);
        };
    }

    /// Content that the client has broken is its fault, whatever the application makes of it: it
    /// may have wrapped the exception, or have thrown another because of it.
    private int statusByContent(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof RequestBodyException bad) {
                return bad.error().status();
            }
            if (cause instanceof BadRequestException bad) {
                return bad.status();
            }
            cause = cause.getCause();
        }
        return exchange.failure() instanceof RequestBodyException bad ? bad.error().status() : 500;
    }

    private static @Nullable NoRoomException noRoom(Throwable cause) {
        Throwable within = cause instanceof BadRequestException ? cause.getCause() : cause;
        return within instanceof NoRoomException full ? full : null;
    }

    private void retryAfter(int seconds) {
        if (!exchange.committed()) {
            exchange.fields().set("Retry-After", "" + Math.max(1, seconds));
        }
    }

    /// Answers with an error page (Servlet 6.1 §10.9), or breaks off when the head has left. What
    /// the application had ended is left as it is.
    public void show(
            int status, @Nullable String message, @Nullable Throwable thrown, boolean clientLeft) {
        if (thrown != null) {
            report(status, thrown, clientLeft);
        }
        if (exchange.committed()) {
            app.logger().log(Level.DEBUG, "an error came after the response was committed");
            if (!response.output().isClosed()) {
                exchange.abort();
            }
            return;
        }
        response.prepareError(status);
        ErrorPages.Found page = app.registrations().errorPages().find(status, thrown);
        if (page != null && showPage(page, status, message)) {
            return;
        }
        showDefaultPage(status, message, thrown);
    }

    private void report(int status, Throwable thrown, boolean clientLeft) {
        String servlet = request.route().servlet().getName();
        Throwable cause = ErrorPages.rootCause(thrown);
        if (noRoom(cause) != null) {
            app.logger()
                    .log(
                            Level.ERROR,
                            "servlet {0} failed for {1}: {2}",
                            servlet,
                            request.getRequestURI(),
                            cause.getMessage());
            return;
        }
        Level level = status < 500 ? Level.DEBUG : levelOf(cause, clientLeft);
        app.failures().log(level, "servlet " + servlet + " failed", exchange, cause);
    }

    /// What a client brings about, by leaving or by what it sends, is no matter for operators.
    public static Level levelOf(Throwable thrown, boolean left) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            boolean sent =
                    cause instanceof RequestBodyException || cause instanceof BadRequestException;
            if (sent || (left && cause instanceof IOException)) {
                return Level.DEBUG;
            }
            cause = cause.getCause();
        }
        return Level.ERROR;
    }

    private boolean showPage(ErrorPages.Found page, int status, @Nullable String message) {
        Dispatcher dispatcher = Dispatcher.of(app, page.location());
        if (dispatcher == null) {
            app.logger().log(Level.WARNING, "error page {0} leads nowhere", page.location());
            return false;
        }
        Route failed = request.firstRoute();
        Map<String, @Nullable Object> shown = new HashMap<>();
        shown.put(RequestDispatcher.ERROR_STATUS_CODE, status);
        shown.put(RequestDispatcher.ERROR_MESSAGE, errorText(message, page.exception()));
        shown.put(RequestDispatcher.ERROR_REQUEST_URI, failed.uri());
        shown.put(RequestDispatcher.ERROR_QUERY_STRING, failed.query());
        shown.put(RequestDispatcher.ERROR_METHOD, exchange.request().method());
        shown.put(RequestDispatcher.ERROR_SERVLET_NAME, failed.servlet().getName());
        Throwable exception = page.exception();
        if (exception != null) {
            shown.put(RequestDispatcher.ERROR_EXCEPTION, exception);
            shown.put(RequestDispatcher.ERROR_EXCEPTION_TYPE, exception.getClass());
        }
        try {
            dispatcher.error(request, response, shown);
            if (!response.errorPending()) {
                return true;
            }
            if (response.getStatus() == status) {
                // Who may not see the page either gets an answer without one, as from Tomcat.
                response.prepareError(status);
                return true;
            }
        } catch (Exception | Error e) {
            app.failures()
                    .log("error page " + page.location() + " failed", exchange, survivable(e));
        }
        if (exchange.committed()) {
            exchange.abort();
            return true;
        }
        response.prepareError(status);
        return false;
    }

    private static String errorText(@Nullable String message, @Nullable Throwable exception) {
        if (message != null) {
            return message;
        }
        String text = exception == null ? null : exception.getMessage();
        return text == null ? "" : text;
    }

    private byte[] ownPage(
            @Nullable ErrorReports reports,
            int status,
            @Nullable String message,
            @Nullable Throwable thrown) {
        boolean details = reports == null ? app.settings().errorDetails() : reports.details();
        boolean said = reports == null || reports.details();
        return ErrorPage.html(exchange, status, said ? message : null, details ? thrown : null);
    }

    /// What the page would say beside its title.
    private String detail(
            @Nullable ErrorReports reports, @Nullable String message, @Nullable Throwable thrown) {
        boolean details = reports == null ? app.settings().errorDetails() : reports.details();
        boolean said = reports == null || reports.details();
        if (said && message != null && !message.isEmpty()) {
            return message;
        }
        return details && thrown != null ? ErrorPages.rootCause(thrown).toString() : "";
    }

    private void showDefaultPage(int status, @Nullable String message, @Nullable Throwable thrown) {
        if (status < 400 || exchange.committed()) {
            return;
        }
        ErrorReports reports = app.settings().errorReports();
        byte[] page = reports == null ? null : reports.page(status, thrown);
        if (page == null) {
            response.addHeader("Vary", "Accept");
        }
        boolean json = page == null && ErrorPage.isWantedAsProblem(exchange);
        response.setContentType(json ? ErrorPage.PROBLEM_TYPE : ErrorPage.TYPE);
        if (json) {
            page = ErrorPage.problem(exchange, status, detail(reports, message, thrown));
        } else if (page == null) {
            page = ownPage(reports, status, message, thrown);
            response.setHeader("Content-Language", "en");
        }
        try {
            response.getOutputStream().write(page);
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "the client left before the error page was sent", e);
        }
    }
}
