package io.margay.gateway.listing;

import io.margay.gateway.listing.VariantChoice.Variant;
import io.margay.gateway.rules.FileTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Languages and codings by the endings of names, and which of several variants is preferred.
/// Immutable.
///
/// @param languages by parts of names behind a dot, in lower case
/// @param encodings the same
/// @param otherwise the language of files whose name says none; null = none
/// @param priority languages of which the first comes first where a client likes several as much
/// @param prefers whether `priority` decides then
/// @param fallsBack whether it decides where a client likes none of the languages
/// @param match which parts of names need not be known
public record VariantSettings(
        Map<String, String> languages,
        Map<String, String> encodings,
        @Nullable String otherwise,
        List<String> priority,
        boolean prefers,
        boolean fallsBack,
        Match match) {
    /// What a part of a name may be that says neither type nor charset, language or coding.
    public enum Match {
        /// Nothing.
        NEGOTIATED_ONLY,

        /// What makes programs of files.
        HANDLERS,

        /// Anything.
        ANY
    }

    private static final Set<String> FORCED = Set.of("none", "prefer", "fallback");
    private static final Set<String> MATCHES = Set.of("negotiatedonly", "handlers", "any");

    /// What is wrong with a line; null = nothing.
    ///
    /// @param line name and arguments of a directive of mod_mime or mod_negotiation
    public static @Nullable String problem(List<String> line) {
        List<String> words = line.subList(1, line.size());
        return switch (line.getFirst().toLowerCase(Locale.ROOT)) {
            case "addlanguage", "addencoding" ->
                    words.size() < 2 ? "needs a name and an ending" : null;
            case "defaultlanguage" -> words.size() == 1 ? null : "needs one language";
            case "forcelanguagepriority" ->
                    words.stream().allMatch(word -> FORCED.contains(word.toLowerCase(Locale.ROOT)))
                            ? null
                            : "takes None, Prefer and Fallback";
            case "multiviewsmatch" ->
                    words.size() == 1 && MATCHES.contains(words.getFirst().toLowerCase(Locale.ROOT))
                            ? null
                            : "is NegotiatedOnly, Handlers or Any here";
            default -> null;
        };
    }

    static VariantSettings of(List<List<String>> lines) {
        Map<String, String> languages = new HashMap<>();
        Map<String, String> encodings = new HashMap<>();
        List<String> priority = List.of();
        String otherwise = null;
        boolean prefers = true;
        boolean fallsBack = false;
        Match match = Match.NEGOTIATED_ONLY;
        for (List<String> line : lines) {
            List<String> words = line.subList(1, line.size());
            List<String> lower = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
            switch (line.getFirst().toLowerCase(Locale.ROOT)) {
                case "addlanguage" -> put(languages, lower);
                case "addencoding" -> put(encodings, words);
                case "removelanguage" -> words.forEach(word -> languages.remove(plain(word)));
                case "removeencoding" -> words.forEach(word -> encodings.remove(plain(word)));
                case "defaultlanguage" -> otherwise = lower.getFirst();
                case "languagepriority" -> priority = lower;
                case "forcelanguagepriority" -> {
                    prefers = lower.contains("prefer");
                    fallsBack = lower.contains("fallback");
                }
                case "multiviewsmatch" ->
                        match =
                                lower.contains("any")
                                        ? Match.ANY
                                        : lower.contains("handlers")
                                                ? Match.HANDLERS
                                                : Match.NEGOTIATED_ONLY;
                default -> {}
            }
        }
        return new VariantSettings(
                Map.copyOf(languages),
                Map.copyOf(encodings),
                otherwise,
                priority,
                prefers,
                fallsBack,
                match);
    }

    private static void put(Map<String, String> to, List<String> words) {
        words.stream().skip(1).forEach(ending -> to.put(plain(ending), words.getFirst()));
    }

    private static String plain(String ending) {
        return ending.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
    }

    /// Whether nothing is said of languages and codings.
    public boolean isPlain() {
        return languages.isEmpty() && encodings.isEmpty() && otherwise == null;
    }

    /// The language of a file by its name; null = none.
    public @Nullable String language(String name) {
        String found = last(languages, name);
        return found != null ? found : otherwise;
    }

    /// The coding of a file by its name; null = none.
    public @Nullable String encoding(String name) {
        return last(encodings, name);
    }

    private static @Nullable String last(Map<String, String> values, String name) {
        if (values.isEmpty()) {
            return null;
        }
        String found = null;
        for (String part : parts(name)) {
            found = values.getOrDefault(part, found == null ? "" : found);
        }
        return found == null || found.isEmpty() ? null : found;
    }

    /// What is said in fields of a file that is asked for by its whole name.
    public Map<String, String> fields(String name) {
        if (isPlain()) {
            return Map.of();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        String language = language(name);
        if (language != null) {
            fields.put("Content-Language", language);
        }
        String encoding = encoding(name);
        if (encoding != null) {
            fields.put("Content-Encoding", encoding);
        }
        return fields;
    }

    /// A file as a variant of a name without its endings; null where it is none, as it has an
    /// ending that says nothing, or no type.
    ///
    /// @param handlers endings that make programs of files
    public @Nullable Variant variant(
            Path file, String asked, FileTypes types, Set<String> handlers) {
        String name = String.valueOf(file.getFileName());
        if (name.length() <= asked.length()
                || !knows(name.substring(asked.length() + 1), types, handlers)
                || !Files.isRegularFile(file)) {
            return null;
        }
        String whole = types.of(name);
        String type = whole == null ? null : whole.replaceFirst(";.*", "").strip();
        if (type == null && parts(name).stream().anyMatch(handlers::contains)) {
            type = "application/x-httpd-cgi";
        }
        String charset = last(types.charsets(), name);
        try {
            return type == null
                    ? null
                    : new Variant(
                            name, type, charset, language(name), encoding(name), Files.size(file));
        } catch (IOException e) {
            return null; // It has just gone.
        }
    }

    /// Whether each part of a name says something that can be chosen by.
    ///
    /// @param more the parts behind the name that was asked for
    boolean knows(String more, FileTypes types, Set<String> handlers) {
        for (String part : parts("." + more)) {
            boolean known =
                    types.knows(part) || languages.containsKey(part) || encodings.containsKey(part);
            boolean let =
                    match == Match.ANY || (match == Match.HANDLERS && handlers.contains(part));
            if (!known && !let) {
                return false;
            }
        }
        return true;
    }

    private static List<String> parts(String name) {
        String[] parts = name.split("\\.", -1);
        List<String> found = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            found.add(parts[i].toLowerCase(Locale.ROOT));
        }
        return found;
    }
}
