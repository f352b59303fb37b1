package io.margay.app.config.members;

import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.register.RegisterSettings;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberLine;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The keys by which a server registers itself with gateways, and how they are read. Used by one
/// thread.
public record RegisterKeys(Path base, List<Problem> problems) {
    private static final int WEIGHT_MAX = 9_999_999;
    private static final String NAME = "[A-Za-z0-9_~:-][A-Za-z0-9._~:-]{0,63}";

    /// Where and as what a server registers.
    public static Shape shape() {
        return new Items("registrations", section(), 1, true);
    }

    private static Section section() {
        return new Section(
                "a registration",
                List.of(
                        required(
                                "upstream",
                                text("the name of an upstream", RegisterKeys::name),
                                "The upstream of the gateways whose members register."),
                        optional(
                                "to",
                                new Items(
                                        "gateways", text("a URL", RegisterKeys::gateway), 1, true),
                                "",
                                "The `admin` listeners of the gateways, as in"
                                        + " http://10.0.0.2:9990, each of which is told."),
                        optional(
                                "through",
                                text("a URL, as in redis://host:6379"),
                                "",
                                "In place of `to`: Valkey or Redis, where the gateways look;"
                                        + " written as `url` of `sessions`; `shared` is that of"
                                        + " `shared`."),
                        required(
                                "url",
                                text(
                                        "a URL with an address, as in http://10.0.0.5:8080",
                                        RegisterKeys::url),
                                "Where the gateways reach this server, and how it is spoken to."),
                        required(
                                "token-file", Shape.path(), "File with the token of the upstream."),
                        optional(
                                "name",
                                text("a name", RegisterKeys::name),
                                "the route, else address and port",
                                "What the member is called there; each server has its own."),
                        optional(
                                "route",
                                text("a route", RegisterKeys::name),
                                "that of `sessions`",
                                "Suffix of the session identifiers that this server makes."),
                        optional(
                                "weight",
                                whole(1, WEIGHT_MAX),
                                "1",
                                "The share of the requests that it gets."),
                        optional(
                                "lease",
                                duration(),
                                "10s",
                                "1s to 1h: a server that has ended without a word is gone then."
                                        + " It is renewed three times in that time."),
                        optional(
                                "plain-text",
                                flag(),
                                "false",
                                "Whether the token may cross the network in the clear: `to` with"
                                        + " http and an address that is not of this machine."),
                        optional(
                                "trust",
                                Shape.path(),
                                "the JDK's authorities",
                                "PEM file of the authorities of gateways with https.")),
                List.of("to", "through"));
    }

    private static String name(String text) {
        if (!text.matches(NAME)) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static URI gateway(String text) {
        URI uri = URI.create(text);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getUserInfo() != null) {
            throw new IllegalArgumentException("");
        }
        return uri;
    }

    /// Whether others on the way see what is sent.
    private static boolean isOpen(URI to) {
        String host = to.getHost();
        return "http".equals(to.getScheme())
                && !host.equals("localhost")
                && !host.matches("127(\\.[0-9]+){3}|\\[::1]");
    }

    private static PeerUrl url(String text) {
        PeerUrl url = PeerUrl.parse(text);
        Object _ = InetAddress.ofLiteral(url.address().host());
        return url;
    }

    /// @param route of the sessions of this server; empty = none
    public List<RegisterSettings> read(Settings root, String route) {
        return root.list("register", Settings.class).stream()
                .map(section -> one(root, section, route))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<RegisterSettings> one(Settings root, Settings section, String ownRoute) {
        Optional<PeerUrl> url = section.get("url", PeerUrl.class);
        if (url.isEmpty()) {
            return Optional.empty();
        }
        String at = url.get().address().host() + ":" + url.get().address().port();
        String route = section.text("route").orElse(ownRoute);
        Map<String, String> options = new HashMap<>();
        if (!route.isEmpty()) {
            options.put("route", route);
        }
        section.number("weight").ifPresent(weight -> options.put("weight", weight.toString()));
        Duration lease = section.duration("lease").orElse(RegisterSettings.LEASE_DEFAULT);
        DiscoveryLimits limits = DiscoveryLimits.defaults();
        if (lease.compareTo(limits.leaseMin()) < 0 || lease.compareTo(limits.leaseMax()) > 0) {
            problem(section, "lease", "\"lease\" must be 1s to 1h");
        }
        if (!section.get("plain-text", Boolean.class).orElse(false)) {
            section.list("to", URI.class).stream()
                    .filter(RegisterKeys::isOpen)
                    .forEach(to ->
                            problem(
                                    section,
                                    "to",
                                    "the token would cross the network in the clear to "
                                            + to
                                            + ": use https, or allow it with"
                                            + " \"plain-text: true\""));
        }
        return Optional.of(
                new RegisterSettings(
                        section.text("upstream").orElse(""),
                        section.text("name").orElse(route.isEmpty() ? at : route),
                        new MemberLine(url.get(), options),
                        section.list("to", URI.class),
                        SharedKeys.url(root, section, "through", problems).orElse(null),
                        file(section, "token-file").orElse(base),
                        file(section, "trust").orElse(null),
                        lease));
    }

    private Optional<Path> file(Settings section, String key) {
        Optional<Path> file = section.text(key).map(text -> base.resolve(text).normalize());
        file.filter(path -> !Files.exists(path))
                .ifPresent(path ->
                        problem(section, key, "\"" + key + "\": " + path + " does not exist"));
        return file;
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
