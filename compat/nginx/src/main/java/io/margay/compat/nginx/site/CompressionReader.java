package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.SubstitutionRule.Inherited;
import io.margay.gateway.rules.SubstitutionRule.Lines;
import io.margay.gateway.rules.SubstitutionRule.Replacement;
import io.margay.gateway.rules.SubstitutionRule.Responses;
import io.margay.gateway.rules.SubstitutionRule.What;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which responses are compressed, as `gzip` and its like say it, and what text is replaced in
/// them, as `sub_filter` does. Confined to one reading.
record CompressionReader(Reading reading) {
    private static final long MIN_BYTES_DEFAULT = 20;

    /// nginx looks through content of any length; here a line must fit into memory.
    private static final long LINE_BYTES_MAX = 16L << 20;

    /// What one block says.
    private record Said(CompressionConfig what, List<Condition> when) {}

    /// The rules of some blocks.
    List<CompressionRule> rules(List<Scope> scopes) {
        Map<Said, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            for (NginxNode node : scope.nearest("gzip_static")) {
                if (node.word(0).equals("always")) {
                    reading.changed(node, "clients that do not read it get the file itself");
                } else if (node.word(0).equals("on")) {
                    reading.noted(node, "NAME.br and NAME.zst are sent, too, where they are");
                }
            }
            Said said = scope.isOn("gzip", false) ? said(scope) : null;
            if (said != null) {
                alike.computeIfAbsent(said, _ -> new ArrayList<>()).add(scope.id());
            }
        }
        List<CompressionRule> rules = new ArrayList<>();
        alike.forEach((said, ids) -> {
            List<Condition> when = new ArrayList<>(Conditions.at(ids));
            when.addAll(said.when);
            rules.add(new CompressionRule(PathMatch.ANY, when, said.what));
        });
        return rules;
    }

    private @Nullable Said said(Scope scope) {
        if (!scope.isOn("gzip_vary", false)) {
            NginxNode on = scope.last("gzip");
            if (on != null) {
                reading.noted(on, "Vary is always sent, as with gzip_vary on");
            }
        }
        NginxNode level = scope.last("gzip_comp_level");
        String effort = level == null ? "1" : level.word(0);
        NginxNode least = scope.last("gzip_min_length");
        Long bytes = least == null ? Long.valueOf(MIN_BYTES_DEFAULT) : Units.bytes(least.word(0));
        if (level != null && !effort.matches("[1-9]")) {
            reading.wrong(level, "invalid value \"" + effort + "\"");
            return null;
        }
        if (bytes == null) {
            if (least != null) {
                reading.wrong(least, "\"gzip_min_length\" directive invalid value");
            }
            return null;
        }
        CompressionConfig what =
                new CompressionConfig(
                        List.of(Coding.GZIP),
                        Integer.parseInt(effort),
                        bytes,
                        types(scope, "gzip_types"));
        return new Said(what, when(scope));
    }

    /// What is replaced in the responses of some blocks.
    ///
    /// @param response gets rules for the fields of these responses
    List<SubstitutionRule> substitutions(List<Scope> scopes, List<FieldRule> response) {
        Map<List<What>, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            List<Replacement> replace = replacements(scope);
            if (!replace.isEmpty()) {
                List<String> types = types(scope, "sub_filter_types");
                List<What> what =
                        List.of(
                                new Responses(types, ""),
                                new Lines(replace, Inherited.AS_BEFORE, LINE_BYTES_MAX));
                alike.computeIfAbsent(what, _ -> new ArrayList<>()).add(scope.id());
                if (!scope.isOn("sub_filter_last_modified", false)) {
                    response.addAll(undated(scope, types));
                }
            }
        }
        List<SubstitutionRule> rules = new ArrayList<>();
        alike.forEach((all, ids) ->
                all.forEach(what ->
                        rules.add(new SubstitutionRule(PathMatch.ANY, Conditions.at(ids), what))));
        return rules;
    }

    /// What is changed has no date of its own, nor a tag.
    private static List<FieldRule> undated(Scope scope, List<String> types) {
        List<String> quoted =
                types.stream().map(type -> NginxRegex.quote(type).replace("\\*", ".*")).toList();
        List<Condition> when = new ArrayList<>(Conditions.at(List.of(scope.id())));
        when.add(
                Conditions.is(
                        "%{RESPONSE:Content-Type}",
                        "^(?i)(?:" + String.join("|", quoted) + ")\\s*(?:;.*)?$"));
        return Stream.of("Last-Modified", "ETag")
                .map(name -> new FieldRule(PathMatch.ANY, when, Change.UNSET, name, "", "", true))
                .toList();
    }

    private List<Replacement> replacements(Scope scope) {
        List<Replacement> replace = new ArrayList<>();
        boolean once = scope.isOn("sub_filter_once", true);
        for (NginxNode node : scope.nearest("sub_filter")) {
            String find = reading.withConstants(node.word(0));
            String by = reading.withConstants(node.word(1));
            if (Variables.isIn(find) || Variables.isIn(by)) {
                reading.changed(node, "text with variables is not replaced");
            } else if (find.isEmpty() || find.indexOf('\n') >= 0) {
                reading.changed(node, "only text in one line is found");
            } else {
                String lower = find.toLowerCase(Locale.ROOT);
                boolean made =
                        replace.stream()
                                .anyMatch(one -> one.by().toLowerCase(Locale.ROOT).contains(lower));
                if (made) {
                    reading.changed(node, "is found in what sub_filter before it has put, too");
                }
                replace.add(new Replacement(find, by, true, true, true, once));
            }
        }
        return replace;
    }

    private List<String> types(Scope scope, String directive) {
        List<String> types = new ArrayList<>(List.of("text/html"));
        for (NginxNode node : scope.nearest(directive)) {
            for (String word : node.words()) {
                try {
                    types.add(CompressionConfig.checkType(word));
                } catch (IllegalArgumentException e) {
                    reading.changed(node, String.valueOf(e.getMessage()));
                }
            }
        }
        return types.stream().distinct().toList();
    }

    /// Of which requests: other proxies get it as `gzip_proxied` says, and browsers that cannot
    /// read it do not.
    private List<Condition> when(Scope scope) {
        List<Condition> when = new ArrayList<>();
        List<NginxNode> proxied = scope.nearest("gzip_proxied");
        boolean any = proxied.stream().anyMatch(one -> one.words().contains("any"));
        if (!any) {
            when.add(Conditions.isNot("%{HTTP:Via}", "."));
            for (NginxNode node : proxied) {
                if (!node.words().equals(List.of("off"))) {
                    reading.noted(node, "what comes by other proxies is not compressed");
                }
            }
        }
        for (NginxNode node : scope.nearest("gzip_disable")) {
            for (String word : node.words()) {
                String regex = word.equals("msie6") ? "MSIE [4-6]\\." : word;
                when.add(new Condition("%{HTTP_USER_AGENT}", regex, true, true, false));
            }
        }
        return when;
    }
}
