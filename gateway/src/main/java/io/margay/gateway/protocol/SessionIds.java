package io.margay.gateway.protocol;

import io.margay.protocol.http.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the session ids of a request: that in a path or query parameter, or else those of all
/// cookies of the name (two applications at one host may both have set one).
public final class SessionIds {
    /// Ids that one request may offer; more are ignored.
    private static final int IDS_MAX = 16;

    private SessionIds() {}

    /// The ids, most telling first; each still has its route.
    ///
    /// @param cookie its name; empty = none
    /// @param parameter its name; empty = none
    /// @param query the encoded query to look into as well (mod_proxy does), or null
    public static List<String> find(
            Fields fields, String path, @Nullable String query, String cookie, String parameter) {
        if (!parameter.isEmpty()) {
            String id = inPath(path, parameter);
            if (id == null && query != null) {
                id = inQuery(query, parameter);
            }
            if (id != null) {
                return List.of(id);
            }
        }
        return cookie.isEmpty() ? List.of() : inCookies(fields, cookie);
    }

    private static @Nullable String inPath(String path, String parameter) {
        int semicolon = path.indexOf(';');
        while (semicolon >= 0) {
            int from = semicolon + 1;
            int to = end(path, from, ";/?");
            String id = value(path, from, to, parameter);
            if (id != null) {
                return id;
            }
            semicolon = path.indexOf(';', to);
        }
        return null;
    }

    private static @Nullable String inQuery(String query, String parameter) {
        int from = 0;
        while (from < query.length()) {
            int to = end(query, from, "&;");
            String id = value(query, from, to, parameter);
            if (id != null) {
                return id;
            }
            from = to + 1;
        }
        return null;
    }

    /// The first cookie of a name; null = there is none.
    public static @Nullable String cookie(Fields fields, String name) {
        List<String> all = find(fields, "", null, name, "");
        return all.isEmpty() ? null : all.getFirst();
    }

    private static int end(String text, int from, String ends) {
        int at = from;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private static @Nullable String value(String text, int from, int to, String name) {
        int equals = from + name.length();
        return equals + 1 < to && text.charAt(equals) == '=' && text.startsWith(name, from)
                ? text.substring(equals + 1, to)
                : null;
    }

    private static List<String> inCookies(Fields fields, String name) {
        List<String> ids = List.of();
        int line = fields.indexOf("cookie", 0);
        while (line >= 0) {
            String value = fields.value(line);
            int from = 0;
            while (from < value.length() && ids.size() < IDS_MAX) {
                int to = end(value, from, ";,");
                String id = cookie(value, from, to, name);
                if (id != null) {
                    ids = ids.isEmpty() ? new ArrayList<>(2) : ids;
                    ids.add(id);
                }
                from = to + 1;
            }
            line = fields.indexOf("cookie", line + 1);
        }
        return ids;
    }

    private static @Nullable String cookie(String value, int from, int to, String name) {
        int start = from;
        while (start < to && isSpace(value.charAt(start))) {
            start++;
        }
        if (!value.startsWith(name, start)) {
            return null;
        }
        int at = start + name.length();
        while (at < to && isSpace(value.charAt(at))) {
            at++;
        }
        if (at >= to || value.charAt(at) != '=') {
            return null;
        }
        int first = at + 1;
        int last = to;
        while (last > first && isSpace(value.charAt(last - 1))) {
            last--;
        }
        if (last - first > 1 && value.charAt(first) == '"' && value.charAt(last - 1) == '"') {
            first++;
            last--;
        }
        return first < last ? value.substring(first, last) : null;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
