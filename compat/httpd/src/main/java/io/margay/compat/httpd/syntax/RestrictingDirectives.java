package io.margay.compat.httpd.syntax;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The directives that restrict access or limit requests, from `restricting-directives.txt`: to
/// ignore one would open what was closed. Immutable.
public final class RestrictingDirectives {
    private static final Pattern EXPRESSION = Pattern.compile("(\\S+) (unless|if) (.+)");

    /// One of them.
    ///
    /// @param word as it is written, with the `*` of a prefix
    /// @param arguments what it is about, or null for all
    /// @param unless whether it restricts access when `arguments` does not match
    private record Restriction(String word, @Nullable Pattern arguments, boolean unless) {
        boolean restricts(HttpdNode node) {
            return arguments == null || arguments.matcher(node.text()).matches() != unless;
        }
    }

    private final Map<String, Restriction> byKey = new LinkedHashMap<>();
    private final Map<String, Restriction> byPrefix = new LinkedHashMap<>();

    private RestrictingDirectives(List<String> lines) {
        for (String line : lines) {
            var expression = EXPRESSION.matcher(line);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (expression.matches()) {
                Pattern arguments =
                        Pattern.compile(
                                expression.group(3), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
                add(expression.group(1), arguments, expression.group(2).equals("unless"));
                continue;
            }
            for (String word : line.split(" ")) {
                add(word, null, false);
            }
        }
    }

    private void add(String word, @Nullable Pattern arguments, boolean unless) {
        String key = word.toLowerCase(Locale.ROOT);
        Restriction one = new Restriction(word, arguments, unless);
        if (key.endsWith("*")) {
            byPrefix.put(key.substring(0, key.length() - 1), one);
        } else {
            byKey.put(key, one);
        }
    }

    /// Reads the list.
    public static RestrictingDirectives load() {
        String name = "restricting-directives.txt";
        try (InputStream in = RestrictingDirectives.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new RestrictingDirectives(text.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether a directive, or one in a section, restricts access.
    public boolean restricts(HttpdNode node) {
        Restriction known = byKey.get(node.key());
        if (known == null) {
            known =
                    byPrefix.entrySet().stream()
                            .filter(prefix -> node.key().startsWith(prefix.getKey()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElse(null);
        }
        boolean restricts = known != null && known.restricts(node);
        return restricts || node.children().stream().anyMatch(this::restricts);
    }

    /// Each name and prefix, as it is written.
    public List<String> words() {
        List<String> words = new ArrayList<>();
        byKey.values().forEach(one -> words.add(one.word));
        byPrefix.values().forEach(one -> words.add(one.word));
        return words;
    }
}
