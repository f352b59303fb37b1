package io.margay.gateway.login;

import java.time.Duration;

/// Bounds on what clients that log in may cost. Immutable.
///
/// @param verifyingMax passwords that are verified at the same time: a bcrypt password keeps a core
///   busy for a tenth of a second, and whoever sends wrong ones is not to have all cores; 0 = half
///   of the processors, at least 1
/// @param askingMax the same of users of the server, for whom a database or directory is waited for
/// @param waitingMax requests that wait for either; more get 503
/// @param rememberedMax right passwords that are remembered, as keyed hashes; beyond it the one
///   used longest ago is verified again
/// @param rememberedFor how long a right password is remembered; a change of the file ends it at
///   once, one in a database after this time
/// @param passwordBytesMax bytes of a password; a longer one is wrong: SHA-crypt takes time that
///   grows with the square of the length
/// @param fileBytesMax bytes of a file of users or groups, which is held in memory
/// @param bcryptCostMax cost of a bcrypt password in a file: 2^17 rounds take ten seconds
/// @param roundsMax rounds of a SHA-crypt password in a file
/// @param answerBytesMax content of what a service answers (`auth-request`), which is held in
///   memory
public record LoginLimits(
        int verifyingMax,
        int askingMax,
        int waitingMax,
        int rememberedMax,
        Duration rememberedFor,
        int passwordBytesMax,
        int fileBytesMax,
        int bcryptCostMax,
        int roundsMax,
        int answerBytesMax) {
    public LoginLimits {
        if (verifyingMax < 0
                || askingMax < 1
                || waitingMax < 1
                || rememberedMax < 1
                || rememberedFor.isNegative()
                || passwordBytesMax < 1
                || fileBytesMax < 1
                || bcryptCostMax < 1
                || roundsMax < 1
                || answerBytesMax < 1) {
            throw new IllegalArgumentException("all but verifyingMax are at least 1");
        }
    }

    /// Half of the processors, 16 of the server, 64 waiting each, 10 000 passwords for 5 minutes,
    /// 512 bytes, files of 8 MiB, cost 16, a million rounds, answers of 64 KiB.
    public static LoginLimits defaults() {
        return new LoginLimits(
                0, 16, 64, 10_000, Duration.ofMinutes(5), 512, 8 << 20, 16, 1_000_000, 64 << 10);
    }

    /// Threads that verify passwords.
    int verifying() {
        return verifyingMax > 0
                ? verifyingMax
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
