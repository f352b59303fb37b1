package io.margay.gateway.rules.compiled;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;

/// The parts of the name of a certificate's subject or issuer, in the order of the certificate, by
/// mod_ssl's names of their types: `CN`, `OU`, `Email`. Immutable.
public record DistinguishedName(List<Part> parts) {
    /// What RFC 2253 has no names for.
    private static final Map<String, String> TYPES =
            Map.of(
                    "1.2.840.113549.1.9.1", "Email",
                    "2.5.4.4", "S",
                    "2.5.4.5", "serialNumber",
                    "2.5.4.12", "T",
                    "2.5.4.13", "D",
                    "2.5.4.42", "G",
                    "2.5.4.43", "I");

    /// One part, as in `OU=staff`.
    public record Part(String type, String value) {
        /// Reads `OU=staff`.
        ///
        /// @throws IllegalArgumentException where it is none
        public static Part parse(String text) {
            int equals = text.indexOf('=');
            if (equals <= 0
                    || equals == text.length() - 1
                    || !text.substring(0, equals).matches("[A-Za-z]+")) {
                throw new IllegalArgumentException("\"" + text + "\" is not a part as in OU=staff");
            }
            return new Part(text.substring(0, equals), text.substring(equals + 1));
        }

        @Override
        public String toString() {
            return type + "=" + value;
        }
    }

    public DistinguishedName {
        parts = List.copyOf(parts);
    }

    /// The name of a principal.
    public static DistinguishedName of(X500Principal principal) {
        String name = principal.getName(X500Principal.RFC2253, TYPES);
        List<Part> parts = new ArrayList<>();
        int group = 0;
        int from = 0;
        while (from < name.length()) {
            int end = end(name, from);
            int equals = name.indexOf('=', from);
            if (equals > from && equals < end) {
                String value = name.substring(equals + 1, end).replaceAll("\\\\(.)", "$1");
                // RFC 2253 writes the last part first, but what is joined by + in its order.
                parts.add(group, new Part(name.substring(from, equals), value));
            }
            group = end < name.length() && name.charAt(end) == '+' ? group + 1 : 0;
            from = end + 1;
        }
        return new DistinguishedName(parts);
    }

    /// Where the part that begins at an index ends.
    private static int end(String name, int from) {
        for (int i = from; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',' || c == '+') {
                return i;
            }
        }
        return name.length();
    }

    /// Whether it has a part of this type and value; case counts in values alone.
    public boolean has(Part wanted) {
        return parts.stream()
                .anyMatch(part ->
                        part.type.equalsIgnoreCase(wanted.type) && part.value.equals(wanted.value));
    }

    /// The value of the first part of a type, or with `TYPE_n` of the one after n others; empty
    /// where there is none.
    String value(String type) {
        int line = type.indexOf('_');
        String kind = line < 0 ? type : type.substring(0, line);
        String number = line < 0 ? "0" : type.substring(line + 1);
        if (!number.matches("[0-9]{1,3}")) {
            return "";
        }
        return parts.stream()
                .filter(part -> part.type.equalsIgnoreCase(kind))
                .skip(Integer.parseInt(number))
                .map(Part::value)
                .findFirst()
                .orElse("");
    }
}
