package io.margay.compat.nginx.site;

import io.margay.compat.account.Account;
import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What the readers of one configuration share. Confined to one reading.
final class Reading {
    private final Account account;
    private final Path folder;

    /// Names of variables that `set`, `map` and expressions give values to.
    private final Set<String> variables = new HashSet<>();

    /// Those that expressions of names of servers find.
    private final Set<String> ofNames = new HashSet<>();

    /// What gives variables values by those of others.
    static final List<String> MAPS = List.of("map", "geo", "split_clients");

    /// Texts of variables that have the same value wherever they are set.
    private final Map<String, String> constants = new HashMap<>();

    /// Where variables are known that services have said.
    private static final Set<String> OF_FIELDS =
            Set.of("auth_request_set", "proxy_set_header", "add_header");

    private List<NginxNode> whole = List.of();
    private int scopes;
    private boolean changesQueries;

    /// @param folder to which names of files are relative
    Reading(Account account, Path folder) {
        this.account = account;
        this.folder = folder;
    }

    Account account() {
        return account;
    }

    int nextScope() {
        return scopes++;
    }

    /// Scopes of a server are counted anew.
    void beginServer() {
        scopes = 0;
    }

    Path file(String name) {
        return folder.resolve(name).normalize();
    }

    void wrong(NginxNode node, String text) {
        node.asked().tell();
        account.wrong(node.place(), node.name(), text);
    }

    void changed(NginxNode node, String text) {
        node.asked().tell();
        account.changed(node.place(), node.name(), text);
    }

    void noted(NginxNode node, String text) {
        node.asked().tell();
        account.noted(node.place(), node.name(), text);
    }

    /// A variable has a value from somewhere.
    void define(String name) {
        variables.add(name);
    }

    boolean isDefined(String name) {
        return variables.contains(name);
    }

    /// Whether a variable stands elsewhere than where fields are set.
    boolean isUsedBeyondFields(String name) {
        return isUsed(whole, Pattern.compile("\\$\\{?" + Pattern.quote(name) + "(?!\\w)"));
    }

    private static boolean isUsed(List<NginxNode> nodes, Pattern name) {
        return nodes.stream()
                .anyMatch(node ->
                        (!OF_FIELDS.contains(node.name())
                                        && node.words().stream()
                                                .anyMatch(word -> name.matcher(word).find()))
                                || isUsed(node.block(), name));
    }

    /// Looks for the variables that are set to one text alone.
    void findConstants(List<NginxNode> nodes) {
        whole = List.copyOf(nodes);
        Map<String, Set<String>> texts = new HashMap<>();
        collect(nodes, texts);
        texts.forEach((name, values) -> {
            String only = values.iterator().next();
            if (values.size() == 1 && only.indexOf('$') < 0) {
                constants.put(name, only);
            }
        });
    }

    /// Whether some directive gives requests another query.
    boolean changesQueries() {
        return changesQueries;
    }

    private void collect(List<NginxNode> nodes, Map<String, Set<String>> texts) {
        for (NginxNode node : nodes) {
            changesQueries |=
                    (node.name().equals("rewrite") && node.word(1).indexOf('?') >= 0)
                            || node.word(0).equals("$args")
                            || (node.name().equals("try_files")
                                    && node.words().getLast().indexOf('?') >= 0);
            if (node.name().equals("set")) {
                String name = node.word(0).replaceFirst("^\\$", "");
                define(name);
                texts.computeIfAbsent(name, _ -> new HashSet<>()).add(node.word(1));
            } else if (node.name().equals("auth_request_set")) {
                String name = node.word(0).replaceFirst("^\\$", "");
                define(name);
                texts.computeIfAbsent(name, _ -> new HashSet<>()).add("$");
            } else if (node.name().equals("valid_referers")) {
                define(BlockVariables.VARIABLE);
            } else if (node.name().equals(BlockVariables.SECRET)) {
                define(BlockVariables.LINK);
            } else if (node.name().equals("secure_link")) {
                define(BlockVariables.LINK);
                define(BlockVariables.LINK_EXPIRES);
            } else if (node.name().equals("server_name")) {
                node.words().stream()
                        .filter(word -> word.startsWith("~"))
                        .forEach(this::defineFound);
            } else if (MAPS.contains(node.name())) {
                String name = node.words().getLast().replaceFirst("^\\$", "");
                define(name);
                texts.computeIfAbsent(name, _ -> new HashSet<>()).add("$");
            }
            collect(node.block(), texts);
        }
    }

    private void defineFound(String word) {
        try {
            NginxRegex.of(word.substring(1)).names().stream()
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> {
                        define(name);
                        ofNames.add(name);
                    });
        } catch (IllegalArgumentException e) {
            // The reader of servers says so.
        }
    }

    /// Whether names of servers give a variable its value, before anything is asked.
    boolean isOfNames(String name) {
        return ofNames.contains(name);
    }

    /// Whether a map gives a variable its value by what a response says.
    boolean isOfResponse(String name) {
        return isOfResponse(whole, "$" + name);
    }

    private static boolean isOfResponse(List<NginxNode> nodes, String variable) {
        return nodes.stream()
                .anyMatch(node ->
                        (MAPS.contains(node.name())
                                        && node.words().getLast().equals(variable)
                                        && node.word(0).matches(".*\\$(?:upstream_|sent_http_).*"))
                                || isOfResponse(node.block(), variable));
    }

    /// A text with the values of variables that have one value alone.
    String withConstants(String text) {
        String made = text;
        for (Map.Entry<String, String> one : constants.entrySet()) {
            made =
                    made.replace("${" + one.getKey() + "}", one.getValue())
                            .replaceAll(
                                    "\\$" + one.getKey() + "(?![A-Za-z0-9_])",
                                    java.util.regex.Matcher.quoteReplacement(one.getValue()));
        }
        return made;
    }
}
