package io.margay.compat.httpd.tls;

import io.margay.compat.account.Place;
import java.util.List;

/// A virtual host, or the main server, as its listeners see it.
///
/// @param addresses `ADDRESS:PORT`, `*:PORT`; empty for the main server
/// @param tls what its own directives say
public record TlsHost(Place place, List<String> addresses, List<String> names, HttpdTls tls) {
    public TlsHost {
        addresses = List.copyOf(addresses);
        names = List.copyOf(names);
    }
}
