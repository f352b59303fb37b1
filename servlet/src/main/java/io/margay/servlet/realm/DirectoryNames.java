package io.margay.servlet.realm;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/// Puts what clients send into names and filters of a directory, where it stays a value: no
/// character of it is taken for syntax. Stateless.
final class DirectoryNames {
    private static final HexFormat HEX = HexFormat.of();

    private DirectoryNames() {}

    /// A filter with values in place of `{0}`, `{1}` and so on (RFC 4515 §3).
    static String filter(String pattern, List<String> values) {
        return put(pattern, values.stream().map(DirectoryNames::filterValue).toList());
    }

    /// A distinguished name with a value in place of `{0}` (RFC 4514 §2.4).
    static String name(String pattern, String value) {
        return put(pattern, List.of(nameValue(value)));
    }

    /// Each place once, so that nothing that was put in is looked at again.
    private static String put(String pattern, List<String> values) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            int end = pattern.charAt(at) == '{' ? pattern.indexOf('}', at) : -1;
            String inside = end < 0 ? "" : pattern.substring(at + 1, end);
            if (inside.length() == 1 && Character.digit(inside.charAt(0), 10) >= 0) {
                int index = inside.charAt(0) - '0';
                out.append(index < values.size() ? values.get(index) : "");
                at = end + 1;
            } else {
                out.append(pattern.charAt(at++));
            }
        }
        return out.toString();
    }

    private static String filterValue(String value) {
        StringBuilder out = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            if (b < 0x20 || b == '*' || b == '(' || b == ')' || b == '\\' || b == 0x7f) {
                out.append('\\').append(HEX.toHexDigits(b));
            } else {
                out.append((char) b);
            }
        }
        return out.toString();
    }

    private static String nameValue(String value) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean edge =
                    (i == 0 && (c == ' ' || c == '#')) || (i == value.length() - 1 && c == ' ');
            if (c < ' ') {
                out.append('\\').append(HEX.toHexDigits((byte) c));
            } else if (edge || "\"+,;<>\\=".indexOf(c) >= 0) {
                out.append('\\').append(c);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
