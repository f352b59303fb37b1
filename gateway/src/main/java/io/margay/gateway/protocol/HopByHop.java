package io.margay.gateway.protocol;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Which fields concern one connection only (RFC 9110 §7.6.1). Immutable.
public final class HopByHop {
    private static final HopByHop NONE_NOMINATED = new HopByHop(Set.of());

    /// Names in lower case that `Connection` nominates, beside those that are known.
    private final Set<String> nominated;

    private HopByHop(Set<String> nominated) {
        this.nominated = nominated;
    }

    /// Reads what a message's `Connection` fields nominate.
    public static HopByHop of(Fields fields) {
        int line = fields.indexOf("connection", 0);
        if (line < 0) {
            return NONE_NOMINATED;
        }
        Set<String> found = null;
        for (; line >= 0; line = fields.indexOf("connection", line + 1)) {
            if (fields.valueIs(line, "keep-alive") || fields.valueIs(line, "close")) {
                continue;
            }
            for (String token : fields.value(line).split(",")) {
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
    public boolean nominates(String lowerCase) {
        return nominated.contains(lowerCase);
    }

    /// Whether a field that was received ends here.
    public boolean takes(Fields fields, int index) {
        boolean known =
                switch (fields.nameLength(index)) {
                    case 2 -> fields.nameIs(index, "te");
                    case 7 -> fields.nameIs(index, "trailer") || fields.nameIs(index, "upgrade");
                    case 10 ->
                            fields.nameIs(index, "connection")
                                    || fields.nameIs(index, "keep-alive");
                    case 14 -> fields.nameIs(index, "http2-settings");
                    case 16 -> fields.nameIs(index, "proxy-connection");
                    case 17 -> fields.nameIs(index, "transfer-encoding");
                    case 18 -> fields.nameIs(index, "proxy-authenticate");
                    case 19 -> fields.nameIs(index, "proxy-authorization");
                    default -> false;
                };
        return known
                || (!nominated.isEmpty() && nominates(fields.name(index).toLowerCase(Locale.ROOT)));
    }
}
