package io.margay.app.agreement;

import java.util.List;
import java.util.Map;

/// A configuration that was made by chance, and the requests that it is tried with. Immutable.
///
/// @param text `httpd.conf`, in which `@PORT@`, `@TLS@`, `@PEER@` and `@DIR@` are yet to be
///   replaced
/// @param files `.htaccess` files by their paths below `@DIR@`
/// @param tls whether it has hosts that speak TLS
public record AccessCase(
        long seed, String text, Map<String, String> files, boolean tls, List<AccessProbe> probes) {
    public AccessCase {
        files = Map.copyOf(files);
        probes = List.copyOf(probes);
    }

    /// What all its files say.
    String all() {
        return text + files.values();
    }
}
