package io.margay.protocol.fastcgi;

/// The numbers of FastCGI 1.0 §8. Every record begins with eight octets:
///
/// ```
/// | version 1 | type | request id, 2 | content length, 2 | padding length | reserved |
/// ```
final class FastCgi {
    static final int VERSION = 1;
    static final int HEADER_BYTES = 8;
    static final int CONTENT_BYTES_LIMIT = 65_535;

    static final int BEGIN_REQUEST = 1;
    static final int ABORT_REQUEST = 2;
    static final int END_REQUEST = 3;
    static final int PARAMS = 4;
    static final int STDIN = 5;
    static final int STDOUT = 6;
    static final int STDERR = 7;

    static final int ROLE_RESPONDER = 1;
    static final int KEEP_CONNECTION = 1;

    static final int REQUEST_COMPLETE = 0;
    static final int CANNOT_MULTIPLEX = 1;
    static final int OVERLOADED = 2;
    static final int UNKNOWN_ROLE = 3;

    /// The one request that a connection carries at a time.
    static final int REQUEST_ID = 1;

    /// Octets of the bodies of BEGIN_REQUEST and END_REQUEST.
    static final int BODY_BYTES = 8;

    private FastCgi() {}

    /// Writes a record's header.
    static void header(byte[] target, int offset, int type, int contentLength) {
        target[offset] = VERSION;
        target[offset + 1] = (byte) type;
        target[offset + 2] = 0;
        target[offset + 3] = REQUEST_ID;
        target[offset + 4] = (byte) (contentLength >> 8);
        target[offset + 5] = (byte) contentLength;
        target[offset + 6] = 0;
        target[offset + 7] = 0;
    }
}
