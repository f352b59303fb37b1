package io.margay.gateway.proxy;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Which fields concern one connection only (RFC 9110 §7.6.1). Immutable.
final class HopByHop {
    private static final HopByHop NONE_NOMINATED = new HopByHop(Set.of());

    /// Names in lower case that `Connection` nominates, beside those that are known.
    private final Set<String> nominated;

    private HopByHop(Set<String> nominated) {
        this.nominated = nominated;
    }

    /// Reads what a message's `Connection` fields nominate.
    static HopByHop of(Fields fields) {
        int line = fields.indexOf("connection", 0);
        if (line < 0) {
            return NONE_NOMINATED;
        }
        Set<String> found = null;
        for (; line >= 0; line = fields.indexOf("connection", line + 1)) {
            String value = fields.value(line);
            if (isPlain(value)) {
                continue;
            }
            for (String token : value.split(",")) {
                String name = token.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty() && !isPlain(name)) {
                    found = found == null ? new HashSet<>() : found;
                    found.add(name);
                }
            }
        }
        return found == null ? NONE_NOMINATED : new HopByHop(found);
    }

    private static boolean isPlain(String value) {
        return Octets.equalsIgnoreCase(value, "keep-alive")
                || Octets.equalsIgnoreCase(value, "close");
    }

    /// Whether `Connection` holds this token.
    boolean nominates(String lowerCase) {
        return nominated.contains(lowerCase);
    }

    /// Whether the field ends here.
    boolean takes(String name) {
        boolean known =
                switch (name.length()) {
                    case 2 -> Octets.equalsIgnoreCase(name, "te");
                    case 7 ->
                            Octets.equalsIgnoreCase(name, "trailer")
                                    || Octets.equalsIgnoreCase(name, "upgrade");
                    case 10 ->
                            Octets.equalsIgnoreCase(name, "connection")
                                    || Octets.equalsIgnoreCase(name, "keep-alive");
                    case 14 -> Octets.equalsIgnoreCase(name, "http2-settings");
                    case 16 -> Octets.equalsIgnoreCase(name, "proxy-connection");
                    case 17 -> Octets.equalsIgnoreCase(name, "transfer-encoding");
                    case 18 -> Octets.equalsIgnoreCase(name, "proxy-authenticate");
                    case 19 -> Octets.equalsIgnoreCase(name, "proxy-authorization");
                    default -> false;
                };
        return known || (!nominated.isEmpty() && nominated.contains(name.toLowerCase(Locale.ROOT)));
    }
}
