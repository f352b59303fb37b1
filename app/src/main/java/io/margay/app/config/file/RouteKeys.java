package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.optional;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.members.UpstreamReader;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.ResponseKeys;
import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.server.compression.CompressionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The keys of a route that leads to an upstream, and how its responses are compressed.
final class RouteKeys {
    private static final String GATEWAY = "gateway";
    private static final String TRUSTED = "trust-forwarded";

    /// Keys of routes to an upstream, but for the one that names it.
    private static final List<String> OF_GATEWAY =
            ofGateway().stream()
                    .map(Shape.Key::name)
                    .filter(name -> !name.equals(GATEWAY))
                    .toList();

    /// Keys of routes that belong to some kinds of them.
    static final Set<String> OF_SOME =
            Stream.of(OF_GATEWAY, StatusShape.OWN, List.of("dot-files", "index", "fallback"))
                    .flatMap(List::stream)
                    .collect(Collectors.toUnmodifiableSet());

    private RouteKeys() {}

    /// Complains of keys of gateways in another route.
    static void strangers(Settings section, Reading reading) {
        reading.strangers(section, OF_GATEWAY, "a gateway");
    }

    static List<Shape.Key> ofGateway() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        GATEWAY,
                        UpstreamKeys.NAME_OR_URL,
                        "",
                        "Name of the upstream that answers; or a URL, as in"
                                + " `http://127.0.0.1:9000`, of its only member."));
        keys.addAll(ProxyKeys.OF_ROUTE.shapes());
        keys.add(
                optional(
                        TRUSTED,
                        AddressKeys.networks(0),
                        "none",
                        "With `gateway`: front ends whose forwarding fields are believed; those of"
                                + " others are dropped."));
        return keys;
    }

    static Shape.Key compression() {
        return optional(
                ResponseKeys.COMPRESSION,
                ResponseKeys.CONFIG.shape(),
                "as the host says",
                "How its responses are compressed, in place of what the host says; `codings: []`:"
                        + " not at all.");
    }

    /// How responses of a route are compressed, where it says so.
    static Optional<CompressionConfig> compression(Settings route, Reading reading) {
        return route.section(ResponseKeys.COMPRESSION)
                .map(how -> ResponseKeys.CONFIG.read(how, CompressionConfig.defaults(), reading));
    }

    /// The route of a section that has the key `gateway`.
    ///
    /// @param gateways of the file
    static Optional<RouteSettings> read(
            String path, Settings section, UpstreamReader gateways, Reading reading) {
        String name = section.text(GATEWAY).orElse("").replaceFirst("/$", "");
        Set<String> upstreams = gateways.names();
        if (UpstreamKeys.isUrl(name)) {
            List<Problem> wrong = gateways.byUrl(name);
            wrong.forEach(one -> reading.problem(section, GATEWAY, one.message()));
            if (!wrong.isEmpty()) {
                return Optional.empty();
            }
        } else if (!upstreams.contains(name)) {
            reading.problem(
                    section,
                    GATEWAY,
                    "there is no upstream \"" + name + "\"" + Nearest.hint(name, upstreams));
            return Optional.empty();
        }
        return Optional.of(
                new RouteSettings.Gateway(
                        path,
                        name,
                        ProxyKeys.OF_ROUTE.read(section, ProxyKeys.OF_ROUTE.defaults(), reading),
                        section.list(TRUSTED, String.class)));
    }
}
