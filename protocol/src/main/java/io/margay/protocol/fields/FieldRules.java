package io.margay.protocol.fields;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.FieldNames;
import io.margay.protocol.http.Octets;

/// What HTTP/2 and HTTP/3 may send in a head. Stateless.
public final class FieldRules {
    private FieldRules() {}

    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been encoded then
    public static void check(FieldList fields) {
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            checkName(name);
            checkValue(name, fields.value(i));
        }
    }

    private static void checkName(String name) {
        if (!FieldNames.isUsual(name) && !Octets.isToken(name)) {
            throw new IllegalArgumentException("a field's name is not a token");
        }
    }

    private static void checkValue(String name, String value) {
        for (int k = 0; k < value.length(); k++) {
            char c = value.charAt(k);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException(
                        "the value of " + name + " has a character that cannot be sent");
            }
        }
    }

    /// The same for a request, whose pseudo-header fields come first.
    public static void checkRequest(FieldList fields) {
        boolean begun = false;
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            if (isOfRequestLine(name)) {
                if (begun || fields.value(i).indexOf(' ') >= 0) {
                    throw new IllegalArgumentException(name + " cannot be sent so");
                }
            } else {
                begun = true;
                checkName(name);
            }
            checkValue(name, fields.value(i));
        }
    }

    /// Whether it is a pseudo-header field (RFC 9113 §8.3.1, RFC 8441 §4).
    private static boolean isOfRequestLine(String name) {
        return !name.isEmpty()
                && name.charAt(0) == ':'
                && switch (name) {
                    case ":method", ":scheme", ":authority", ":path", ":protocol" -> true;
                    default -> false;
                };
    }

    /// Whether it belongs to a connection of HTTP/1 (RFC 9113 §8.2.2, RFC 9114 §4.2), or is a field
    /// that who sends writes itself.
    ///
    /// @param name in lower case
    public static boolean isOwn(String name) {
        return switch (name) {
            case "connection",
                    "keep-alive",
                    "proxy-connection",
                    "transfer-encoding",
                    "upgrade",
                    "content-length",
                    "host" ->
                    true;
            default -> false;
        };
    }
}
