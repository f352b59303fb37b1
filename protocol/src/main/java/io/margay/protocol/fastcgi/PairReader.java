package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ProtocolError;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the stream of parameters (FastCGI §3.4), which records may cut anywhere. Confined to its
/// decoder's thread.
final class PairReader {
    private final FastCgiLimits limits;
    private byte[] bytes = new byte[512];
    private int used;
    private @Nullable ProtocolError error;

    PairReader(FastCgiLimits limits) {
        this.limits = limits;
    }

    void reset() {
        used = 0;
        error = null;
    }

    void read(byte[] buffer, int from, int to) {
        int count = to - from;
        if (count > limits.parametersBytesMax() - used) {
            error = FastCgiError.TOO_MANY_PARAMETERS;
            return;
        }
        if (used + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(used + count, bytes.length * 2));
        }
        System.arraycopy(buffer, from, bytes, used, count);
        used += count;
    }

    /// All of them at the stream's end, or null when they are wrong.
    @Nullable Map<String, String> finish() {
        Map<String, String> pairs = new LinkedHashMap<>();
        int at = 0;
        int count = 0;
        while (error == null && at < used) {
            long nameLength = length(at);
            at += width(at);
            long valueLength = at < used ? length(at) : -1;
            at += at < used ? width(at) : 0;
            if (nameLength < 0 || valueLength < 0 || nameLength + valueLength > used - at) {
                error = FastCgiError.PAIR;
            } else if (++count > limits.parametersMax()) {
                error = FastCgiError.TOO_MANY_PARAMETERS;
            } else {
                pairs.put(
                        text(at, (int) nameLength), text(at + (int) nameLength, (int) valueLength));
                at += (int) (nameLength + valueLength);
            }
        }
        return error == null ? pairs : null;
    }

    private int width(int at) {
        return bytes[at] < 0 ? 4 : 1;
    }

    private long length(int at) {
        if (bytes[at] >= 0) {
            return bytes[at];
        }
        if (used - at < 4) {
            return -1;
        }
        return (bytes[at] & 0x7fL) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
    }

    private String text(int from, int length) {
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }

    @Nullable ProtocolError error() {
        return error;
    }
}
