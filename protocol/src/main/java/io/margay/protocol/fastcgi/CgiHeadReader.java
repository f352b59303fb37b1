package io.margay.protocol.fastcgi;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the head of a CGI response (RFC 3875 §6): fields in lines that end with LF or CRLF, then
/// an empty line. Confined to its decoder's thread.
///
/// `Status` becomes the status. Without it, it is 302 where there is a `Location` and 200
/// otherwise.
final class CgiHeadReader {
    private static final int LENGTH_ABSENT = -1;

    private final FastCgiLimits limits;
    private byte[] bytes = new byte[512];
    private int used;
    private int lineFrom;
    private boolean complete;
    private @Nullable ProtocolError error;

    private int status;
    private String reason = "";
    private boolean hasStatus;
    private boolean hasLocation;
    private long declared;

    CgiHeadReader(FastCgiLimits limits) {
        this.limits = limits;
    }

    void reset() {
        used = 0;
        lineFrom = 0;
        complete = false;
        error = null;
    }

    /// Takes octets until the head is complete or wrong.
    ///
    /// @return the offset after what was used
    int read(byte[] buffer, int from, int to) {
        int at = from;
        while (at < to && !complete && error == null) {
            byte octet = buffer[at++];
            if (octet == '\n') {
                int end = used > lineFrom && bytes[used - 1] == '\r' ? used - 1 : used;
                complete = end == lineFrom;
                used = end;
                add((byte) '\n');
                lineFrom = used;
            } else {
                add(octet);
            }
        }
        return at;
    }

    private void add(byte octet) {
        if (used == limits.headBytesMax()) {
            error = FastCgiError.HEAD_TOO_LONG;
            return;
        }
        if (used == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(bytes.length * 2, limits.headBytesMax()));
        }
        bytes[used++] = octet;
    }

    boolean complete() {
        return complete;
    }

    @Nullable ProtocolError error() {
        return error;
    }

    /// The head, once it is complete; null when it is wrong.
    ///
    /// @param toHead whether the request was HEAD
    @Nullable ResponseHead head(boolean toHead) {
        status = 200;
        reason = "";
        hasStatus = false;
        hasLocation = false;
        declared = LENGTH_ABSENT;
        Fields.Builder fields = new Fields.Builder();
        int from = 0;
        while (error == null && bytes[from] != '\n') {
            int to = from;
            while (bytes[to] != '\n') {
                to++;
            }
            line(from, to, fields);
            from = to + 1;
        }
        if (error == null && from == 0) {
            error = FastCgiError.NO_HEAD;
        }
        if (error != null) {
            return null;
        }
        if (hasLocation && !hasStatus) {
            status = 302;
        }
        boolean without = toHead || status == 204 || status == 304;
        long length =
                without ? 0 : declared == LENGTH_ABSENT ? ResponseHead.UNKNOWN_LENGTH : declared;
        return new ResponseHead(HttpVersion.HTTP_1_1, status, reason, fields.build(), length, true);
    }

    private void line(int from, int to, Fields.Builder fields) {
        int colon = from;
        while (colon < to && bytes[colon] != ':') {
            if (!Octets.isToken(bytes[colon])) {
                error = FastCgiError.BAD_FIELD;
                return;
            }
            colon++;
        }
        if (colon == to || colon == from) {
            error = FastCgiError.BAD_FIELD;
            return;
        }
        int valueFrom = colon + 1;
        int valueTo = to;
        while (valueFrom < valueTo && isSpace(bytes[valueFrom])) {
            valueFrom++;
        }
        while (valueTo > valueFrom && isSpace(bytes[valueTo - 1])) {
            valueTo--;
        }
        for (int i = valueFrom; i < valueTo; i++) {
            if (!Octets.isFieldValue(bytes[i])) {
                error = FastCgiError.BAD_FIELD;
                return;
            }
        }
        if (Octets.equalsIgnoreCase(bytes, from, colon, "status")) {
            status(valueFrom, valueTo);
            return;
        }
        if (fields.size() == limits.fieldsMax()) {
            error = FastCgiError.TOO_MANY_FIELDS;
            return;
        }
        special(from, colon, valueFrom, valueTo);
        fields.add(bytes, from, colon, bytes, valueFrom, valueTo);
    }

    private void special(int from, int colon, int valueFrom, int valueTo) {
        if (Octets.equalsIgnoreCase(bytes, from, colon, "location")) {
            hasLocation = true;
        } else if (Octets.equalsIgnoreCase(bytes, from, colon, "content-length")) {
            long length = decimal(valueFrom, valueTo);
            if (declared != LENGTH_ABSENT || length < 0) {
                error = FastCgiError.BAD_FIELD;
            }
            declared = length;
        } else if (Octets.equalsIgnoreCase(bytes, from, colon, "transfer-encoding")) {
            // FastCGI frames content by records: the field can only mislead the next hop.
            error = FastCgiError.BAD_FIELD;
        }
    }

    private void status(int from, int to) {
        long value = to - from >= 3 ? decimal(from, from + 3) : -1;
        boolean ended = to - from == 3 || (to - from > 3 && bytes[from + 3] == ' ');
        if (hasStatus || !ended || value < 200 || value > 599) {
            error = FastCgiError.BAD_STATUS;
            return;
        }
        hasStatus = true;
        status = (int) value;
        reason =
                to - from > 4
                        ? new String(bytes, from + 4, to - from - 4, StandardCharsets.ISO_8859_1)
                        : "";
    }

    private long decimal(int from, int to) {
        return to - from > 18 ? -1 : Octets.decimal(bytes, from, to);
    }

    private static boolean isSpace(byte octet) {
        return octet == ' ' || octet == '\t';
    }
}
