package io.margay.app.config.members;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.register.RegisterSettings;
import io.margay.app.register.RegisterSettingsBuilder;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberLine;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The keys by which a server registers itself with gateways. Stateless.
public final class RegisterKeys {
    private static final int WEIGHT_MAX = 9_999_999;
    private static final Predicate<String> NAME =
            Pattern.compile("[A-Za-z0-9_~:-][A-Za-z0-9._~:-]{0,63}").asMatchPredicate();

    /// The name of a member whose name is not said.
    private static final String UNNAMED = "";

    private static final Keys<MemberLine> MEMBER =
            Binding.of("a member", new MemberLine(PeerUrl.parse("http://127.0.0.1:1"), Map.of()))
                    .form(
                            "url",
                            parsed(
                                    "a URL with an address, as in http://10.0.0.5:8080",
                                    RegisterKeys::url))
                    .form(
                            "route",
                            matching("a route", NAME),
                            one -> one.options().get("route"),
                            (to, route) -> option(to, "route", route))
                    .form(
                            "weight",
                            whole(1, WEIGHT_MAX).as(String::valueOf, Integer::valueOf),
                            one -> one.options().get("weight"),
                            (to, weight) -> option(to, "weight", weight))
                    .keys(
                            """
                            url [required]: URL by which the gateways reach this server.
                            route [that of `sessions`]: Suffix of the session identifiers that this
                              server makes.
                            weight [1]: The share of the requests that it gets.
                            """);

    public static final Keys<RegisterSettings> REGISTRATION =
            Binding.of(
                            "a registration",
                            RegisterSettingsBuilder.builder()
                                    .upstream("-")
                                    .name(UNNAMED)
                                    .member(MEMBER.defaults())
                                    .gateways(List.of())
                                    .tokenFile(Path.of("/"))
                                    .lease(RegisterSettings.LEASE_DEFAULT)
                                    .build())
                    .form("upstream", matching("the name of an upstream", NAME))
                    .form("to", listOrOne("gateways", MemberSourceKeys.API, 1))
                    .form("token-file", existing())
                    .keys(
                            """
                            upstream [required]: The upstream of the gateways whose members
                              register.
                            to (gateways): The `admin` listeners of the gateways, as in
                              http://10.0.0.2:9990.
                            through <a URL, as in redis://host:6379>: In place of `to`: Valkey or
                              Redis, where the gateways look; written as `url` of `sessions`;
                              `shared` is that of `shared`.
                            token-file [required]: File with the token of the upstream.
                            """)
                    .part("member", MEMBER)
                    .form("name", matching("a name", NAME))
                    .shape("plain-text", Shape.flag())
                    .form("trust", existing())
                    .keys(
                            """
                            name [the route, else address and port]: The member's name there, unique
                              per server.
                            lease: 1s to 1h: how long after its last renewal a vanished server is
                              removed. Renewed every third of it.
                            plain-text [false]: Allows `to` with http and a non-loopback address,
                              which sends the token in clear text.
                            trust [the JDK's authorities]: PEM file of the authorities of gateways
                              with https.
                            """)
                    .exactlyOne("to", "through")
                    .rule(RegisterKeys::check);

    /// Where and as what a server registers.
    public static final Form<List<RegisterSettings>> REGISTRATIONS =
            listOrOne("registrations", section(REGISTRATION), 1);

    private RegisterKeys() {}

    private static PeerUrl url(String text) {
        PeerUrl url = PeerUrl.parse(text);
        Object _ = InetAddress.ofLiteral(url.address().host());
        return url;
    }

    private static void option(Draft<MemberLine> to, String name, String value) {
        Map<String, String> options = new HashMap<>(to.build().options());
        options.put(name, value);
        to.set("options", options);
    }

    private static void check(Settings section, Reading reading) {
        Duration lease = section.duration("lease").orElse(RegisterSettings.LEASE_DEFAULT);
        DiscoveryLimits limits = DiscoveryLimits.defaults();
        if (lease.compareTo(limits.leaseMin()) < 0 || lease.compareTo(limits.leaseMax()) > 0) {
            reading.problem(section, "lease", "\"lease\" must be 1s to 1h");
        }
        if (!section.get("plain-text", Boolean.class).orElse(false)) {
            section.list("to", URI.class).stream()
                    .filter(RegisterKeys::isOpen)
                    .forEach(to ->
                            reading.problem(
                                    section,
                                    "to",
                                    "the token would cross the network in the clear to "
                                            + to
                                            + ": use https, or allow it with"
                                            + " \"plain-text: true\""));
        }
    }

    /// Whether others on the way see what is sent.
    private static boolean isOpen(URI to) {
        String host = to.getHost();
        return "http".equals(to.getScheme())
                && !host.equals("localhost")
                && !host.matches("127(\\.[0-9]+){3}|\\[::1]");
    }

    /// What a file says.
    ///
    /// @param route of the sessions of this server; empty = none
    public static List<RegisterSettings> read(Settings root, String route, Reading reading) {
        return root.list("register", Settings.class).stream()
                .map(section -> one(root, section, route, reading))
                .toList();
    }

    private static RegisterSettings one(
            Settings root, Settings section, String route, Reading reading) {
        Draft<MemberLine> member = new Draft<>(MEMBER.defaults());
        if (!route.isEmpty()) {
            option(member, "route", route);
        }
        Draft<RegisterSettings> otherwise = new Draft<>(REGISTRATION.defaults());
        otherwise.set("member", member.build());
        RegisterSettings read = REGISTRATION.read(section, otherwise.build(), reading);
        Draft<RegisterSettings> made = new Draft<>(read);
        if (read.name().equals(UNNAMED)) {
            PeerUrl url = read.member().url();
            @Nullable String own = read.member().options().get("route");
            String at = url.address().host() + ":" + url.address().port();
            made.set("name", own == null ? at : own);
        }
        made.set("through", SharedKeys.url(root, section, "through", reading).orElse(null));
        return made.build();
    }
}
