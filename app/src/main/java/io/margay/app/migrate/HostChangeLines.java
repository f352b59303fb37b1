package io.margay.app.migrate;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.SizeRule;
import io.margay.gateway.rules.VariableRule;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.util.List;
import java.util.TreeMap;

/// Writes what a host changes in requests and responses as keys of `margay.yaml`. Stateless.
final class HostChangeLines {
    private HostChangeLines() {}

    /// Appends the keys, each but empty ones.
    static void write(HostChanges changes, StringBuilder out) {
        lines("variables", changes.variables().stream().map(HostChangeLines::line).toList(), out);
        if (!changes.maps().isEmpty()) {
            out.append("    maps:\n");
            new TreeMap<>(changes.maps())
                    .forEach((name, source) ->
                            out.append("      ")
                                    .append(YamlLine.quote(name))
                                    .append(": ")
                                    .append(line(source))
                                    .append('\n'));
        }
        lines(
                "request-headers",
                changes.request().stream().map(HostChangeLines::line).toList(),
                out);
        lines(
                "response-headers",
                changes.response().stream().map(HostChangeLines::line).toList(),
                out);
        lines("error-pages", changes.errors().stream().map(HostChangeLines::line).toList(), out);
        lines(
                "compression",
                changes.compression().stream().map(HostChangeLines::line).toList(),
                out);
        lines("expires", changes.expiry().stream().map(HostChangeLines::line).toList(), out);
        lines("request-sizes", changes.sizes().stream().map(HostChangeLines::line).toList(), out);
        lines("bandwidth", changes.bandwidth().stream().map(HostChangeLines::line).toList(), out);
        ClientAddress client = changes.client();
        if (client != null) {
            YamlLine line = new YamlLine().text("field", client.field());
            if (!client.trusted().isEmpty()) {
                line.texts("trusted", client.trusted());
            }
            if (!client.internal().isEmpty()) {
                line.texts("internal", client.internal());
            }
            String proxies = client.proxies();
            if (proxies != null) {
                line.text("proxies-field", proxies);
            }
            out.append("    client-address: ").append(line).append('\n');
        }
    }

    private static void lines(String key, List<YamlLine> lines, StringBuilder out) {
        if (!lines.isEmpty()) {
            out.append("    ").append(key).append(":\n");
            lines.forEach(line -> out.append("      - ").append(line).append('\n'));
        }
    }

    private static YamlLine line(VariableRule rule) {
        YamlLine line = new YamlLine();
        String value = rule.value();
        if (value == null) {
            line.text("unset", rule.name());
        } else {
            line.text("set", rule.name()).text("value", value);
        }
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(MapSource source) {
        return switch (source) {
            case MapSource.Made(MapSource.Function function) ->
                    new YamlLine().text("function", ConfigWriter.lower(function));
            case MapSource.Lines lines ->
                    new YamlLine()
                            .text("file", lines.file().toString())
                            .flag("random", lines.random(), false);
        };
    }

    private static YamlLine line(FieldRule rule) {
        YamlLine line = new YamlLine();
        line.text(ConfigWriter.lower(rule.change()).replace('_', '-'), rule.name());
        if (!rule.value().isEmpty()) {
            line.text("value", rule.value());
        }
        if (!rule.regex().isEmpty()) {
            line.text("find", rule.regex());
        }
        line.flag("always", rule.always(), false);
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(CompressionRule rule) {
        CompressionConfig what = rule.what();
        CompressionConfig defaults = CompressionConfig.defaults();
        YamlLine line = new YamlLine();
        if (!what.codings().equals(defaults.codings())) {
            line.texts("codings", what.codings().stream().map(Coding::token).toList());
        }
        line.number("level", what.level(), defaults.level())
                .number("min-size", what.minBytes(), defaults.minBytes());
        if (!what.types().equals(defaults.types())) {
            line.texts("types", what.types());
        }
        if (!rule.group().isEmpty()) {
            line.text("group", rule.group());
        }
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(ExpiryRule rule) {
        YamlLine line = new YamlLine();
        if (!rule.type().isEmpty()) {
            line.text("type", rule.type());
        }
        if (rule.seconds() > 0) {
            line.text("after", rule.seconds() + "s");
        }
        if (rule.base() != ExpiryRule.Base.ACCESS) {
            line.text("from", ConfigWriter.lower(rule.base()));
        }
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(SizeRule rule) {
        YamlLine line =
                new YamlLine()
                        .number("content-max", rule.contentBytesMax(), SizeRule.ANY)
                        .number("target-max", rule.targetBytesMax(), SizeRule.ANY)
                        .number("fields-max", rule.fieldsMax(), SizeRule.ANY)
                        .number("field-max", rule.fieldBytesMax(), SizeRule.ANY);
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(BandwidthRule rule) {
        YamlLine line = new YamlLine();
        switch (rule.speed()) {
            case BandwidthRule.Fixed(long rate, long after) ->
                    line.number("rate", rate, -1).number("after", after, 0);
            case BandwidthRule.Named(String rate, String after) -> {
                line.text("rate-variable", rate);
                if (!after.isEmpty()) {
                    line.text("after-variable", after);
                }
            }
        }
        if (!rule.types().isEmpty()) {
            line.texts("types", rule.types());
        }
        if (!rule.group().isEmpty()) {
            line.text("group", rule.group());
        }
        match(line, rule.match());
        ConfigWriter.when(line, rule.when());
        return line;
    }

    private static YamlLine line(ErrorPage page) {
        YamlLine line = new YamlLine().number("status", page.status(), 0);
        switch (page.content()) {
            case ErrorPage.Content.Text(String text) -> line.text("text", text);
            case ErrorPage.Content.Page(var file, String path) -> {
                line.text("file", file.toString());
                if (!path.isEmpty()) {
                    line.text("asked-as", path);
                }
            }
            case ErrorPage.Content.Asked(String target) -> line.text("page", target);
            case ErrorPage.Content.Elsewhere(String url) -> line.text("url", url);
            case ErrorPage.Content.Own _ -> line.flag("own", true, false);
        }
        match(line, page.match());
        ConfigWriter.when(line, page.when());
        return line;
    }

    private static void match(YamlLine line, PathMatch match) {
        if (!match.equals(PathMatch.ANY)) {
            ConfigWriter.match(line, match);
        }
    }
}
