package io.margay.compat.httpd.syntax;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directives that are known and not supported, from `unsupported-directives.txt`. Immutable.
public final class UnsupportedDirectives {
    /// One of them.
    ///
    /// @param byDefault the value with which it changes nothing; empty where there is none
    public record Other(String word, Verdict verdict, String byDefault, String text) {}

    private final Map<String, Other> byKey;

    private UnsupportedDirectives(Map<String, Other> byKey) {
        this.byKey = byKey;
    }

    /// Reads the table.
    public static UnsupportedDirectives load() {
        Map<String, Other> found = new LinkedHashMap<>();
        Verdict verdict = Verdict.NOTED;
        String text = "";
        for (String line : lines()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (!line.startsWith(" ")) {
                int space = line.indexOf(' ');
                verdict = Verdict.valueOf(line.substring(0, space).toUpperCase(Locale.ROOT));
                text = line.substring(space + 1);
                continue;
            }
            for (String word : line.strip().split(" ")) {
                int equals = word.indexOf('=');
                String name = equals < 0 ? word : word.substring(0, equals);
                String byDefault = equals < 0 ? "" : word.substring(equals + 1);
                found.put(name.toLowerCase(Locale.ROOT), new Other(name, verdict, byDefault, text));
            }
        }
        return new UnsupportedDirectives(found);
    }

    private static List<String> lines() {
        try (InputStream in =
                UnsupportedDirectives.class.getResourceAsStream("unsupported-directives.txt")) {
            if (in == null) {
                throw new IllegalStateException("unsupported-directives.txt is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public @Nullable Other of(String key) {
        return byKey.get(key);
    }

    public List<Other> all() {
        return List.copyOf(byKey.values());
    }

    /// Every name, also of those that are followed, for spelling.
    public List<String> names() {
        List<String> names = new ArrayList<>();
        byKey.values().forEach(other -> names.add(other.word));
        for (HttpdDirective directive : HttpdDirective.values()) {
            names.add(directive.word());
        }
        return names;
    }

    /// Writes down what becomes of a directive that is not followed.
    ///
    /// @param restricted whether it is in a section that restricts access
    /// @param restricts whether it restricts access
    public void account(HttpdNode node, Account account, boolean restricted, boolean restricts) {
        Other other = byKey.get(node.key());
        if (other == null) {
            unknown(node, account, restricted, restricts);
        } else if (other.verdict == Verdict.NOTED && !restricts) {
            account.noted(node.place(), node.title(), other.text);
        } else if (!other.byDefault.isEmpty()
                && node.argument(0).equalsIgnoreCase(other.byDefault)) {
            account.honoured(node.place(), node.title(), "its default");
        } else if (other.verdict == Verdict.WRONG || restricts) {
            account.wrong(node.place(), node.title(), other.text);
        } else {
            account.changed(node.place(), node.title(), other.text);
        }
    }

    private void unknown(HttpdNode node, Account account, boolean restricted, boolean restricts) {
        String hint = Spelling.hint(node.name(), names());
        if (restricts) {
            account.wrong(node.place(), node.title(), "is not supported, and it restricts access");
        } else if (restricted) {
            account.wrong(
                    node.place(),
                    node.title(),
                    "is unknown, in a section that restricts access" + hint);
        } else if (!hint.isEmpty()) {
            // A slip of the pen: without the line, requests go where nobody meant them to.
            account.wrong(node.place(), node.title(), "is unknown" + hint);
        } else {
            account.changed(node.place(), node.title(), "is unknown, and ignored");
        }
    }
}
