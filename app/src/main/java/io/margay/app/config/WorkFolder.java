package io.margay.app.config;

import java.nio.file.Path;
import java.util.List;

/// Where a server keeps unpacked archives, compiled pages and sessions. Immutable.
///
/// @param path the folder itself, or the one in which each port has its own
/// @param perPort whether the server uses a folder named as the port of its first listener, or as
///   its Unix socket, so that several servers of one machine do not meet
public record WorkFolder(Path path, boolean perPort) {
    /// This folder and no other.
    public static WorkFolder exactly(Path path) {
        return new WorkFolder(path, false);
    }

    /// `work/PORT` in a folder: what a server uses that was not told.
    public static WorkFolder defaultIn(Path base) {
        return new WorkFolder(base.resolve("work"), true);
    }

    /// The folder of a server with these listeners.
    Path of(List<ListenerSettings> listeners) {
        if (!perPort || listeners.isEmpty()) {
            return path;
        }
        Endpoint first = listeners.getFirst().endpoint();
        return path.resolve(
                first.socket() == null
                        ? first.key()
                        : String.valueOf(first.socket().getFileName()));
    }
}
