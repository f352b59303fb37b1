package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;

/// What the client gets when no peer has responded. Stateless.
final class FailureResponse {
    private FailureResponse() {}

    /// The status by the outcome of the last attempt; where TLS has failed, it is mod_proxy's where
    /// that is what the rules are of.
    static int status(Outcome outcome, ProxyRules rules) {
        return switch (outcome) {
            case REPLY_TIMEOUT -> 504;
            case TLS_FAILED -> rules.isOfModProxy() ? 500 : 502;
            case BROKEN -> 502;
            case CONNECT_FAILED,
                    BUSY,
                    NO_MEMORY,
                    PING_FAILED,
                    BAD_STATUS,
                    SOFT_BAD_STATUS,
                    DECLINED ->
                    503;
            case UNSUPPORTED -> 501;
            case OK, CLIENT_FAILED -> 500;
        };
    }

    /// The text of the page.
    static String text(Outcome outcome) {
        return switch (outcome) {
            case REPLY_TIMEOUT -> "The server behind this gateway did not respond in time.";
            case BROKEN -> "The server behind this gateway sent no valid response.";
            case UNSUPPORTED -> "The server behind this gateway takes no WebSocket.";
            case BUSY -> "The servers behind this gateway are busy.";
            case NO_MEMORY -> "This gateway has no memory for the request now.";
            case TLS_FAILED -> "TLS with the server behind this gateway failed.";
            case CONNECT_FAILED, PING_FAILED -> "The server behind this gateway cannot be reached.";
            case BAD_STATUS, SOFT_BAD_STATUS, DECLINED, OK, CLIENT_FAILED -> "";
        };
    }
}
