package io.margay.protocol.http2;

import java.util.Arrays;

/// A header block that is being received, in one frame or in several (RFC 9113 §4.3). Guarded as
/// its session is.
///
/// How many octets and frames it may have is looked at as they come, not at its end
/// (CVE-2024-27316).
final class HeaderBlock {
    private static final byte[] NONE = new byte[0];

    private final int bytesMax;
    private final int continuationsMax;
    private byte[] bytes = NONE;
    private int length;
    private int continuations;
    private boolean open;

    int streamId;
    boolean endStream;
    boolean selfDependent;

    HeaderBlock(Http2Limits limits) {
        bytesMax = limits.headerBlockBytesMax();
        continuationsMax = limits.continuationsMax();
    }

    boolean isOpen() {
        return open;
    }

    void begin(int id, boolean ends, boolean self) {
        streamId = id;
        endStream = ends;
        selfDependent = self;
        length = 0;
        continuations = 0;
        open = true;
    }

    /// Adds the octets of a further frame; false when it is too much.
    boolean next(byte[] source, int from, int to) {
        return ++continuations <= continuationsMax && append(source, from, to);
    }

    /// Adds octets; false when it is too much.
    boolean append(byte[] source, int from, int to) {
        int count = to - from;
        if (length + count > bytesMax) {
            return false;
        }
        if (bytes.length < length + count) {
            bytes = Arrays.copyOf(bytes, Math.min(bytesMax, (length + count) * 2));
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
        return true;
    }

    /// What it takes.
    int capacity() {
        return bytes.length;
    }

    int length() {
        return length;
    }

    /// Ends the block, and gives the array it was collected in.
    byte[] end() {
        open = false;
        return bytes;
    }

    /// Gives the array back.
    void trim() {
        if (!open) {
            bytes = NONE;
        }
    }
}
