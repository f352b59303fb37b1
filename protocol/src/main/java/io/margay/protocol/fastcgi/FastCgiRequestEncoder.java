package io.margay.protocol.fastcgi;

/// Encodes what a gateway sends: requests and their content. Stateless.
public final class FastCgiRequestEncoder {
    /// What was to be written does not fit into the array.
    public static final int FULL = -1;

    /// Bytes of a record before its content.
    public static final int DATA_PREFIX_BYTES = FastCgi.HEADER_BYTES;

    /// Content bytes that fit into one record.
    public static final int DATA_BYTES_MAX = FastCgi.CONTENT_BYTES_LIMIT;

    private FastCgiRequestEncoder() {}

    /// Bytes of [#encodeRequest].
    public static int requestBytes(FastCgiParameters parameters) {
        int length = parameters.length();
        int records = (length + FastCgi.CONTENT_BYTES_LIMIT - 1) / FastCgi.CONTENT_BYTES_LIMIT;
        return FastCgi.HEADER_BYTES * (records + 2) + FastCgi.BODY_BYTES + length;
    }

    /// Writes the begin of a request to a responder, with its parameters; the content follows.
    ///
    /// @param keep whether the application is to keep the connection
    /// @return the offset after it, or [#FULL]
    public static int encodeRequest(
            byte[] target, int offset, boolean keep, FastCgiParameters parameters) {
        if (target.length - offset < requestBytes(parameters)) {
            return FULL;
        }
        FastCgi.header(target, offset, FastCgi.BEGIN_REQUEST, FastCgi.BODY_BYTES);
        int at = offset + FastCgi.HEADER_BYTES;
        for (int i = 0; i < FastCgi.BODY_BYTES; i++) {
            target[at + i] = 0;
        }
        target[at + 1] = FastCgi.ROLE_RESPONDER;
        target[at + 2] = (byte) (keep ? FastCgi.KEEP_CONNECTION : 0);
        at += FastCgi.BODY_BYTES;
        int done = 0;
        while (done < parameters.length()) {
            int count = Math.min(parameters.length() - done, FastCgi.CONTENT_BYTES_LIMIT);
            FastCgi.header(target, at, FastCgi.PARAMS, count);
            parameters.copy(done, target, at + FastCgi.HEADER_BYTES, count);
            at += FastCgi.HEADER_BYTES + count;
            done += count;
        }
        FastCgi.header(target, at, FastCgi.PARAMS, 0);
        return at + FastCgi.HEADER_BYTES;
    }

    /// Writes what stands before `length` bytes of content.
    ///
    /// @param length 1 to [#DATA_BYTES_MAX]
    public static int encodeDataPrefix(byte[] target, int offset, int length) {
        return record(target, offset, FastCgi.STDIN, length);
    }

    /// Writes the end of the content; every request has it, also one without content.
    public static int encodeDataEnd(byte[] target, int offset) {
        return record(target, offset, FastCgi.STDIN, 0);
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
