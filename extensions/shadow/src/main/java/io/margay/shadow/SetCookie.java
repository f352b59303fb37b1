package io.margay.shadow;

import io.margay.protocol.http.FieldList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// A cookie as a server sets it. Immutable.
///
/// @param attributes by name, in lower case; whether it lasts, but not for how long
/// @param goes whether it is taken away
record SetCookie(String name, String value, Set<String> attributes, boolean goes) {
    SetCookie {
        attributes = Set.copyOf(attributes);
    }

    /// Without its value.
    @Override
    public String toString() {
        return name + "=…" + written();
    }

    /// Its attributes as one text, the same for the same ones.
    String written() {
        StringBuilder text = new StringBuilder();
        new TreeSet<>(attributes).forEach(each -> text.append("; ").append(each));
        return text.append(goes ? "; (taken away)" : "").toString();
    }

    /// Those that an answer sets.
    static List<SetCookie> of(FieldList fields) {
        List<SetCookie> all = new ArrayList<>();
        for (String line : fields.all("Set-Cookie")) {
            int semicolon = line.indexOf(';');
            String pair = semicolon < 0 ? line : line.substring(0, semicolon);
            int equals = pair.indexOf('=');
            if (equals > 0) {
                String name = pair.substring(0, equals).strip();
                String value = pair.substring(equals + 1).strip();
                all.add(read(name, value, semicolon < 0 ? "" : line.substring(semicolon + 1)));
            }
        }
        return all;
    }

    private static SetCookie read(String name, String value, String rest) {
        Set<String> attributes = new TreeSet<>();
        boolean goes = value.isEmpty();
        for (String part : rest.split(";", -1)) {
            String word = part.strip();
            String lower = word.toLowerCase(Locale.ROOT);
            if (lower.startsWith("max-age=")) {
                boolean past = lower.matches("max-age=\"?(-[0-9]+|0+)\"?");
                goes |= past;
                attributes.add("lasts");
            } else if (lower.startsWith("expires=")) {
                goes |= lower.contains("1970") || lower.contains("-70 ");
                attributes.add("lasts");
            } else if (lower.startsWith("path=")) {
                attributes.add("path=" + word.substring("path=".length()));
            } else if (!lower.isEmpty()) {
                attributes.add(lower);
            }
        }
        return new SetCookie(name, value, attributes, goes);
    }
}
