package io.margay.gateway.directory;

/// Bounds on what a directory costs. Immutable.
///
/// @param groupsMax groups of one user that are asked for; others do not count; more are a mistake
/// @param membersMax members of groups that are looked at for groups in them, for one question;
///   where there are more, nobody can tell, and the user gets 500; each is a question to the
///   directory
public record DirectoryLimits(int groupsMax, int membersMax) {
    public static DirectoryLimits defaults() {
        return new DirectoryLimits(1000, 10_000);
    }
}
