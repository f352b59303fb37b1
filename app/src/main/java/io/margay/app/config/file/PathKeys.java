package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.optional;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PathReading.EncodedSlash;
import java.util.List;

/// The keys by which hosts and routes say how targets are read that servers disagree about.
public final class PathKeys {
    private static final String SLASHES = "encoded-slashes";
    private static final String BACKSLASHES = "backslashes";
    private static final String SEPARATES = "slash";

    private PathKeys() {}

    static List<Shape.Key> ofHost() {
        return keys(EncodedSlash.REJECT.word(), "reject");
    }

    static List<Shape.Key> ofRoute() {
        return keys("as the host says", "as the host says");
    }

    private static List<Shape.Key> keys(String slashes, String backslashes) {
        return List.of(
                optional(
                        SLASHES,
                        choice(EncodedSlash.words()),
                        slashes,
                        "What a path with `%2F` is: `reject` answers it with 400 and `not-found`"
                                + " with 404; `decode` reads a slash, `passthrough` leaves it"
                                + " encoded, as a part of a name. Rules, access, constraints, files"
                                + " and applications all see the path so."),
                optional(
                        BACKSLASHES,
                        choice(List.of("reject", SEPARATES)),
                        backslashes,
                        "What a path with `\\` or `%5C` is: `reject` answers it with 400, `slash`"
                                + " reads a slash."));
    }

    /// What a host or route says.
    ///
    /// @param byDefault where it does not
    static PathReading read(Settings section, PathReading byDefault) {
        return new PathReading(
                section.text(SLASHES).map(EncodedSlash::of).orElse(byDefault.slash()),
                section.text(BACKSLASHES).map(SEPARATES::equals).orElse(byDefault.backslash()));
    }

    /// Whether a route says something itself.
    static boolean areIn(Settings section) {
        return section.has(SLASHES) || section.has(BACKSLASHES);
    }
}
