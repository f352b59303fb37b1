package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What those who answer an exchange tell each other of it. Owned as its exchange is.
public final class ExchangeNotes {
    private @Nullable Relay relay;
    private @Nullable ExchangeRules rules;
    private boolean own;
    private @Nullable SocketAddress client;

    /// Who answered in place of this server, or null.
    public @Nullable Relay relay() {
        return relay;
    }

    /// Notes who is asked in place of this server.
    public void relay(Relay by) {
        relay = by;
    }

    /// Notes what its host changes in it.
    public void rules(ExchangeRules ofHost) {
        rules = ofHost;
    }

    /// Where the client is, as a trusted front end has told; null when it is the other end of the
    /// connection.
    public @Nullable SocketAddress client() {
        return client;
    }

    /// Notes where the client is.
    public void client(SocketAddress address) {
        client = address;
    }

    /// Notes that the answer is this server's own.
    public void own() {
        own = true;
    }

    /// Gives the host its say on a request that goes to another server.
    ///
    /// @return whether it has one
    public boolean request(Exchange exchange, FieldList fields) {
        if (rules == null) {
            return false;
        }
        rules.request(exchange, fields);
        return true;
    }

    /// Gives the host its say on the head of the response.
    public void head(Exchange exchange) {
        if (rules != null) {
            rules.head(exchange, own);
        }
    }

    /// Lets the host answer with an error.
    ///
    /// @return whether it has done so
    public boolean error(Exchange exchange, int status) throws IOException {
        own = true;
        return rules != null && status >= 400 && rules.error(exchange, status);
    }
}
