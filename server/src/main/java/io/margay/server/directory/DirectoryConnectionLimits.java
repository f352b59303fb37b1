package io.margay.server.directory;

import java.time.Duration;

/// Bounds on the connections to a directory. Immutable.
///
/// @param idleMax connections for searching that are kept without being used; logins that come
///   together; passwords are remembered
/// @param idleFor how long one is kept so: directories close them after minutes
/// @param secretBytesMax of a file with the password of who searches; a password is short
public record DirectoryConnectionLimits(int idleMax, Duration idleFor, int secretBytesMax) {
    public static DirectoryConnectionLimits defaults() {
        return new DirectoryConnectionLimits(4, Duration.ofSeconds(60), 64 << 10);
    }
}
