package io.margay.transport.proxy;

import io.margay.transport.ProxyHeader;
import io.margay.transport.ProxyHeader.ClientTls;
import io.margay.transport.proxy.ProxyDecoder.Read;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A header of version 2 of the PROXY protocol:
///
/// ```
///  0           12        13      14       16
/// +-----------+----+----+---+---+--------+-----------+------------------------+
/// | signature | 2  |cmd |fam|typ| length | addresses | type, length, value ...|
/// +-----------+----+----+---+---+--------+-----------+------------------------+
/// ```
///
/// Used once, by one thread.
final class ProxyBinary {
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;

    /// Of the families that are assigned, and of their types.
    private static final int FAMILY_MAX = 3;

    private static final int TYPE_MAX = 2;
    private static final int STREAM = 1;

    private static final int ALPN_TYPE = 0x01;
    private static final int AUTHORITY_TYPE = 0x02;
    private static final int CRC32C_TYPE = 0x03;
    private static final int UNIQUE_ID_TYPE = 0x05;
    private static final int TLS_TYPE = 0x20;
    private static final int TLS_VERSION = 0x21;
    private static final int TLS_CIPHER = 0x23;
    private static final int CRC_BYTES = 4;

    /// Before the nested values of TLS: a byte of flags, and the result of the verification.
    private static final int TLS_FIXED_BYTES = 5;

    private static final int CLIENT_SPEAKS_TLS = 1;

    /// Type and length of a value.
    private static final int VALUE_HEAD = 3;

    private static final int TEXT_BYTES_MAX = 64;
    private static final int AUTHORITY_BYTES_MAX = 255;
    private static final int UNIQUE_ID_BYTES_MAX = 128;

    private final byte[] bytes;
    private final int length;
    private @Nullable ClientTls tls;
    private @Nullable String authority;
    private @Nullable String alpn;
    private @Nullable String uniqueId;

    private ProxyBinary(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /// Reads a complete header.
    static Read read(byte[] bytes, int length) {
        return new ProxyBinary(bytes, length).read();
    }

    private Read read() {
        int command = bytes[12] & 0xff;
        int family = bytes[13] & 0xff;
        if (command == LOCAL) {
            return new Read.Good(ProxyHeader.NOTHING);
        }
        if (command != PROXY) {
            return new Read.Bad("its header has an unknown version or command");
        }
        if (family != TCP4 && family != TCP6) {
            // Without a family, or of a socket in the file system: the client has no address.
            boolean assigned = family >> 4 <= FAMILY_MAX && (family & 0xf) <= TYPE_MAX;
            boolean stream = (family & 0xf) <= STREAM;
            return assigned && stream
                    ? new Read.Good(ProxyHeader.NOTHING)
                    : new Read.Bad("its header has an unknown family or type");
        }
        int size = family == TCP4 ? 4 : 16;
        int values = ProxyDecoder.FIXED_BYTES + 2 * size + 4;
        if (length < values) {
            return new Read.Bad("its header is too short for its addresses");
        }
        String wrong = values(values, length, false);
        if (wrong != null) {
            return new Read.Bad(wrong);
        }
        ProxyHeader.Details details =
                authority == null && alpn == null && uniqueId == null
                        ? ProxyHeader.Details.NONE
                        : new ProxyHeader.Details(authority, alpn, uniqueId);
        return new Read.Good(new ProxyHeader(address(0, size), address(1, size), tls, details));
    }

    /// @param which 0 = that of the client, 1 = that of the server
    private InetSocketAddress address(int which, int size) {
        int at = ProxyDecoder.FIXED_BYTES + which * size;
        int port = number(ProxyDecoder.FIXED_BYTES + 2 * size + 2 * which);
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + size)), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private int number(int at) {
        return (bytes[at] & 0xff) << Byte.SIZE | (bytes[at + 1] & 0xff);
    }

    /// Looks at the values from `from` to `end`.
    ///
    /// @param nested whether they are those of TLS
    /// @return what is wrong; null when nothing is
    private @Nullable String values(int from, int end, boolean nested) {
        String version = "";
        String cipher = "";
        int at = from;
        while (at < end) {
            if (end - at < VALUE_HEAD || number(at + 1) > end - at - VALUE_HEAD) {
                return "its header has a value that does not end";
            }
            int type = bytes[at] & 0xff;
            int size = number(at + 1);
            int value = at + VALUE_HEAD;
            at = value + size;
            String wrong = null;
            if (nested && type == TLS_VERSION) {
                version = text(value, size, TEXT_BYTES_MAX);
            } else if (nested && type == TLS_CIPHER) {
                cipher = text(value, size, TEXT_BYTES_MAX);
            } else if (!nested && type == CRC32C_TYPE) {
                wrong = checked(value, size);
            } else if (!nested && (type < CRC32C_TYPE || type == UNIQUE_ID_TYPE)) {
                wrong = detail(type, value, size);
            } else if (!nested && type == TLS_TYPE) {
                wrong =
                        size < TLS_FIXED_BYTES
                                ? "its header is too short for TLS"
                                : (bytes[value] & CLIENT_SPEAKS_TLS) == 0
                                        ? null
                                        : values(value + TLS_FIXED_BYTES, at, true);
            }
            if (wrong != null) {
                return wrong;
            }
        }
        if (nested) {
            tls = new ClientTls(version, cipher);
        }
        return null;
    }

    /// @return what is wrong; null when nothing is
    private @Nullable String detail(int type, int at, int size) {
        switch (type) {
            case ALPN_TYPE -> alpn = word(at, size, TEXT_BYTES_MAX);
            case AUTHORITY_TYPE -> authority = word(at, size, AUTHORITY_BYTES_MAX);
            case UNIQUE_ID_TYPE -> {
                if (size > UNIQUE_ID_BYTES_MAX) {
                    return "its unique id has more than " + UNIQUE_ID_BYTES_MAX + " bytes";
                }
                String text = word(at, size, UNIQUE_ID_BYTES_MAX);
                byte[] id = Arrays.copyOfRange(bytes, at, at + size);
                uniqueId = text == null && size > 0 ? HexFormat.of().formatHex(id) : text;
            }
            default -> {
                // Another value, which is skipped.
            }
        }
        return null;
    }

    private @Nullable String word(int at, int size, int most) {
        String text = text(at, size, most);
        return text.isEmpty() ? null : text;
    }

    /// A short word of a value; empty when it is none.
    private String text(int at, int size, int most) {
        for (int i = at; i < at + size; i++) {
            if (bytes[i] <= ' ' || bytes[i] == 0x7f) {
                return "";
            }
        }
        return size > most ? "" : new String(bytes, at, size, StandardCharsets.US_ASCII);
    }

    /// The checksum is that of the whole header in which it is 0.
    private @Nullable String checked(int at, int size) {
        if (size != CRC_BYTES) {
            return "its checksum has not four bytes";
        }
        byte[] zeroed = Arrays.copyOf(bytes, length);
        Arrays.fill(zeroed, at, at + size, (byte) 0);
        CRC32C sum = new CRC32C();
        sum.update(zeroed, 0, length);
        long told = ((long) number(at) << Short.SIZE) | number(at + 2);
        return sum.getValue() == told ? null : "its checksum is wrong";
    }
}
