package io.margay.servlet.engine.request;

import io.margay.server.exchange.ExchangeRequest;
import jakarta.servlet.ServletConnection;

/// The connection of one request as the Servlet interface shows it (Servlet 6.1 §3.15). Immutable.
record ConnectionInfo(String id, String protocol, boolean secure) implements ServletConnection {
    static ConnectionInfo of(ExchangeRequest exchange) {
        boolean tls = exchange.tls() != null;
        String protocol =
                switch (exchange.request().version()) {
                    case HTTP_1_0 -> "http/1.0";
                    case HTTP_1_1 -> "http/1.1";
                    case HTTP_2 -> tls ? "h2" : "h2c";
                    case HTTP_3 -> "h3";
                };
        boolean secure = tls || exchange.secure();
        return new ConnectionInfo(Long.toString(exchange.connectionId()), protocol, secure);
    }

    @Override
    public String getConnectionId() {
        return id;
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public String getProtocolConnectionId() {
        return "";
    }

    @Override
    public boolean isSecure() {
        return secure;
    }
}
