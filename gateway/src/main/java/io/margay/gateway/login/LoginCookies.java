package io.margay.gateway.login;

import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cookies of a request by which users are logged in at a provider. They are taken out of the
/// request, for who is behind could log in with them. Immutable.
public final class LoginCookies {
    /// A browser that knows this beginning takes such a cookie from this host alone, by HTTPS.
    public static final String HOST_PREFIX = "__Host-";

    /// After the name of the cookie of logins: one of a login that is on its way, with a number
    /// behind it.
    public static final String STATE = "-state-";

    /// After the same: a further cookie of a login that has no room in one, with its number, from 2
    /// on.
    public static final String PART = "-part-";

    /// Cookies of a login: the number has one digit.
    public static final int PARTS_MAX = 9;

    private static final LoginCookies NONE = new LoginCookies(Map.of());

    /// Empty values are those that came more than once: nobody knows which one counts.
    private final Map<String, String> values;

    private LoginCookies(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /// Those that were taken out of a request.
    public static LoginCookies of(Exchange exchange) {
        LoginCookies taken = LoginFindings.of(exchange).cookies();
        return taken == null ? NONE : taken;
    }

    /// The value of a cookie; null where there is none, or several.
    public @Nullable String get(String name) {
        String value = values.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /// Takes them out of a request, once.
    static void take(Exchange exchange, Collection<OpenIdClient> clients) {
        if (clients.isEmpty() || LoginFindings.of(exchange).cookies() != null) {
            return;
        }
        Fields received = exchange.request().fields();
        Map<String, String> taken = new HashMap<>();
        Fields.Builder left = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            String value = received.value(i);
            if (received.nameIs(i, "cookie")) {
                value = take(value, clients, taken);
            }
            if (value != null) {
                left.add(received.name(i), value);
            }
        }
        LoginFindings.of(exchange).cookies(taken.isEmpty() ? NONE : new LoginCookies(taken));
        if (!taken.isEmpty()) {
            exchange.replaceFields(left.build());
        }
    }

    /// @return what is left of a field; null = nothing
    private static @Nullable String take(
            String field, Collection<OpenIdClient> clients, Map<String, String> to) {
        List<String> left = new ArrayList<>();
        String[] pairs = field.split(";", -1);
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String name = (equals < 0 ? pair : pair.substring(0, equals)).strip();
            if (clients.stream().anyMatch(client -> isOf(client, name))) {
                String value = equals < 0 ? "" : pair.substring(equals + 1).strip();
                String _ = to.merge(name, value, (_, _) -> "");
            } else {
                left.add(pair.strip());
            }
        }
        return left.size() == pairs.length
                ? field
                : left.isEmpty() ? null : String.join("; ", left);
    }

    private static boolean isOf(OpenIdClient client, String name) {
        String plain = name.startsWith(HOST_PREFIX) ? name.substring(HOST_PREFIX.length()) : name;
        String cookie = client.session().cookie();
        return plain.equals(cookie)
                || plain.startsWith(cookie + STATE)
                || plain.startsWith(cookie + PART);
    }
}
