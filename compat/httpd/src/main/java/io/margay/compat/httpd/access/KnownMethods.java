package io.margay.compat.httpd.access;

import java.util.Collection;
import java.util.Set;

/// The methods that `AllowMethods` knows, and `Limit` in a `.htaccess` file. A table.
final class KnownMethods {
    private static final Set<String> METHODS =
            Set.of(
                    "GET",
                    "HEAD",
                    "PUT",
                    "POST",
                    "DELETE",
                    "CONNECT",
                    "OPTIONS",
                    "TRACE",
                    "PATCH",
                    "PROPFIND",
                    "PROPPATCH",
                    "MKCOL",
                    "COPY",
                    "MOVE",
                    "LOCK",
                    "UNLOCK",
                    "REPORT");

    private KnownMethods() {}

    static boolean hasAll(Collection<String> names) {
        return METHODS.containsAll(names);
    }
}
