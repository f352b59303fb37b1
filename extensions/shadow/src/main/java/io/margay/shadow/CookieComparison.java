package io.margay.shadow;

import io.margay.protocol.http.FieldList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Compares which cookies two answers set, and how; never what is in them. Stateless.
final class CookieComparison {
    private CookieComparison() {}

    static void compare(FieldList old, FieldList fresh, Found found) {
        Map<String, SetCookie> left = byName(SetCookie.of(old));
        Map<String, SetCookie> right = byName(SetCookie.of(fresh));
        TreeSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            SetCookie before = left.get(name);
            SetCookie now = right.get(name);
            if (before == null) {
                found.add(Kind.COOKIE_ADDED, name, "", String.valueOf(now));
            } else if (now == null) {
                found.add(Kind.COOKIE_MISSING, name, String.valueOf(before), "");
            } else if (!before.written().equals(now.written())) {
                found.add(Kind.COOKIE_FLAGS, name, before.toString(), now.toString());
            }
        }
    }

    /// As a browser takes them: the last one counts.
    private static Map<String, SetCookie> byName(List<SetCookie> cookies) {
        Map<String, SetCookie> named = new TreeMap<>();
        cookies.forEach(cookie -> named.put(cookie.name(), cookie));
        return named;
    }
}
