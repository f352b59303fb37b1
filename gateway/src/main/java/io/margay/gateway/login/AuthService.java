package io.margay.gateway.login;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
/// @param telling what it is told in place of the usual; null = the usual
public record AuthService(
        String upstream,
        String target,
        List<String> fields,
        @Nullable String user,
        @Nullable String groups,
        List<String> responseFields,
        Duration timeout,
        @Nullable Telling telling) {
    /// Long enough for a service that asks a directory, and short enough for who waits.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /// What clients log in by: the service must see it.
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie");

    /// One that is told the usual.
    public AuthService(
            String upstream,
            String target,
            List<String> fields,
            @Nullable String user,
            @Nullable String groups,
            List<String> responseFields,
            Duration timeout) {
        this(upstream, target, fields, user, groups, responseFields, timeout, null);
    }

    /// One whose users have no names.
    public AuthService(String upstream, String target, Telling telling, Duration timeout) {
        this(upstream, target, List.of(), null, null, List.of(), timeout, telling);
    }

    /// What a service is told of a request besides its own fields, and what is known of the answer,
    /// as nginx's `auth_request` has it: 401 and 403 are the client's, and what is neither these
    /// nor a success is 500. Immutable.
    ///
    /// @param fields variables with the values, by the fields' names; an empty one takes a field
    ///   away
    /// @param learned fields of the answer, by the variables that have their values from then on;
    ///   an empty name is the status
    public record Telling(Map<String, String> fields, Map<String, String> learned) {
        public Telling {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            learned = Collections.unmodifiableMap(new LinkedHashMap<>(learned));
        }
    }

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
