package io.margay.protocol.caching;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.Status;

/// Which responses a shared cache may store (RFC 9111 §3). Stateless.
public final class Storing {
    private Storing() {}

    /// Why a response is not stored; [#STORED] for one that is.
    public enum Verdict {
        STORED,
        /// Not a GET, or a status that is not a whole response.
        METHOD_OR_STATUS,
        /// Request or response says `no-store`.
        NO_STORE,
        /// It says `private`, or is for who is authenticated.
        PRIVATE,
        /// It sets a cookie.
        COOKIE,
        /// `Vary: *`: no other request is like this one.
        VARIES,
        /// It is never fresh and cannot be validated.
        USELESS;
    }

    /// What becomes of a response.
    ///
    /// @param response its fields, as the client gets them
    /// @param freshness of it
    public static Verdict of(
            RequestHead request,
            int status,
            FieldList response,
            Freshness freshness,
            CachePolicy policy) {
        if (!request.method().equals("GET") || status < 200 || status == 206 || status == 304) {
            return Verdict.METHOD_OR_STATUS;
        }
        CacheControl control = Freshness.control(response);
        boolean understood = control.has("must-understand") && isUnderstood(status);
        if ((control.has("no-store") && !understood) || asked(request, policy).has("no-store")) {
            return Verdict.NO_STORE;
        }
        if (control.has("must-understand") && !understood) {
            return Verdict.NO_STORE;
        }
        if (control.has("private")
                || (request.fields().contains("Authorization") && !isForAll(response))) {
            return Verdict.PRIVATE;
        }
        if (!policy.storesCookies()
                && (response.contains("Set-Cookie") || response.contains("Set-Cookie2"))) {
            return Verdict.COOKIE;
        }
        if (Vary.isAny(response)) {
            return Verdict.VARIES;
        }
        return verdict(request, status, response, freshness, policy);
    }

    private static Verdict verdict(
            RequestHead request,
            int status,
            FieldList response,
            Freshness freshness,
            CachePolicy policy) {
        boolean explicit =
                Freshness.isExplicit(response)
                        || Freshness.control(response).has("public")
                        || policy.hasTime(status);
        if (!explicit && !Freshness.isHeuristic(status)) {
            return Verdict.METHOD_OR_STATUS;
        }
        if (!explicit && request.fields().contains("Cookie")) {
            return Verdict.PRIVATE; // nobody has said that it is the same for all
        }
        boolean validator = response.contains("ETag") || response.contains("Last-Modified");
        return freshness.lifetime() > 0 || (validator && status == 200)
                ? Verdict.STORED
                : Verdict.USELESS;
    }

    /// Whether a response says itself that it is for others than who is authenticated, too (RFC
    /// 9111 §3.5).
    public static boolean isForAll(FieldList response) {
        CacheControl control = Freshness.control(response);
        return control.has("public") || control.has("must-revalidate") || control.has("s-maxage");
    }

    /// Whether the meaning of a status is known.
    private static boolean isUnderstood(int status) {
        return !Status.reason(status).isEmpty();
    }

    /// Those that a cache heeds.
    public static CacheControl asked(RequestHead request, CachePolicy policy) {
        return policy.further().ignoresRequests() ? CacheControl.NONE : asked(request);
    }

    /// The directives of a request; `Pragma: no-cache` stands for one where there are none (RFC
    /// 9111 §5.4).
    public static CacheControl asked(RequestHead request) {
        Fields fields = request.fields();
        if (fields.contains("Cache-Control")) {
            return CacheControl.of(fields.all("Cache-Control"));
        }
        String pragma = fields.get("Pragma");
        return pragma == null ? CacheControl.NONE : CacheControl.of(fields.all("Pragma"));
    }
}
