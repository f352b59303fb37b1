package io.margay.gateway.directory;

import java.time.Duration;

/// Bounds on what a directory costs. Immutable.
///
/// @param idleMax connections for searching that are kept without being used
/// @param idleFor how long one is kept so: directories close them after minutes
/// @param groupsMax groups of one user that are asked for; others do not count
/// @param membersMax members of groups that are looked at for groups in them, for one question;
///   where there are more, nobody can tell, and the user gets 500
/// @param secretBytesMax of a file with the password of who searches
public record DirectoryLimits(
        int idleMax, Duration idleFor, int groupsMax, int membersMax, int secretBytesMax) {
    public static DirectoryLimits defaults() {
        return new DirectoryLimits(4, Duration.ofSeconds(60), 1000, 10_000, 64 << 10);
    }
}
