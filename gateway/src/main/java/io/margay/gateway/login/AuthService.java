package io.margay.gateway.login;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A service that says who may pass, as configured. Immutable.
///
/// @param upstream by which it is reached
/// @param target path and query that it is asked for
/// @param fields of its answer that take the place of the client's own in the request
/// @param user field of its answer that is the user's name; null = users have none
/// @param groups field of its answer that lists the user's groups, with commas; null = none
/// @param responseFields fields of its answer that the client gets when it is let in
/// @param timeout until the answer must be whole
public record AuthService(
        String upstream,
        String target,
        List<String> fields,
        @Nullable String user,
        @Nullable String groups,
        List<String> responseFields,
        Duration timeout) {
    /// Long enough for a service that asks a directory, and short enough for who waits.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /// What clients log in by: the service must see it.
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie");

    public AuthService {
        fields = List.copyOf(fields);
        responseFields = List.copyOf(responseFields);
    }

    /// Names of fields that only the service may say, as [#canonical]; what clients log in by is
    /// theirs until the service takes its place.
    public Set<String> reserved() {
        Set<String> names = new LinkedHashSet<>();
        fields.forEach(name -> names.add(canonical(name)));
        if (user != null) {
            names.add(canonical(user));
        }
        if (groups != null) {
            names.add(canonical(groups));
        }
        names.removeAll(CREDENTIALS);
        return names;
    }

    /// A name as programs see it that take `_` for `-`, in lower case.
    public static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
