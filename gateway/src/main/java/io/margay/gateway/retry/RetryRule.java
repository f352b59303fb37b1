package io.margay.gateway.retry;

import io.margay.gateway.config.PeerConfig;

/// Whether a request whose attempt has failed may be tried once more. Stateless.
///
/// Where nothing was sent, any may. Where the peer may have begun to work on it, only a method that
/// is idempotent (RFC 9110 §9.2.2) may: a POST never runs twice, whatever is configured.
public final class RetryRule {
    private static final int NONE_AFTER_SENT = 1;
    private static final int NONE_AFTER_HEAD = 2;
    private static final int ALWAYS_HEAD = 8;
    private static final int ALWAYS_GET = 16;

    private RetryRule() {}

    /// Whether repeating it does no harm.
    public static boolean isIdempotent(String method) {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PROPFIND" -> true;
            default -> false;
        };
    }

    /// @param sent whether any of the request was sent
    /// @param answered whether the head of a response came
    /// @param complete whether all of the request's content is at hand still
    public static boolean allows(
            String method,
            PeerConfig.Failures failures,
            boolean sent,
            boolean answered,
            boolean complete) {
        if (!complete) {
            return false;
        }
        if (!sent) {
            return true;
        }
        if (!isIdempotent(method)) {
            return false;
        }
        int options = failures.recoveryOptions();
        boolean always =
                (method.equals("HEAD") && (options & ALWAYS_HEAD) != 0)
                        || (method.equals("GET") && (options & ALWAYS_GET) != 0);
        boolean forbidden =
                (options & NONE_AFTER_SENT) != 0 || (answered && (options & NONE_AFTER_HEAD) != 0);
        return always || !forbidden;
    }
}
