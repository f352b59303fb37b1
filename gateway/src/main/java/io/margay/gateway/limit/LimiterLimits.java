package io.margay.gateway.limit;

/// What one limit of requests may hold. Immutable.
///
/// @param keysMax keys, such as addresses, of which a rate is remembered; a power of two. Beyond it
///   the one that has asked for least of eight is forgotten
/// @param waitingMax requests that wait at the same time; further ones are refused
/// @param heldBytesMax bytes of a response with a bandwidth that an application may write ahead;
///   who writes more waits
public record LimiterLimits(int keysMax, int waitingMax, int heldBytesMax) {
    public LimiterLimits {
        if (keysMax < BucketTable.WAYS || Integer.bitCount(keysMax) != 1) {
            throw new IllegalArgumentException(
                    "keysMax must be a power of two, " + BucketTable.WAYS + " or more");
        }
        if (waitingMax < 0 || heldBytesMax < 0) {
            throw new IllegalArgumentException("waitingMax and heldBytesMax must not be negative");
        }
    }

    /// 65 536 keys, which take 1 MiB; 1 000 waiting; 256 KiB.
    public static LimiterLimits defaults() {
        return new LimiterLimits(65_536, 1_000, 256 * 1024);
    }
}
