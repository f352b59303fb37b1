package io.margay.app.yaml;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// What a value of the file may be. One description serves the reader, the JSON Schema and the
/// reference, so that they cannot disagree. Immutable.
public sealed interface Shape {
    /// JSON Schema's type of a number for which `${VARIABLE}` may stand.
    List<String> NUMBER_OR_VARIABLE = List.of("integer", "string");

    /// A host: a name, a wildcard before one, or an IPv6 address in brackets.
    Pattern HOST_NAME =
            Pattern.compile(
                    "(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?|\\[[0-9a-fA-F:.]+]");

    /// A single word or number.
    ///
    /// @param says what it must be, to be read after "must be"
    /// @param schema JSON Schema keywords of the value, such as `type`
    /// @param choices the valid words; empty when there are too many to name
    /// @param parse makes the value; an IllegalArgumentException's message completes the problem
    /// @param secret whether no message may show what is written there
    record Scalar(
            String says,
            Map<String, Object> schema,
            List<String> choices,
            Function<String, Object> parse,
            boolean secret)
            implements Shape {
        public Scalar(
                String says,
                Map<String, Object> schema,
                List<String> choices,
                Function<String, Object> parse) {
            this(says, schema, choices, parse, false);
        }

        /// The same, and no message shows what is written there.
        public Scalar asSecret() {
            return new Scalar(says, schema, choices, parse, true);
        }
    }

    /// A list.
    ///
    /// @param min items at least
    /// @param orOne whether one item may stand there without the list around it
    record Items(String says, Shape item, int min, boolean orOne) implements Shape {
        public Items(String says, Shape item, int min) {
            this(says, item, min, false);
        }
    }

    /// A section with known keys.
    ///
    /// @param says what it describes, such as "a listener"
    /// @param known the keys, which only a file that has such a section asks for
    /// @param exactlyOne keys of which exactly one is given; empty when there is no such rule
    record Section(String says, Supplier<List<Key>> known, List<String> exactlyOne)
            implements Shape {
        public Section(String says, List<Key> keys, List<String> exactlyOne) {
            this(says, () -> keys, exactlyOne);
        }

        public List<Key> keys() {
            return known.get();
        }

        /// Names of the keys.
        List<String> names() {
            return keys().stream().map(Key::name).toList();
        }
    }

    /// A section whose keys are free, within a form.
    ///
    /// @param key what the keys must be
    /// @param keyName how the reference calls a key, such as `PATTERN`
    record Named(String says, String keyName, Scalar key, Shape value) implements Shape {}

    /// A key of a section.
    ///
    /// @param form what its value may be, which only a file that has the key asks for
    /// @param absent what holds when it is absent, in words of the reference, which no start needs;
    ///   empty when it is required
    /// @param aliases other names by which it may be given, as earlier versions had them
    record Key(
            String name,
            Supplier<Shape> form,
            boolean required,
            Supplier<String> absent,
            String meaning,
            List<String> aliases) {
        public Key {
            form = form instanceof Once<Shape> ? form : new Once<>(form);
        }

        /// What its value may be.
        public Shape shape() {
            return form.get();
        }

        /// What holds when it is absent.
        ///
        /// @throws IllegalStateException when what its record has is not what is said
        public String byDefault() {
            return absent.get();
        }

        /// The same where it is not required.
        public Key orAbsent(String words) {
            return new Key(name, form, false, () -> words, meaning, aliases);
        }

        /// The same with another name by which it may be given.
        public Key also(String alias) {
            return new Key(name, form, required, absent, meaning, List.of(alias));
        }
    }

    /// Any text that `parse` takes.
    static Scalar text(String says, Function<String, Object> parse) {
        return new Scalar(says, Map.of("type", "string"), List.of(), parse);
    }

    /// The same, also written without quotes, as a value of one of these types of JSON Schema.
    static Scalar text(String says, Function<String, Object> parse, List<String> types) {
        return new Scalar(says, Map.of("type", types), List.of(), parse);
    }

    /// A text with at least one character.
    static Scalar text(String says) {
        return text(
                says,
                text -> {
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("it is empty");
                    }
                    return text;
                });
    }

    /// A text that fits.
    ///
    /// @param wrong completes the problem of one that does not; empty = nothing more to say
    static Scalar matching(String says, Predicate<String> fits, String wrong) {
        return text(
                says,
                text -> {
                    if (!fits.test(text)) {
                        throw new IllegalArgumentException(wrong);
                    }
                    return text;
                });
    }

    /// A text, a number, true or false, taken as it is written.
    static Scalar anyText() {
        return text("a text", text -> text, List.of("string", "number", "boolean"));
    }

    /// The path of a file or folder.
    static Scalar path() {
        return text("a path, relative to the file");
    }

    /// The name of a host, or `*.` with the rest of one; in lower case.
    static Scalar hostName() {
        return text(
                "a host name, as in shop.example or *.shop.example",
                text -> {
                    if (!isHostName(text)) {
                        throw new IllegalArgumentException("");
                    }
                    return text.toLowerCase(Locale.ROOT);
                });
    }

    /// Whether this is the name or address of a host, or `*.` with the rest of a name.
    static boolean isHostName(String text) {
        return isPlainName(text) || HOST_NAME.matcher(text).matches();
    }

    /// Whether this is a name of letters, digits, `_`, `.` and `-`, as most are: files have
    /// thousands.
    private static boolean isPlainName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean word =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '_';
            boolean inside = i > 0 && (c == '.' || (c == '-' && i < text.length() - 1));
            if (!word && !inside) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// One of a few words.
    static Scalar choice(Collection<String> words) {
        List<String> choices = List.copyOf(words);
        return new Scalar(
                "one of " + String.join(", ", choices),
                Map.of("enum", choices),
                choices,
                text -> {
                    if (!choices.contains(text)) {
                        throw new IllegalArgumentException("");
                    }
                    return text;
                });
    }

    /// A whole number.
    static Scalar whole(long min, long max) {
        Map<String, Object> schema = new HashMap<>();
        schema.put("type", NUMBER_OR_VARIABLE);
        schema.put("pattern", Amounts.WHOLE_PATTERN);
        if (min != Long.MIN_VALUE) {
            schema.put("minimum", min);
        }
        if (max != Long.MAX_VALUE) {
            schema.put("maximum", max);
        }
        return new Scalar(
                max == Long.MAX_VALUE
                        ? "a whole number from " + min
                        : "a whole number from " + min + " to " + max,
                Map.copyOf(schema),
                List.of(),
                text -> Amounts.whole(text, min, max));
    }

    /// True or false.
    static Scalar flag() {
        return new Scalar(
                "true or false",
                Map.of("enum", List.of(true, false)),
                List.of("true", "false"),
                text ->
                        switch (text) {
                            case "true" -> true;
                            case "false" -> false;
                            default -> throw new IllegalArgumentException("");
                        });
    }

    /// A length of time with its unit.
    static Scalar duration() {
        return new Scalar(
                "a time with its unit, such as 500ms, 30s, 5m, 2h",
                Map.of("type", "string", "pattern", Amounts.DURATION_PATTERN),
                List.of(),
                Amounts::duration);
    }

    /// A number of bytes, with or without unit.
    static Scalar bytes(long min, long max) {
        return new Scalar(
                "a number of bytes, such as 8192, 8KiB, 2MiB",
                Map.of("type", NUMBER_OR_VARIABLE, "pattern", Amounts.BYTES_PATTERN),
                List.of(),
                text -> Amounts.bytes(text, min, max));
    }
}
