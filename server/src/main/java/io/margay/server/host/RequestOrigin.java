package io.margay.server.host;

import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Who has made a request, as far as it can be told: a page of another site may have a browser send
/// one, with the credentials that the browser keeps (cross-site request forgery).
///
/// ```
/// Sec-Fetch-Site   browsers, to https and loopback addresses only
/// Origin           browsers, with POST
/// Referer          browsers, unless the page has asked them not to
/// User-Agent       who says none of these and calls itself a browser is UNKNOWN
/// ```
public enum RequestOrigin {
    /// A page of this site, a user, or a program that is no browser.
    OWN,
    /// A page of another site.
    OTHER,
    /// A browser that does not say.
    UNKNOWN;

    /// Judges a request.
    public static RequestOrigin of(ExchangeRequest exchange) {
        RequestHead head = exchange.request();
        String site = head.field("sec-fetch-site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none") ? OWN : OTHER;
        }
        boolean secure = exchange.scheme().equals("https");
        String origin = head.field("origin");
        String referer = head.field("referer");
        if (origin != null || referer != null) {
            boolean own =
                    (origin == null || isOwn(origin, head, secure))
                            && (referer == null || isOwn(referer, head, secure));
            return own ? OWN : OTHER;
        }
        return isBrowser(head.field("user-agent")) ? UNKNOWN : OWN;
    }

    private static boolean isOwn(String url, RequestHead head, boolean secure) {
        String authority = head.target().authority();
        try {
            URI uri = URI.create(url);
            return authority != null
                    && authority.equalsIgnoreCase(uri.getRawAuthority())
                    && ("https".equals(uri.getScheme())
                            || (!secure && "http".equals(uri.getScheme())));
        } catch (IllegalArgumentException e) {
            return false; // Such as the Origin `null`.
        }
    }

    /// All browsers begin so, and few others.
    private static boolean isBrowser(@Nullable String userAgent) {
        String name = userAgent == null ? "" : userAgent.toLowerCase(Locale.ROOT);
        return name.startsWith("mozilla/") || name.startsWith("opera/");
    }
}
