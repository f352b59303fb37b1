package io.margay.login.oidc;

import io.margay.gateway.login.LoginCookies;
import io.margay.gateway.login.OpenIdClient;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request as the client of a provider sees it: how browsers call this server, and what kind of
/// request it is. Immutable.
///
/// @param origin scheme and authority, as in https://shop.example
record BrowserRequest(OpenIdClient client, Exchange exchange, String origin) {
    /// What names a host, with a port or without.
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?");

    /// Null for a request whose host is none.
    static @Nullable BrowserRequest of(OpenIdClient client, Exchange exchange) {
        String configured = client.paths().origin();
        if (configured != null) {
            return new BrowserRequest(client, exchange, configured);
        }
        String authority = exchange.request().target().authority();
        return authority != null && AUTHORITY.matcher(authority).matches()
                ? new BrowserRequest(client, exchange, exchange.scheme() + "://" + authority)
                : null;
    }

    /// Where the provider sends users back to.
    URI redirect() {
        return URI.create(origin + client.paths().redirectPath());
    }

    /// Whether browsers come by HTTPS.
    boolean isSecure() {
        return origin.startsWith("https:");
    }

    /// Whether the request calls this server otherwise than the provider does, so that cookies of a
    /// login would not come back.
    boolean isElsewhere() {
        String configured = client.paths().origin();
        String authority = exchange.request().target().authority();
        return configured != null
                && authority != null
                && !configured.replaceFirst("^[a-z]+://", "").equalsIgnoreCase(authority);
    }

    /// Path and query as they were asked for.
    String target() {
        RequestTarget target = exchange.request().target();
        String query = target.rawQuery();
        return target.rawPath() + (query == null ? "" : "?" + query);
    }

    /// Whether a browser opens a page, so that it can be sent to a provider: what a script asks
    /// for, an image, or what has content would be lost.
    boolean isNavigation() {
        Fields fields = exchange.request().fields();
        String method = exchange.request().method();
        if (!(method.equals("GET") || method.equals("HEAD"))
                || fields.contains("upgrade")
                || fields.contains("x-requested-with")) {
            return false;
        }
        String mode = fields.get("sec-fetch-mode");
        if (mode != null) {
            return mode.equals("navigate");
        }
        String accept = fields.get("accept");
        return accept == null
                || accept.contains("text/html")
                || accept.contains("application/xhtml+xml")
                || accept.contains("*/*");
    }

    /// The name of a cookie.
    String name(String suffix) {
        return (isSecure() ? LoginCookies.HOST_PREFIX : "") + client.session().cookie() + suffix;
    }

    /// The value of a cookie of the request; null where there is none.
    @Nullable String cookie(String suffix) {
        return LoginCookies.of(exchange).get(name(suffix));
    }

    /// A `Set-Cookie` field. Browsers send it with requests that other sites lead to, as the
    /// provider does, but not with those that other sites make themselves.
    ///
    /// @param seconds that it lives; negative = as long as the browser runs
    String setCookie(String suffix, String value, long seconds) {
        return name(suffix)
                + "="
                + value
                + "; Path=/; HttpOnly; SameSite=Lax"
                + (isSecure() ? "; Secure" : "")
                + (seconds < 0 ? "" : "; Max-Age=" + seconds);
    }

    /// The value of a cookie of a login, of which there may be several.
    ///
    /// @param place of the cookie, from 0 on
    @Nullable String login(int place) {
        return cookie(suffix(place));
    }

    private static String suffix(int place) {
        return place == 0 ? "" : LoginCookies.PART + (place + 1);
    }

    /// The `Set-Cookie` fields of a login that lasts as long as the browser runs. Further cookies
    /// of the login that it replaces end.
    ///
    /// @param values of its cookies
    List<String> setLogin(List<String> values) {
        List<String> set = new ArrayList<>();
        for (int place = 0; place < values.size(); place++) {
            set.add(setCookie(suffix(place), values.get(place), -1));
        }
        for (int place = Math.max(1, values.size()); place < LoginCookies.PARTS_MAX; place++) {
            if (login(place) != null) {
                set.addAll(without(suffix(place)));
            }
        }
        return set;
    }

    /// The cookies of a login that end.
    List<String> withoutLogin() {
        List<String> set = new ArrayList<>(without(""));
        set.addAll(setLogin(List.of()));
        return set;
    }

    /// A URL of this server, for a path; other URLs stay.
    String url(String pathOrUrl) {
        return pathOrUrl.startsWith("/") ? origin + pathOrUrl : pathOrUrl;
    }

    /// Whether a URL, or a path, leads to this server, whoever has made it up.
    boolean isOwn(String pathOrUrl) {
        String path =
                pathOrUrl.startsWith(origin + "/")
                        ? pathOrUrl.substring(origin.length())
                        : pathOrUrl;
        return path.matches("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*+")
                && !path.startsWith("//");
    }

    /// A cookie that ends.
    List<String> without(String suffix) {
        return List.of(setCookie(suffix, "", 0));
    }
}
