package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.server.compression.CompressionConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The keys by which hosts say how long clients may keep responses.
final class ExpiryKeys {
    private static final String KEY = "expires";

    private ExpiryKeys() {}

    static Shape.Key ofHost() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "type",
                        text(
                                "a media type, as in image/png or image/*",
                                CompressionConfig::checkType),
                        "any",
                        "The media type of the response. A rule for the type itself goes before one"
                                + " like `image/*`, which goes before one for any; of those alike"
                                + " the last decides."));
        keys.add(
                optional(
                        "after",
                        duration(),
                        "0s",
                        "How long clients may keep the response, as `Expires` and `Cache-Control:"
                                + " max-age`."));
        keys.add(
                optional(
                        "from",
                        choice(List.of("access", "modified", "never")),
                        "access",
                        "From when on: access = the request; modified = `Last-Modified` of a file;"
                                + " never = nothing is said, whatever the rules before say."));
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return optional(
                KEY,
                new Items("expiries", new Section("an expiry", keys, List.of()), 0, true),
                "none",
                "How long clients may keep responses that are no errors and say no `Expires`.");
    }

    static List<ExpiryRule> rules(Settings host) {
        return host.list(KEY, Settings.class).stream()
                .map(section ->
                        new ExpiryRule(
                                ChangeReader.match(section),
                                RuleReader.when(section),
                                section.text("type").orElse(""),
                                ExpiryRule.Base.valueOf(
                                        section.text("from")
                                                .orElse("access")
                                                .toUpperCase(Locale.ROOT)),
                                section.duration("after").orElse(Duration.ZERO).toSeconds()))
                .toList();
    }
}
