package io.margay.server.host;

import io.margay.protocol.http.Status;
import io.margay.server.exchange.ErrorPage;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Short answers that no handler gives. Stateless.
public final class StatusResponse {
    private static final int CLIENT_ERROR = 400;
    private static final int NO_CONTENT = 204;

    private StatusResponse() {}

    /// Ends the exchange with a status and a line that says so: as HTML for clients that take it,
    /// as browsers do, as problem details for those that take JSON, as text for others. 204 has no
    /// content.
    public static void plain(Exchange exchange, int status) throws IOException {
        plain(exchange, status, "");
    }

    /// The same with a sentence that tells why.
    ///
    /// @param text of ours: nothing that the client sent
    public static void plain(Exchange exchange, int status, String text) throws IOException {
        if (exchange.notes().error(exchange, status)) {
            return;
        }
        exchange.status(status);
        if (status == NO_CONTENT) {
            exchange.end();
            return;
        }
        byte[] bytes = body(exchange, status, text);
        exchange.end(bytes, 0, bytes.length);
    }

    private static byte[] body(Exchange exchange, int status, String text) {
        String accept = status < CLIENT_ERROR ? null : exchange.request().field("Accept");
        if (status >= CLIENT_ERROR) {
            exchange.fields().add("Vary", "Accept");
        }
        if (accept != null && accept.contains("text/html")) {
            exchange.fields().set("Content-Type", ErrorPage.TYPE);
            return ErrorPage.html(exchange, status, text, null);
        }
        if (status >= CLIENT_ERROR && ErrorPage.isWantedAsProblem(exchange)) {
            exchange.fields().set("Content-Type", ErrorPage.PROBLEM_TYPE);
            return ErrorPage.problem(exchange, status, text);
        }
        exchange.fields().set("Content-Type", "text/plain;charset=utf-8");
        return lines(
                        status + " " + Status.reason(status),
                        text,
                        ErrorPage.reference(exchange, status))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String lines(String... texts) {
        StringBuilder lines = new StringBuilder();
        for (String text : texts) {
            if (!text.isEmpty()) {
                lines.append(text).append('\n');
            }
        }
        return lines.toString();
    }
}
