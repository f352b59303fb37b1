package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.TextFile;
import java.util.ArrayList;
import java.util.List;

/// One rule of mod_jk's mapping language. Immutable.
///
/// @param pattern with `*` and `?`, without `|`
/// @param worker to which it leads or which it keeps away; `*` keeps all away
/// @param exclusion whether it keeps away
/// @param extensions what stands after the worker, each behind a semicolon
public record MountRule(
        String pattern,
        String worker,
        boolean exclusion,
        Source source,
        String extensions,
        Place place) {
    /// Where a rule was written; of two that are alike otherwise, the first source here wins.
    public enum Source {
        FILE,
        DIRECTIVE,
        WORKER
    }

    /// The name by which the account knows rules.
    public String directive() {
        return switch (source) {
            case FILE -> (exclusion ? "!" : "") + pattern;
            case DIRECTIVE -> exclusion ? "JkUnMount" : "JkMount";
            case WORKER -> "mount";
        };
    }

    /// Reads `[-][!]pattern`, of which `a|b` gives two rules.
    ///
    /// @param target the worker, perhaps with extensions
    /// @return nothing for a rule that is disabled or malformed, which goes to the account
    public static List<MountRule> parse(
            String text, String target, Source source, Place place, Account account) {
        String pattern = text;
        if (pattern.startsWith("-")) {
            account.noted(place, text, "disabled by its \"-\"");
            return List.of();
        }
        boolean exclusion = pattern.startsWith("!");
        if (exclusion) {
            pattern = pattern.substring(1);
        }
        int semicolon = target.indexOf(';');
        String worker = (semicolon < 0 ? target : target.substring(0, semicolon)).strip();
        String extensions = semicolon < 0 ? "" : target.substring(semicolon + 1);
        if (pattern.isEmpty() || "/*?".indexOf(pattern.charAt(0)) < 0) {
            account.wrong(place, text, "a pattern starts with /, * or ?");
            return List.of();
        }
        if (worker.isEmpty()) {
            account.wrong(place, text, "no worker is named; write PATTERN=WORKER");
            return List.of();
        }
        List<MountRule> rules = new ArrayList<>();
        int bar = pattern.indexOf('|');
        if (bar > 0) {
            String first = pattern.substring(0, bar);
            rules.add(new MountRule(first, worker, exclusion, source, extensions, place));
            pattern = first + pattern.substring(bar + 1);
        }
        rules.add(new MountRule(pattern, worker, exclusion, source, extensions, place));
        return rules;
    }

    /// Reads the lines of `uriworkermap.properties`.
    public static List<MountRule> read(TextFile file, Account account) {
        List<MountRule> rules = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            int comment = line.indexOf('#');
            line = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (line.isEmpty()) {
                continue;
            }
            Place place = new Place(file.name(), i + 1);
            int equals = line.indexOf('=');
            if (equals <= 0) {
                account.wrong(place, line, "is not PATTERN=WORKER");
                continue;
            }
            rules.addAll(
                    parse(
                            line.substring(0, equals).strip(),
                            line.substring(equals + 1).strip(),
                            Source.FILE,
                            place,
                            account));
        }
        return rules;
    }
}
