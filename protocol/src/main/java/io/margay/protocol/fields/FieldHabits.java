package io.margay.protocol.fields;

import java.util.Set;

/// What is known of fields by their names, as far as it matters for compressing them. Immutable.
public final class FieldHabits {
    private static final Set<String> SECRET =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");
    private static final Set<String> FICKLE =
            Set.of(
                    ":path",
                    "age",
                    "content-length",
                    "content-range",
                    "etag",
                    "if-modified-since",
                    "if-none-match",
                    "last-modified",
                    "location",
                    "sec-websocket-accept",
                    "sec-websocket-key",
                    "x-request-id");

    private FieldHabits() {}

    /// Whether nobody on the way may index it (RFC 7541 §7.1.3, RFC 9204 §7.1.3).
    public static boolean isSecret(String name) {
        return SECRET.contains(name);
    }

    /// Whether its value is new each time, so that it would only push others out of a table.
    public static boolean isFickle(String name) {
        return FICKLE.contains(name);
    }
}
