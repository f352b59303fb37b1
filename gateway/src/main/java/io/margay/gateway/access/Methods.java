package io.margay.gateway.access;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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
    boolean has(String method) {
        return names.contains(method) != except;
    }

    /// The name under which a method is listed.
    static String canonical(String method) {
        return method.equals("HEAD") ? "GET" : method;
    }
}
