package io.margay.protocol.fastcgi;

/// Encodes what an application sends. Stateless.
public final class FastCgiResponseEncoder {
    /// What was to be written does not fit into the array.
    public static final int FULL = FastCgiRequestEncoder.FULL;

    private FastCgiResponseEncoder() {}

    /// Writes what stands before `length` bytes of output, head and content alike; 0 ends it.
    public static int encodeOutputPrefix(byte[] target, int offset, int length) {
        return record(target, offset, FastCgi.STDOUT, length);
    }

    /// Writes what stands before `length` bytes for the log.
    public static int encodeLogPrefix(byte[] target, int offset, int length) {
        return record(target, offset, FastCgi.STDERR, length);
    }

    /// Writes the end of a request.
    ///
    /// @param overloaded whether the request has not been looked at
    public static int encodeEnd(
            byte[] target, int offset, int applicationStatus, boolean overloaded) {
        if (target.length - offset < FastCgi.HEADER_BYTES + FastCgi.BODY_BYTES) {
            return FULL;
        }
        FastCgi.header(target, offset, FastCgi.END_REQUEST, FastCgi.BODY_BYTES);
        int at = offset + FastCgi.HEADER_BYTES;
        for (int i = 0; i < 4; i++) {
            target[at + i] = (byte) (applicationStatus >>> (24 - 8 * i));
            target[at + 4 + i] = 0;
        }
        target[at + 4] = (byte) (overloaded ? FastCgi.OVERLOADED : FastCgi.REQUEST_COMPLETE);
        return at + FastCgi.BODY_BYTES;
    }

    private static int record(byte[] target, int offset, int type, int length) {
        if (length < 0 || length > FastCgi.CONTENT_BYTES_LIMIT) {
            throw new IllegalArgumentException("a record holds up to 65535 bytes, not " + length);
        }
        if (target.length - offset < FastCgi.HEADER_BYTES) {
            return FULL;
        }
        FastCgi.header(target, offset, type, length);
        return offset + FastCgi.HEADER_BYTES;
    }
}
