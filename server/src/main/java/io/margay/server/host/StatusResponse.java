package io.margay.server.host;

import io.margay.protocol.http.Status;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Short answers that no handler gives. Stateless.
public final class StatusResponse {
    private StatusResponse() {}

    /// Ends the exchange with a status and a line of text that says so.
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
        String page =
                status + " " + Status.reason(status) + "\n" + text + (text.isEmpty() ? "" : "\n");
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        exchange.status(status);
        exchange.fields().set("Content-Type", "text/plain;charset=utf-8");
        exchange.end(bytes, 0, bytes.length);
    }
}
