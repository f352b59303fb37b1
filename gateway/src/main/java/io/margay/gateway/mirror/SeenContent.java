package io.margay.gateway.mirror;

/// The content of a response, as far as it was kept. Immutable; the bytes are not written.
///
/// @param kept its beginning
/// @param length bytes that have come
/// @param sum CRC-32C of all of them
/// @param whole whether it has come to its end
@SuppressWarnings("ArrayRecordComponent") // by #isSame alone
public record SeenContent(byte[] kept, long length, int sum, boolean whole) {
    /// Nothing came.
    public static final SeenContent NONE = new SeenContent(new byte[0], 0, 0, false);

    /// Whether all of it was kept.
    public boolean isKept() {
        return kept.length == length;
    }

    /// Whether it is the same, byte for byte.
    public boolean isSame(SeenContent other) {
        return length == other.length && sum == other.sum && whole == other.whole;
    }
}
