package io.margay.server.exchange;

import io.margay.protocol.http.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The server's own page for an error that nobody else has a page for. Stateless.
public final class ErrorPage {
    /// Its media type.
    public static final String TYPE = "text/html;charset=utf-8";

    /// That of problem details.
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final int SERVER_ERROR = 500;

    private ErrorPage() {}

    /// Whether a client asks for JSON, and for no page.
    public static boolean isWantedAsProblem(ExchangeRequest request) {
        String accept = request.request().field("Accept");
        return accept != null
                && !accept.contains("text/html")
                && (accept.contains("application/json") || accept.contains(PROBLEM_TYPE));
    }

    /// The page as HTML. Everything in it is escaped.
    ///
    /// @param message what else is to be said, or null
    /// @param details what is shown with its stack trace, or null
    public static byte[] html(
            ExchangeRequest request,
            int status,
            @Nullable String message,
            @Nullable Throwable details) {
        StringBuilder page = new StringBuilder(512);
        String title = status + " " + HtmlText.of(Status.reason(status));
        page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title><style>body{font-family:sans-serif;margin:4em auto;")
                .append("max-width:40em;color:#333}h1{font-weight:400}pre{overflow:auto}")
                .append("</style></head><body><h1>")
                .append(title)
                .append("</h1>");
        if (message != null && !message.isEmpty()) {
            page.append("<p>").append(HtmlText.of(message)).append("</p>");
        }
        String reference = reference(request, status);
        if (!reference.isEmpty()) {
            page.append("<p>").append(HtmlText.of(reference)).append("</p>");
        }
        if (details != null) {
            StringWriter trace = new StringWriter();
            details.printStackTrace(new PrintWriter(trace));
            page.append("<pre>").append(HtmlText.of(trace.toString())).append("</pre>");
        }
        page.append("</body></html>\n");
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// The same as problem details in JSON (RFC 9457).
    ///
    /// @param detail what else is to be said; empty = nothing
    public static byte[] problem(ExchangeRequest request, int status, String detail) {
        StringBuilder json = new StringBuilder(128);
        json.append("{\"type\":\"about:blank\",\"title\":");
        quote(Status.reason(status), json);
        json.append(",\"status\":").append(status);
        if (!detail.isEmpty()) {
            json.append(",\"detail\":");
            quote(detail, json);
        }
        if (status >= SERVER_ERROR) {
            json.append(",\"requestId\":");
            quote(request.requestId(), json);
        }
        return json.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void quote(String text, StringBuilder json) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else {
                json.append(c < ' ' ? ' ' : c);
            }
        }
        json.append('"');
    }

    /// By what the logs are searched for a request that the server is to blame for; empty for
    /// others.
    public static String reference(ExchangeRequest request, int status) {
        return status < SERVER_ERROR ? "" : "Request " + request.requestId();
    }
}
