package io.margay.shadow;

import io.margay.protocol.http.RequestTarget;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What of two answers may be shown, and how much. Immutable.
///
/// @param charsMax of each side
record Shown(int charsMax) {
    /// Names of what is made for one session or one request, and is nobody's business.
    private static final Pattern SECRET =
            Pattern.compile(
                    "csrf|xsrf|token|nonce|secret|passw|viewstate|sess(?:ion)?[-_]?id"
                            + "|authorization|authenticity|api[-_]?key|signature");

    private static final Pattern SESSION_IN_PATH =
            Pattern.compile(";(?i:jsessionid)=[^?#\"'&;\\s<>/]*+");

    /// In scripts and styles: what is assigned to a name of that sort.
    private static final Pattern SECRET_IN_TEXT =
            Pattern.compile(
                    "(?i)((?:csrf|xsrf|token|nonce)[\\w-]{0,64}+"
                            + "[\"']?\\s*+[:=]\\s*+)[\"'][^\"']*+[\"']");

    private static final int BEFORE = 30;
    private static final int PLACE_CHARS_MAX = 400;

    /// Both sides of a difference.
    record Sides(String old, String fresh) {}

    /// Whether something of that name is made for a session or a request, or is a secret.
    static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /// Text without ids of sessions.
    static String withoutSessions(String text) {
        return text.indexOf(';') < 0 ? text : SESSION_IN_PATH.matcher(text).replaceAll("");
    }

    /// A script or style without what is made for one session or one request.
    static String withoutSecrets(String text) {
        return SECRET_IN_TEXT.matcher(withoutSessions(text)).replaceAll("$1\"\"");
    }

    /// What was asked for, without what was typed into forms.
    static String target(RequestTarget target) {
        String path = withoutSessions(target.rawPath());
        String query = target.rawQuery();
        return query == null ? path : path + "?" + names(query);
    }

    /// A URL without the values of its query.
    static String url(String url) {
        int question = url.indexOf('?');
        return question < 0
                ? url
                : url.substring(0, question + 1) + names(url.substring(question + 1));
    }

    private static String names(String query) {
        StringBuilder names = new StringBuilder();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            names.append(names.isEmpty() ? "" : "&");
            names.append(equals < 0 ? "…" : pair.substring(0, equals) + "=…");
        }
        return names.toString();
    }

    /// A place in one line, as a terminal may get it.
    static String place(String place) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(place.length(), PLACE_CHARS_MAX); i++) {
            char c = place.charAt(i);
            shown.append(Character.isISOControl(c) || isDirection(c) ? ' ' : c);
        }
        return shown.append(place.length() > PLACE_CHARS_MAX ? "…" : "").toString();
    }

    /// Excerpts from where the sides part.
    Sides sides(@Nullable String old, @Nullable String fresh) {
        String left = old == null ? "" : old;
        String right = fresh == null ? "" : fresh;
        int same = 0;
        int shorter = Math.min(left.length(), right.length());
        while (same < shorter && left.charAt(same) == right.charAt(same)) {
            same++;
        }
        int from = Math.max(left.length(), right.length()) <= charsMax ? 0 : same - BEFORE;
        return new Sides(excerpt(left, Math.max(0, from)), excerpt(right, Math.max(0, from)));
    }

    /// The text from `from` on, in one line.
    private String excerpt(String text, int from) {
        int to = Math.min(text.length(), from + charsMax);
        StringBuilder shown = new StringBuilder(from > 0 ? "…" : "");
        for (int i = Math.min(from, text.length()); i < to; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || isDirection(c) ? ' ' : c);
        }
        return shown.append(to < text.length() ? "…" : "").toString();
    }

    /// Whether a terminal would show what follows in another order.
    private static boolean isDirection(char c) {
        return (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
    }
}
