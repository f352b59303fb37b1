package io.margay.app.config.file;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.VariableRule;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Reads what a host changes in requests and responses. Used by one thread.
final class ChangeReader {
    private static final Set<String> KEYS =
            Set.of(
                    "variables",
                    "maps",
                    "request-headers",
                    "response-headers",
                    "hsts",
                    "cors",
                    "error-pages",
                    "client-address",
                    "compression",
                    "expires");

    private final BiFunction<Settings, String, Optional<Path>> paths;
    private final List<Problem> problems;

    /// @param paths the path that stands under a key
    ChangeReader(BiFunction<Settings, String, Optional<Path>> paths, List<Problem> problems) {
        this.paths = paths;
        this.problems = problems;
    }

    HostChanges changes(Settings host) {
        if (!host.hasAny(KEYS)) {
            return HostChanges.NONE;
        }
        HostChanges changes =
                new HostChanges(
                        host.list("variables", Settings.class).stream()
                                .map(ChangeReader::variable)
                                .toList(),
                        maps(host),
                        host.list("request-headers", Settings.class).stream()
                                .map(ChangeReader::field)
                                .toList(),
                        responses(host),
                        host.list("error-pages", Settings.class).stream().map(this::page).toList(),
                        host.section("client-address").map(ChangeReader::client).orElse(null),
                        ResponseKeys.compressions(host),
                        ResponseKeys.expiries(host),
                        List.of(),
                        List.of());
        try {
            Object _ = HostExchangeRules.check(changes, RuleLimits.defaults());
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            String key =
                    List.of(
                                    "variables",
                                    "response-headers",
                                    "request-headers",
                                    "compression",
                                    "expires")
                            .stream()
                            .filter(host::has)
                            .findFirst()
                            .orElse("error-pages");
            problems.add(new Problem(host.position(key), text));
            return HostChanges.NONE;
        }
        return changes;
    }

    /// Those that the host writes come after what other keys say.
    private List<FieldRule> responses(Settings host) {
        List<FieldRule> rules = new ArrayList<>(EdgeKeys.fields(host, problems));
        host.list("response-headers", Settings.class).stream()
                .map(ChangeReader::field)
                .forEach(rules::add);
        return rules;
    }

    private static ClientAddress client(Settings section) {
        return new ClientAddress(
                section.text("field").orElse("X-Forwarded-For"),
                section.list("trusted", String.class),
                section.list("internal", String.class),
                section.text("proxies-field").orElse(null));
    }

    static PathMatch match(Settings section) {
        return RuleShape.MATCHES.stream()
                .filter(section::has)
                .findFirst()
                .map(key -> RuleReader.match(section, key))
                .orElse(PathMatch.ANY);
    }

    private static VariableRule variable(Settings section) {
        boolean unset = section.has("unset");
        return new VariableRule(
                match(section),
                RuleReader.when(section),
                section.text(unset ? "unset" : "set").orElse(""),
                unset ? null : section.text("value").orElse(""));
    }

    private Map<String, MapSource> maps(Settings host) {
        Map<String, MapSource> maps = new LinkedHashMap<>();
        host.section("maps")
                .ifPresent(named ->
                        named.keys()
                                .forEach(name ->
                                        maps.put(name, map(named.section(name).orElseThrow()))));
        return maps;
    }

    private MapSource map(Settings section) {
        return section.text("function")
                .<MapSource>map(word ->
                        new MapSource.Made(
                                MapSource.Function.valueOf(word.toUpperCase(Locale.ROOT))))
                .orElseGet(() ->
                        new MapSource.Lines(
                                paths.apply(section, "file").orElse(Path.of("")),
                                RuleReader.flag(section, "random")));
    }

    private static FieldRule field(Settings section) {
        String key = ChangeShape.CHANGES.stream().filter(section::has).findFirst().orElse("set");
        return new FieldRule(
                match(section),
                RuleReader.when(section),
                FieldRule.Change.valueOf(key.toUpperCase(Locale.ROOT).replace('-', '_')),
                section.text(key).orElse("X"),
                section.text("value").orElse(""),
                section.text("find").orElse(""),
                RuleReader.flag(section, "always"));
    }

    private ErrorPage page(Settings section) {
        ErrorPage.Content content;
        if (section.has("text")) {
            content = new ErrorPage.Content.Text(section.text("text").orElse(""));
        } else if (section.has("file")) {
            content =
                    new ErrorPage.Content.Page(
                            paths.apply(section, "file").orElse(Path.of("")),
                            section.text("asked-as").orElse(""));
        } else if (section.has("page")) {
            content = new ErrorPage.Content.Asked(section.text("page").orElse("/"));
        } else if (section.has("url")) {
            content = new ErrorPage.Content.Elsewhere(section.text("url").orElse(""));
        } else {
            content = new ErrorPage.Content.Own();
        }
        return new ErrorPage(
                match(section),
                RuleReader.when(section),
                RuleReader.number(section, "status"),
                content);
    }
}
