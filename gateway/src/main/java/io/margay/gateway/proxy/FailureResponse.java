package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.protocol.LargeHeadException;
import io.margay.gateway.retry.RetryRule;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.UndecidedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the client gets when no peer has responded. Stateless.
final class FailureResponse {
    private FailureResponse() {}

    /// The status by the outcome of the last attempt.
    ///
    /// @param last the peer of that attempt
    static int status(Outcome outcome, Upstream upstream, Peer last, RequestHead request) {
        return switch (upstream.config().dialect()) {
            case MOD_PROXY -> ofModProxy(outcome, last.config().address().scheme(), request);
            case NGINX -> ofNginx(outcome);
            case MARGAY, MOD_JK -> status(outcome);
        };
    }

    /// The status where no peer may be asked at all.
    static int statusOfNone(Upstream upstream) {
        return upstream.config().dialect() == BalanceDialect.NGINX ? 502 : 503;
    }

    private static int ofNginx(Outcome outcome) {
        return switch (outcome) {
            case CONNECT_FAILED, PING_FAILED, BUSY, DECLINED -> 502;
            default -> status(outcome);
        };
    }

    /// As with mod_proxy, but that a peer that is too slow is always 504: it is another status for
    /// each of its protocols.
    private static int ofModProxy(Outcome outcome, PeerScheme scheme, RequestHead request) {
        boolean broken = outcome == Outcome.BROKEN;
        if (broken && scheme == PeerScheme.AJP) {
            // To mod_proxy_ajp a request with a query is not idempotent, nor is PROPFIND.
            boolean again =
                    RetryRule.isIdempotent(request.method())
                            && !request.method().equals("PROPFIND")
                            && request.target().rawQuery() == null
                            && request.contentLength() == RequestHead.NO_BODY;
            return again ? 503 : 500;
        }
        if (broken && scheme == PeerScheme.FCGI) {
            return 503;
        }
        return outcome == Outcome.TLS_FAILED ? 500 : status(outcome);
    }

    private static int status(Outcome outcome) {
        return switch (outcome) {
            case REPLY_TIMEOUT -> 504;
            case TLS_FAILED, BROKEN -> 502;
            case CONNECT_FAILED,
                    BUSY,
                    NO_MEMORY,
                    PING_FAILED,
                    BAD_STATUS,
                    SOFT_BAD_STATUS,
                    DECLINED ->
                    503;
            case UNSUPPORTED -> 501;
            case OK, CLIENT_FAILED, OUTRUN -> 500;
        };
    }

    /// The status of a request that a protocol cannot carry.
    static int statusOfUnsent(RuntimeException cause) {
        return cause instanceof LargeHeadException
                ? 431
                : cause instanceof UndecidedException ? 500 : 502;
    }

    /// The text of its page.
    static String textOfUnsent(RuntimeException cause) {
        return cause instanceof LargeHeadException
                ? "The head is too large for the server."
                : "It cannot be passed on.";
    }

    /// What a response says of the peer, where it does not go to the client as it is; else null.
    ///
    /// @param another whether another peer can be asked
    static @Nullable Outcome outcome(
            ResponseHead response, PeerConfig peer, ProxyRules rules, boolean another) {
        int status = response.status();
        List<Integer> hard = rules.failStatuses();
        List<Integer> soft = rules.softFailStatuses();
        if (another
                && status == 503
                && response.fields().contains(ResponseFields.UNKNOWN_SESSION)) {
            return Outcome.DECLINED;
        }
        if ((hard == null ? peer.failures().failStatuses() : hard).contains(status)) {
            return Outcome.BAD_STATUS;
        }
        return (soft == null ? peer.failures().softFailStatuses() : soft).contains(status)
                ? Outcome.SOFT_BAD_STATUS
                : null;
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
            case BAD_STATUS, SOFT_BAD_STATUS, DECLINED, OK, CLIENT_FAILED, OUTRUN -> "";
        };
    }
}
