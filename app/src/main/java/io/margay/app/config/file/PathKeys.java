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
                        encoded-slashes (slash) [=ABSENT]: How `%2F` in a path is treated: `reject`
                          answers 400, `not-found` 404; `decode` makes it a slash; `passthrough`
                          leaves it encoded, for rules, access, files and applications alike.
                        backslashes (backslash) [=ABSENT]: How `\\` or `%5C` in a path is treated:
                          `reject` answers 400, `slash` makes it a slash.
                        """
                                .replace("ABSENT", absent));
    }
}
