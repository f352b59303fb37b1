package io.margay.gateway.rules;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which media types files have, by their names, as mod_mime says it: every part behind a dot
/// counts, the last that is known most. Immutable.
///
/// @param endings types by parts behind a dot, in lower case; empty = none
/// @param charsets of texts, the same
/// @param forced the type of all files, whatever their names; empty = their names decide, null =
///   nothing is said
/// @param charset of HTML and plain text that have none; empty = none, null = nothing is said
/// @param file types of endings of which nothing is said; null = those of the server's own list
/// @param isLastAlone whether of several parts the last alone counts, as in nginx
public record FileTypes(
        Map<String, String> endings,
        Map<String, String> charsets,
        @Nullable String forced,
        @Nullable String charset,
        @Nullable TypesFile file,
        boolean isLastAlone) {
    /// Says nothing.
    public static final FileTypes NONE = new FileTypes(Map.of(), Map.of(), null, null, null, false);

    /// Texts have no charset unless more is said.
    public static final FileTypes PLAIN = new FileTypes(Map.of(), Map.of(), null, "", null, false);

    public FileTypes {
        endings = Collections.unmodifiableMap(new TreeMap<>(endings));
        charsets = Collections.unmodifiableMap(new TreeMap<>(charsets));
    }

    /// Whether it says nothing but that texts have no charset.
    public boolean isPlain() {
        return equals(NONE) || equals(PLAIN);
    }

    /// What holds where a later section says something, too.
    public FileTypes then(FileTypes later) {
        if (later.equals(NONE)) {
            return this;
        }
        Map<String, String> types = new TreeMap<>(endings);
        types.putAll(later.endings);
        Map<String, String> sets = new TreeMap<>(charsets);
        sets.putAll(later.charsets);
        return new FileTypes(
                types,
                sets,
                later.forced != null ? later.forced : forced,
                later.charset != null ? later.charset : charset,
                later.file != null ? later.file : file,
                isLastAlone || later.isLastAlone);
    }

    /// Whether a part of a name says of which type or charset its file is.
    ///
    /// @param part in lower case
    public boolean knows(String part) {
        return endings.containsKey(part)
                || charsets.containsKey(part)
                || TypesFile.of(file, part) != null;
    }

    /// The value of `Content-Type` for a file; null = it has none.
    public @Nullable String of(String name) {
        String type = null;
        String set = null;
        String[] parts = name.split("\\.", -1);
        for (int i = isLastAlone ? Math.max(1, parts.length - 1) : 1; i < parts.length; i++) {
            String part = parts[i].toLowerCase(Locale.ROOT);
            String own = endings.get(part);
            String found = own == null ? TypesFile.of(file, part) : own;
            type = found == null || found.isEmpty() ? type : found;
            String ofPart = charsets.getOrDefault(part, "");
            set = ofPart.isEmpty() ? set : ofPart;
        }
        if (forced != null && !forced.isEmpty()) {
            type = forced;
        } else if (type != null && set != null) {
            type = type + "; charset=" + set;
        }
        boolean open =
                type != null
                        && (type.equalsIgnoreCase("text/html")
                                || type.equalsIgnoreCase("text/plain"));
        return open && charset != null && !charset.isEmpty() ? type + "; charset=" + charset : type;
    }
}
