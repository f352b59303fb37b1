package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.status.StatusAccess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The keys of a route to a status page, and their reading.
final class StatusShape {
    /// What belongs to `status` alone.
    static final List<String> OWN = List.of("token", "state", "allow");

    private StatusShape() {}

    static List<Shape.Key> routeKeys() {
        List<String> words =
                Arrays.stream(RouteSettings.Status.Page.values())
                        .map(RouteSettings.Status.Page::word)
                        .toList();
        return List.of(
                optional(
                        "status",
                        choice(words),
                        "",
                        "A page about the upstreams, as mod_jk, mod_status or"
                                + " mod_proxy_balancer has it."),
                optional(
                        "token",
                        text("a text of at least 8 characters", StatusShape::token).asSecret(),
                        "none: nothing can be changed",
                        "With `status`: what whoever changes something by the page has to know, as"
                                + " `Authorization: Bearer TOKEN` or as password."),
                optional(
                        "state",
                        Shape.path(),
                        "none: until the server ends",
                        "With `status`: file that keeps what was changed by the page."),
                optional(
                        "allow",
                        AddressKeys.networks(0),
                        "this machine alone",
                        "With `status`: networks whose clients are shown the page, too; others get"
                                + " 403."));
    }

    private static String token(String text) {
        return String.valueOf(new StatusAccess(text).token());
    }

    static Optional<RouteSettings> read(String path, Settings section, Path base) {
        String word = section.text("status").orElse("");
        for (RouteSettings.Status.Page page : RouteSettings.Status.Page.values()) {
            if (page.word().equals(word)) {
                return Optional.of(
                        new RouteSettings.Status(
                                path,
                                page,
                                section.text("token").orElse(null),
                                section.text("state")
                                        .map(file -> base.resolve(file).normalize())
                                        .orElse(null),
                                section.list("allow", String.class)));
            }
        }
        return Optional.empty();
    }

    /// Reports keys that have no meaning without `status`.
    static void strangers(Settings section, List<Problem> problems) {
        for (String key : OWN) {
            if (section.has(key)) {
                problems.add(
                        new Problem(section.position(key), "\"" + key + "\" belongs to a status"));
            }
        }
    }
}
