package io.margay.compat.httpd.tls;

import io.margay.compat.account.Place;
import java.util.List;
import java.util.Set;

/// A virtual host, or the main server, as its listeners see it.
///
/// @param addresses `ADDRESS:PORT`, `*:PORT`; empty for the main server
/// @param tls what its own directives say
public record TlsHost(Place place, List<String> addresses, List<String> names, HttpdTls tls) {
    public TlsHost {
        addresses = List.copyOf(addresses);
        names = List.copyOf(names);
    }

    /// Takes those names by which no earlier host at the same place is found.
    ///
    /// @param taken names of earlier hosts, which those are added to
    public static List<String> take(Set<String> taken, List<String> names) {
        List<String> own = names.stream().distinct().filter(name -> !isTaken(taken, name)).toList();
        taken.addAll(own);
        return own;
    }

    /// Whether an earlier host at the same place is found by a name: by itself, or by a `*.` that
    /// covers it. httpd asks hosts in their order, and not for the longest name.
    ///
    /// @param taken names of earlier hosts
    public static boolean isTaken(Set<String> taken, String name) {
        boolean found = taken.contains(name);
        for (int dot = name.indexOf('.'); !found && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            found = taken.contains("*" + name.substring(dot));
        }
        return found;
    }
}
