package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.bytes;
import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.rules.CompressionRule;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The keys by which hosts and routes say which responses are compressed.
final class CompressionKeys {
    private static final String KEY = "compression";

    private CompressionKeys() {}

    static Shape.Key ofHost() {
        List<Shape.Key> keys = new ArrayList<>(keys());
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return optional(
                KEY,
                new Items("compressions", new Section("a compression", keys, List.of()), 0, true),
                "nothing is compressed",
                "Which responses are compressed for clients that accept it, whoever answers; `{}`"
                        + " with the values listed. Of several, the first that takes path and media"
                        + " type decides, unless the client accepts none of its codings.");
    }

    static Shape.Key ofRoute() {
        return optional(
                KEY,
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
                        new Items(
                                "media types",
                                text(
                                        "a media type, as in text/html or text/*",
                                        CompressionConfig::checkType),
                                0),
                        String.join(", ", CompressionConfig.TYPES_DEFAULT),
                        "Media types that are compressed; one `*` stands for any characters."));
    }

    /// Those of a host.
    static List<CompressionRule> rules(Settings host) {
        return host.list(KEY, Settings.class).stream()
                .map(section ->
                        new CompressionRule(
                                ChangeReader.match(section),
                                RuleReader.when(section),
                                config(section)))
                .toList();
    }

    /// That of a route.
    static Optional<CompressionConfig> ofRoute(Settings route) {
        return route.section(KEY).map(CompressionKeys::config);
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
}
