package io.margay.gateway.proxy;

import io.margay.gateway.config.UpstreamConfig.Sticky;
import io.margay.protocol.http.Cookies;
import io.margay.server.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the session ids of a request. Stateless.
final class Sessions {
    private Sessions() {}

    /// The ids with their route suffixes: of the path parameter, of the query where that is asked
    /// for, of the cookies.
    static List<String> of(Exchange exchange, Sticky sticky, ProxyRules.SelectionRules rules) {
        if (!sticky.enabled() || rules.ignoreSessions()) {
            return List.of();
        }
        String cookie = or(rules.sessionCookie(), sticky.cookie());
        String parameter = or(rules.sessionParameter(), sticky.parameter());
        List<String> found = null;
        if (!parameter.isEmpty()) {
            found = parameter(found, exchange.request().target().rawPath(), ';', parameter);
            String query = exchange.request().target().rawQuery();
            if (sticky.queryParameter() && query != null) {
                found = parameter(found, "&" + query, '&', parameter);
            }
        }
        if (!cookie.isEmpty() && exchange.request().fields().contains("cookie")) {
            for (Cookies.Cookie each : Cookies.decode(exchange.request().fields())) {
                if (each.name().equals(cookie)) {
                    found = add(found, unquoted(each.value()));
                }
            }
        }
        return found == null ? List.of() : found;
    }

    private static String or(@Nullable String own, String byDefault) {
        return own == null ? byDefault : own;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static @Nullable List<String> parameter(
            @Nullable List<String> found, String text, char before, String name) {
        List<String> list = found;
        for (int at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
            int equals = at + 1 + name.length();
            if (text.startsWith(name, at + 1)
                    && equals < text.length()
                    && text.charAt(equals) == '=') {
                list = add(list, text.substring(equals + 1, end(text, equals + 1)));
            }
        }
        return list;
    }

    private static int end(String text, int from) {
        int at = from;
        while (at < text.length() && ";/?&".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private static List<String> add(@Nullable List<String> found, String id) {
        List<String> list = found == null ? new ArrayList<>(2) : found;
        if (!id.isEmpty()) {
            list.add(id);
        }
        return list;
    }
}
