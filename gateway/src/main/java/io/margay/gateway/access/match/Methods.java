package io.margay.gateway.access.match;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The request methods that something is about. `HEAD` goes with `GET`, as in httpd. Immutable.
///
/// @param names those that are listed
/// @param except whether it is about all others
public record Methods(Set<String> names, boolean except) {
    /// Every method.
    public static final Methods ALL = new Methods(Set.of(), true);

    public Methods {
        Set<String> canonical = new TreeSet<>();
        names.forEach(name -> canonical.add(canonical(name)));
        names = Collections.unmodifiableSet(canonical);
    }

    /// Those that are listed.
    public static Methods of(List<String> names) {
        return new Methods(Set.copyOf(names), false);
    }

    /// Whether a method of [#canonical] is one of them.
    public boolean has(String method) {
        return names.contains(method) != except;
    }

    /// What an `Allow` field says of methods.
    ///
    /// @param served null = none
    public static String allow(@Nullable Set<String> served) {
        Set<String> all = served == null ? new TreeSet<>() : new TreeSet<>(served);
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        return String.join(", ", all);
    }

    /// The name under which a method is listed.
    public static String canonical(String method) {
        return method.equals("HEAD") ? "GET" : method;
    }
}
