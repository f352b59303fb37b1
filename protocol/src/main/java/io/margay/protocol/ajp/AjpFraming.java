package io.margay.protocol.ajp;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What the fields of a forwarded request say about its content and its host: the rules of HTTP/1
/// (RFC 9112 §3.2, §6.3), field by field. Confined to its decoder's thread.
///
/// A front end that was tricked into forwarding two readings of a length is stopped here
/// (CVE-2022-26377, CVE-2022-36760).
final class AjpFraming {
    private static final long ABSENT = -1;

    private long contentLength;
    private boolean chunked;
    private boolean expects;
    private @Nullable String host;
    private @Nullable AjpError error;

    void reset() {
        contentLength = ABSENT;
        chunked = false;
        expects = false;
        host = null;
        error = null;
    }

    /// Takes notice of one field.
    void field(String name, String value) {
        switch (name.length()) {
            case 4 -> {
                if (Octets.equalsIgnoreCase(name, "host")) {
                    readHost(value);
                }
            }
            case 6 -> {
                if (Octets.equalsIgnoreCase(name, "expect")) {
                    readExpect(value);
                }
            }
            case 14 -> {
                if (Octets.equalsIgnoreCase(name, "content-length")) {
                    readContentLength(value);
                }
            }
            case 17 -> {
                if (Octets.equalsIgnoreCase(name, "transfer-encoding")) {
                    readTransferEncoding(value);
                }
            }
            default -> {}
        }
    }

    /// What is wrong with the fields together, or null.
    @Nullable AjpError check(HttpVersion version, long bodyBytesMax) {
        if (error != null) {
            return error;
        }
        if (chunked && contentLength != ABSENT) {
            return AjpError.LENGTH_AND_CODING;
        }
        if (chunked && version == HttpVersion.HTTP_1_0) {
            return AjpError.CODING_IN_1_0;
        }
        if (host == null && version == HttpVersion.HTTP_1_1) {
            return AjpError.HOST_MISSING;
        }
        if (bodyBytesMax != AjpLimits.NO_BODY_LIMIT && contentLength > bodyBytesMax) {
            return AjpError.CONTENT_TOO_LARGE;
        }
        return null;
    }

    /// The value of `Host`, or null.
    @Nullable String host() {
        return host;
    }

    boolean chunked() {
        return chunked;
    }

    /// The declared length, or -1 without one.
    long contentLength() {
        return contentLength;
    }

    private void fail(AjpError fault) {
        if (error == null) {
            error = fault;
        }
    }

    private void readHost(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        if (host != null) {
            fail(AjpError.HOST_REPEATED);
        } else if (!Authority.isValid(bytes, 0, bytes.length)) {
            fail(AjpError.BAD_HOST);
        }
        host = value;
    }

    private void readExpect(String value) {
        if (expects || !Octets.equalsIgnoreCase(value, "100-continue")) {
            fail(AjpError.EXPECTATION_UNKNOWN);
        }
        expects = true;
    }

    private void readContentLength(String value) {
        if (contentLength != ABSENT) {
            fail(AjpError.CONTENT_LENGTH_REPEATED);
            return;
        }
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        contentLength = Octets.decimal(bytes, 0, bytes.length);
        if (contentLength < 0) {
            fail(AjpError.BAD_CONTENT_LENGTH);
        }
    }

    private void readTransferEncoding(String value) {
        if (chunked || !Octets.equalsIgnoreCase(value, "chunked")) {
            fail(AjpError.BAD_CODING);
        }
        chunked = true;
    }
}
