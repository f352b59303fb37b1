package io.margay.transport.proxy;

import io.margay.transport.ProxyHeader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Collects a header of the PROXY protocol, of version 1 or 2, and not one byte more, so that what
/// follows it stays in the socket for whoever speaks next. Used by one thread.
final class ProxyDecoder {
    static final byte[] SIGNATURE = {
        '\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'
    };

    /// Bytes of version 2 up to the length of the rest.
    static final int FIXED_BYTES = 16;

    /// The longest line, end included, that version 1 may send.
    static final int LINE_BYTES_MAX = 107;

    private static final byte[] WORD = {'P', 'R', 'O', 'X', 'Y', ' '};

    /// `PROXY UNKNOWN` and the end of the line.
    private static final int LINE_BYTES_MIN = 15;

    /// What follows at least, in version 1, once as many spaces have come: the rest of the shortest
    /// addresses and ports, and the end of the line.
    private static final int[] LEAST_AFTER_SPACES = {12, 12, 9, 6, 4, 2};

    private final int bytesMax;
    private byte[] bytes = new byte[LINE_BYTES_MAX];
    private int length;
    private int missing = SIGNATURE.length;
    private @Nullable ProxyHeader header;

    /// @param bytesMax of a header of version 2
    ProxyDecoder(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Where the next bytes belong: at [#length], no more than [#missing].
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /// How many bytes can be read without reading beyond the header; 0 = it is complete.
    int missing() {
        return missing;
    }

    /// What the header says, once it is complete.
    ProxyHeader header() {
        if (header == null) {
            throw new IllegalStateException("the header is not complete");
        }
        return header;
    }

    /// Bytes have come.
    ///
    /// @param count from 1 to [#missing]
    /// @return what is wrong with them; null when nothing is
    @Nullable String took(int count) {
        length += count;
        missing -= count;
        boolean second = bytes[0] == SIGNATURE[0];
        byte[] begin = second ? SIGNATURE : WORD;
        int compared = Math.min(length, begin.length);
        if (!Arrays.equals(bytes, 0, compared, begin, 0, compared)) {
            return "it does not begin as the PROXY protocol does";
        }
        if (missing > 0) {
            return null;
        }
        return second ? version2() : version1();
    }

    private @Nullable String version1() {
        int spaces = 0;
        for (int i = 0; i < length; i++) {
            byte b = bytes[i];
            boolean end = b == '\r' && i == length - 1;
            if (b == '\n' && i == length - 1 && bytes[i - 1] == '\r') {
                return complete(ProxyLine.read(bytes, i - 1));
            }
            if (b < ' ' && !end && !(b == '\r' && i == length - 2 && bytes[i + 1] == '\n')) {
                return "its line has control characters";
            }
            spaces += b == ' ' ? 1 : 0;
        }
        if (bytes[length - 1] == '\r') {
            missing = 1;
        } else if (bytes[WORD.length] == 'U') {
            missing = Math.max(LINE_BYTES_MIN - length, 2);
        } else if (spaces < LEAST_AFTER_SPACES.length) {
            missing = LEAST_AFTER_SPACES[spaces];
        } else {
            return "its line has too many words";
        }
        return length + missing > LINE_BYTES_MAX ? "its line is too long" : null;
    }

    private @Nullable String version2() {
        if (length < FIXED_BYTES) {
            missing = FIXED_BYTES - length;
            return null;
        }
        int rest = (bytes[FIXED_BYTES - 2] & 0xff) << Byte.SIZE | (bytes[FIXED_BYTES - 1] & 0xff);
        if (FIXED_BYTES + rest > bytesMax) {
            return "its header is too long";
        }
        missing = FIXED_BYTES + rest - length;
        if (missing > 0) {
            bytes = Arrays.copyOf(bytes, FIXED_BYTES + rest);
            return null;
        }
        return complete(ProxyBinary.read(bytes, length));
    }

    private @Nullable String complete(Read read) {
        return switch (read) {
            case Read.Good(ProxyHeader told) -> {
                header = told;
                missing = 0;
                yield null;
            }
            case Read.Bad(String why) -> why;
        };
    }

    /// What a complete header is.
    sealed interface Read {
        /// @param header what it says
        record Good(ProxyHeader header) implements Read {}

        /// @param why it is refused
        record Bad(String why) implements Read {}
    }
}
