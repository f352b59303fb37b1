package io.margay.compat.tomcat.rewrite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a `rewrite.config`. Confined to one reading.
public final class RewriteConfig {
    private final Path folder;
    private final List<RewriteRule> rules = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, RewriteMap> maps = new HashMap<>();
    private final List<RewriteCondition> conditions = new ArrayList<>();

    /// What is wrong with a line.
    public record Problem(int line, String text) {}

    /// What a file says.
    ///
    /// @param problems when there are any, the rules are not to be used
    public record Read(RewriteRules rules, List<Problem> problems) {
        public Read {
            problems = List.copyOf(problems);
        }
    }

    private RewriteConfig(Path folder) {
        this.folder = folder;
    }

    /// Reads one.
    ///
    /// @param folder that names of files are relative to
    /// @param context whether it is that of an application, whose rules are about paths within it
    public static Read of(List<String> lines, Path folder, boolean context) {
        RewriteConfig reading = new RewriteConfig(folder);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                reading.line(line.split("\\s+"));
            } catch (IllegalArgumentException e) {
                reading.problems.add(
                        new Problem(i + 1, String.valueOf(e.getMessage()).replaceAll("\\s+", " ")));
            }
        }
        if (!reading.conditions.isEmpty()) {
            reading.problems.add(new Problem(lines.size(), "conditions are before no rule"));
        }
        return new Read(new RewriteRules(reading.rules, context), reading.problems);
    }

    private void line(String[] words) {
        boolean map = words[0].equals("RewriteMap");
        if (words.length < 3 || words.length > 4) {
            throw new IllegalArgumentException(
                    words[0] + " is followed by two words, and flags without blanks in between");
        }
        Map<String, String> flags = map ? Map.of() : flags(words.length > 3 ? words[3] : "");
        switch (words[0]) {
            case "RewriteMap" -> maps.put(words[1], RewriteMap.of(words[2], folder));
            case "RewriteCond" -> {
                for (String flag : flags.keySet()) {
                    if (!flag.equals("NC") && !flag.equals("OR")) {
                        throw new IllegalArgumentException(
                                "the flag [" + flag + "] is not supported");
                    }
                }
                conditions.add(RewriteCondition.of(words[1], words[2], flags, maps));
            }
            case "RewriteRule" -> {
                List<RewriteCondition> own = List.copyOf(conditions);
                conditions.clear();
                rules.add(RewriteRule.of(words[1], words[2], flags, own, maps));
            }
            default ->
                    throw new IllegalArgumentException(
                            words[0] + " is none of RewriteRule, RewriteCond, RewriteMap");
        }
    }

    private static Map<String, String> flags(String text) {
        Map<String, String> flags = new LinkedHashMap<>();
        if (text.isEmpty()) {
            return flags;
        }
        if (!text.startsWith("[") || !text.endsWith("]")) {
            throw new IllegalArgumentException("flags are written in [ ]: " + text);
        }
        for (String flag : text.substring(1, text.length() - 1).split(",")) {
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            flags.put(RewriteRule.flag(name), equals < 0 ? "" : flag.substring(equals + 1));
        }
        return flags;
    }
}
