package io.margay.gateway.mirror;

/// How much a comparison of two servers holds. Immutable.
///
/// @param bodyBytesMax bytes of an answer that are kept until it is compared; of longer ones length
///   and checksum are compared; pages have tens of kilobytes; 100 pairs under way hold 75 MiB at
///   most
/// @param sessionsMax sessions of which is known which are the same at both servers; beyond it the
///   one that was not used for the longest time is forgotten; some 1 KiB each, 40 MB in all at most
/// @param cookiesMax cookies of the new server that are kept for one session; browsers send few
/// @param patternsMax patterns of paths that are told apart; others count as one; more than
///   applications have
/// @param groupsMax causes of differences that are told apart; others are counted together; more
///   than anybody reads
/// @param differencesMax differences of two answers that are looked at; one is enough to look at
/// @param excerptCharsMax characters of each side of an example; a line or two
/// @param trace of what is recorded
public record ShadowLimits(
        int bodyBytesMax,
        int sessionsMax,
        int cookiesMax,
        int patternsMax,
        int groupsMax,
        int differencesMax,
        int excerptCharsMax,
        Trace trace) {
    private static final ShadowLimits DEFAULTS =
            new ShadowLimits(1 << 18, 10_000, 20, 500, 200, 30, 160, new Trace(10_000, 1L << 28));

    /// How much of the requests is recorded. Immutable.
    ///
    /// @param waitingMax requests that wait to be written
    /// @param bytesMax of the file
    public record Trace(int waitingMax, long bytesMax) {}

    /// All defaults.
    public static ShadowLimits defaults() {
        return DEFAULTS;
    }
}
