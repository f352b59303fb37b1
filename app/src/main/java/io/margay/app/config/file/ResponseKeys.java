package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.bytes;
import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The keys by which hosts and routes say which responses are compressed, and hosts how long
/// clients may keep them.
final class ResponseKeys {
    private static final String COMPRESSION = "compression";
    private static final String EXPIRES = "expires";

    private ResponseKeys() {}

    static List<Shape.Key> ofHost() {
        return List.of(compression(), expiry());
    }

    private static Shape.Key compression() {
        List<Shape.Key> keys = new ArrayList<>(keys());
        keys.add(
                optional(
                        "group",
                        text("a name"),
                        "none",
                        "With `codings: []`, what comes after it in the same group is not asked;"
                                + " compressions with another group are."));
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return optional(
                COMPRESSION,
                new Items("compressions", new Section("a compression", keys, List.of()), 0, true),
                "nothing is compressed",
                "Which responses are compressed for clients that accept it, whoever answers; `{}`"
                        + " with the values listed. Of several, the first that takes path and media"
                        + " type decides, unless the client accepts none of its codings.");
    }

    private static Shape.Key expiry() {
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
                        choice(List.of("access", "modified", "never", "inactive", "active")),
                        "access",
                        "From when on: access = the request; modified = `Last-Modified` of a file;"
                                + " never = nothing is said, whatever the rules before say;"
                                + " inactive = nothing is said, whatever other rules say, unless"
                                + " one after it is active."));
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return optional(
                EXPIRES,
                new Items("expiries", new Section("an expiry", keys, List.of()), 0, true),
                "none",
                "How long clients may keep responses that are no errors and say no `Expires`.");
    }

    static Shape.Key ofRoute() {
        return optional(
                COMPRESSION,
                new Section("the compression", keys(), List.of()),
                "as the host says",
                "How its responses are compressed, in place of what the host says; `codings: []`:"
                        + " not at all.");
    }

    private static List<Shape.Key> keys() {
        return List.of(
                optional(
                        "codings",
                        new Items("codings", choice(Coding.tokens()), 0),
                        String.join(", ", Coding.tokens()),
                        "The content codings that may be used; where a client accepts several"
                                + " equally, the first is taken. br needs the system's library"
                                + " libbrotlienc, zstd libzstd: without it the coding is left"
                                + " out."),
                optional(
                        "level",
                        whole(1, 9),
                        String.valueOf(CompressionConfig.LEVEL_DEFAULT),
                        "How hard gzip tries: 1 is the least effort, 9 the fewest bytes."),
                optional(
                        "min-size",
                        bytes(0, Long.MAX_VALUE),
                        String.valueOf(CompressionConfig.MIN_BYTES_DEFAULT),
                        "Contents that are known to be shorter are left as they are."),
                optional(
                        "types",
                        mediaTypes(),
                        String.join(", ", CompressionConfig.TYPES_DEFAULT),
                        "Media types that are compressed; one `*` stands for any characters."));
    }

    static Items mediaTypes() {
        return new Items(
                "media types",
                text("a media type, as in text/html or text/*", CompressionConfig::checkType),
                0);
    }

    /// Those of a host.
    static List<CompressionRule> compressions(Settings host) {
        return host.list(COMPRESSION, Settings.class).stream()
                .map(section ->
                        new CompressionRule(
                                ChangeReader.match(section),
                                RuleReader.when(section),
                                config(section),
                                section.text("group").orElse("")))
                .toList();
    }

    /// That of a route.
    static Optional<CompressionConfig> ofRoute(Settings route) {
        return route.section(COMPRESSION).map(ResponseKeys::config);
    }

    private static CompressionConfig config(Settings section) {
        CompressionConfig defaults = CompressionConfig.defaults();
        return new CompressionConfig(
                section.has("codings")
                        ? section.list("codings", String.class).stream().map(Coding::of).toList()
                        : defaults.codings(),
                section.number("level").map(Math::toIntExact).orElse(defaults.level()),
                section.number("min-size").orElse(defaults.minBytes()),
                section.has("types") ? section.list("types", String.class) : defaults.types());
    }

    /// How long clients may keep responses of a host.
    static List<ExpiryRule> expiries(Settings host) {
        return host.list(EXPIRES, Settings.class).stream()
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
