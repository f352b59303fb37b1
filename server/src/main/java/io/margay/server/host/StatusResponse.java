package io.margay.server.host;

import io.margay.protocol.http.Status;
import io.margay.server.exchange.ErrorPage;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Short answers that no handler gives. Stateless.
public final class StatusResponse {
    private static final int CLIENT_ERROR = 400;

    private StatusResponse() {}

    /// Ends the exchange with a status and a line that says so: as HTML for clients that take it,
    /// as browsers do, as text for others.
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
        boolean html = false;
        if (status >= CLIENT_ERROR) {
            exchange.fields().add("Vary", "Accept");
            String accept = exchange.request().field("Accept");
            html = accept != null && accept.contains("text/html");
        }
        exchange.fields().set("Content-Type", html ? ErrorPage.TYPE : "text/plain;charset=utf-8");
        byte[] bytes =
                html
                        ? ErrorPage.html(exchange, status, text, null)
                        : lines(
                                        status + " " + Status.reason(status),
                                        text,
                                        ErrorPage.reference(exchange, status))
                                .getBytes(StandardCharsets.UTF_8);
        exchange.end(bytes, 0, bytes.length);
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
