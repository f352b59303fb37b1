package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Keys;
import io.margay.protocol.http.PathReading;
import java.util.List;

/// The keys by which hosts and routes say how targets are read that servers disagree about.
final class PathKeys {
    static final Keys<PathReading> OF_HOST = keys("reject");
    static final Keys<PathReading> OF_ROUTE = keys("as the host says");

    private PathKeys() {}

    private static Keys<PathReading> keys(String absent) {
        return Binding.of("how paths are read", PathReading.STRICT)
                .form("backslashes", word(List.of(false, true), yes -> yes ? "slash" : "reject"))
                .keys(
                        """
                        encoded-slashes (slash) [=ABSENT]: What a path with `%2F` is: `reject`
                          answers it with 400 and `not-found` with 404; `decode` reads a slash,
                          `passthrough` leaves it encoded, as a part of a name. Rules, access,
                          constraints, files and applications all see the path so.
                        backslashes (backslash) [=ABSENT]: What a path with `\\` or `%5C` is:
                          `reject` answers it with 400, `slash` reads a slash.
                        """
                                .replace("ABSENT", absent));
    }
}
