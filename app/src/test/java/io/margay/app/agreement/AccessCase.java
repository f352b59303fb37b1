package io.margay.app.agreement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

    /// One that stands in a file beside this class.
    public static AccessCase ofFile(String name) throws IOException {
        try (InputStream in = AccessCase.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
            return new AccessCase(0, text, Map.of(), false, AccessProbes.plain());
        }
    }

    /// What all its files say.
    String all() {
        return text + files.values();
    }
}
