package io.margay.gateway.protocol;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;

/// What a client has asked for, as peers may see it. Stateless.
public final class ClientTarget {
    private ClientTarget() {}

    /// Path and query as received, where the path has no segment that another server could read
    /// otherwise; else the canonical path, encoded anew (CVE-2018-11759).
    public static String of(Exchange exchange) {
        RequestTarget target = exchange.request().target();
        String raw = target.rawPath();
        if (raw.equals("*")) {
            return raw;
        }
        CanonicalPath read = exchange.path();
        boolean plain =
                !raw.contains("//")
                        && !raw.contains("/.")
                        && read.reading().withSlashes(raw).equals(raw);
        String path = plain ? raw : read.encoded();
        String query = target.rawQuery();
        return query == null ? path : path + "?" + query;
    }
}
