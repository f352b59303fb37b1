package io.margay.transport.tls;

import io.margay.transport.TlsConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Tells from a client's first message (RFC 8446 §4.1.2) which host it asks for, whether it is a
/// certificate authority that looks for its challenge, and what its key exchange costs. Which group
/// it is done in is the client's choice within what the library knows, and the dearest of them
/// takes a hundred times what the usual ones take (CVE-2002-20001).
///
/// ```
/// type:8=1 length:24 version:16 random:256 session<8> suites<16> compression<8> extensions<16>
/// extension: type:16 content<16>       supported_groups: <16> of group:16
///                                      key_share: <16> of group:16 key<16>
///                                      server_name: <16> of kind:8 name<16>
///                                      alpn: <16> of name<8>
/// ```
final class ClientHello {
    static final int TYPE = 1;

    private static final int RECORD_HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int HANDSHAKE_RECORD = 22;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int APPLICATION_PROTOCOLS = 16;
    private static final byte[] CHALLENGE =
            TlsConfig.Challenges.PROTOCOL.getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED_BYTES = 2 + 32;
    private static final int SUPPORTED_GROUPS = 10;
    private static final int KEY_SHARE = 51;

    private static final int SECP256R1 = 0x0017;
    private static final int X25519 = 0x001d;
    private static final int X25519_MLKEM768 = 0x11ec;

    private ClientHello() {}

    /// What a client asks for.
    ///
    /// @param host in lower case, or null
    /// @param challenge whether it offers the protocol of certificate authorities, and no other
    record Asked(@Nullable String host, boolean challenge) {}

    /// What the first message in a client's records asks for. The message may be spread over
    /// several records (RFC 8446 §5.1).
    ///
    /// @param records what was received; stays as it is
    /// @return null while the message is not whole
    /// @throws SSLException when it is no such message, or one that could be read in two ways
    static @Nullable Asked asked(ByteBuffer records) throws SSLException {
        ByteBuffer message = message(records.duplicate());
        if (message == null) {
            return null;
        }
        ByteBuffer body = body(message);
        if (body == null) {
            throw malformed();
        }
        if (!body.hasRemaining()) {
            return new Asked(null, false); // without extensions
        }
        ByteBuffer extensions = vector(body, 2);
        if (extensions == null || body.hasRemaining()) {
            throw malformed();
        }
        ByteBuffer names = null;
        boolean challenge = false;
        while (extensions.hasRemaining()) {
            int type = number(extensions);
            ByteBuffer content = vector(extensions, 2);
            if (content == null || (type == SERVER_NAME && names != null)) {
                throw malformed();
            }
            names = type == SERVER_NAME ? content : names;
            challenge |= type == APPLICATION_PROTOCOLS && offersChallengeAlone(content);
        }
        return new Asked(names == null ? null : host(names), challenge);
    }

    private static boolean offersChallengeAlone(ByteBuffer content) {
        ByteBuffer list = vector(content, 2);
        if (list == null || content.hasRemaining()) {
            return false;
        }
        ByteBuffer name = vector(list, 1);
        return name != null && !list.hasRemaining() && name.equals(ByteBuffer.wrap(CHALLENGE));
    }

    /// Puts the first message together.
    ///
    /// @return null while it is not whole
    private static @Nullable ByteBuffer message(ByteBuffer records) throws SSLException {
        ByteBuffer joined = ByteBuffer.allocate(records.remaining());
        while (records.remaining() >= RECORD_HEADER_BYTES) {
            int at = records.position();
            int length = records.getShort(at + 3) & 0xffff;
            if (records.get(at) != HANDSHAKE_RECORD || length == 0) {
                throw malformed();
            }
            records.position(at + RECORD_HEADER_BYTES);
            int here = Math.min(length, records.remaining());
            joined.put(records.slice(records.position(), here));
            records.position(records.position() + here);
            if (joined.position() >= MESSAGE_HEADER_BYTES) {
                int end = MESSAGE_HEADER_BYTES + (joined.getInt(0) & 0xffffff);
                if (joined.position() > end) {
                    throw malformed();
                }
                if (joined.position() == end) {
                    return joined.flip();
                }
            }
        }
        return null;
    }

    /// The list of names has one, of the only kind there is (RFC 6066 §3).
    private static String host(ByteBuffer content) throws SSLException {
        ByteBuffer list = vector(content, 2);
        if (list == null || content.hasRemaining() || !list.hasRemaining()) {
            throw malformed();
        }
        int kind = list.get();
        ByteBuffer name = vector(list, 2);
        if (kind != HOST_NAME || name == null || !name.hasRemaining() || list.hasRemaining()) {
            throw malformed();
        }
        StringBuilder host = new StringBuilder(name.remaining());
        while (name.hasRemaining()) {
            byte octet = name.get();
            if (octet <= ' ') {
                throw malformed(); // not of ASCII, or a control character
            }
            host.append((char) octet);
        }
        return host.toString().toLowerCase(Locale.ROOT);
    }

    private static SSLException malformed() {
        return new SSLException("the client's first message is malformed");
    }

    /// What follows the compression methods, or null where that is not there.
    private static @Nullable ByteBuffer body(ByteBuffer message) {
        if (!message.hasRemaining() || message.get() != TYPE) {
            return null;
        }
        ByteBuffer body = vector(message, 3);
        if (body == null || message.hasRemaining() || body.remaining() < FIXED_BYTES) {
            return null;
        }
        body.position(FIXED_BYTES);
        boolean whole =
                vector(body, 1) != null && vector(body, 2) != null && vector(body, 1) != null;
        return whole ? body : null;
    }

    /// Whether the key exchange takes well below a millisecond, whichever of the offered groups the
    /// server chooses: it must be one that the client has made a share for, or, without any, the
    /// server's first among those of the client, where the quick ones come first.
    ///
    /// @param message what one record holds; read to some place
    /// @return false also where it is not one whole message
    static boolean isQuick(ByteBuffer message) {
        ByteBuffer body = body(message);
        if (body == null) {
            return false;
        }
        ByteBuffer extensions = vector(body, 2);
        return extensions != null && !body.hasRemaining() && isQuickByExtensions(extensions);
    }

    private static boolean isQuickByExtensions(ByteBuffer extensions) {
        boolean offered = false;
        while (extensions.hasRemaining()) {
            int type = number(extensions);
            ByteBuffer content = vector(extensions, 2);
            if (content == null) {
                return false;
            }
            if (type == SUPPORTED_GROUPS) {
                offered = offersQuick(content);
            } else if (type == KEY_SHARE && !sharesOnlyQuick(content)) {
                return false;
            }
        }
        return offered;
    }

    private static boolean offersQuick(ByteBuffer content) {
        ByteBuffer groups = vector(content, 2);
        while (groups != null && groups.hasRemaining()) {
            int group = number(groups);
            if (group == X25519 || group == SECP256R1) {
                return true;
            }
        }
        return false;
    }

    private static boolean sharesOnlyQuick(ByteBuffer content) {
        ByteBuffer shares = vector(content, 2);
        if (shares == null) {
            return false;
        }
        while (shares.hasRemaining()) {
            int group = number(shares);
            if (vector(shares, 2) == null || !isQuick(group)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isQuick(int group) {
        return group == X25519 || group == SECP256R1 || group == X25519_MLKEM768 || isGrease(group);
    }

    /// Values that stand for nothing (RFC 8701 §2).
    private static boolean isGrease(int group) {
        return (group & 0x0f0f) == 0x0a0a && group >> 8 == (group & 0xff);
    }

    /// The next two bytes; -1 where there are fewer.
    private static int number(ByteBuffer from) {
        if (from.remaining() < 2) {
            from.position(from.limit());
            return -1;
        }
        return (from.get() & 0xff) << 8 | (from.get() & 0xff);
    }

    /// What a length of so many bytes announces, or null where that is not there.
    private static @Nullable ByteBuffer vector(ByteBuffer from, int lengthBytes) {
        if (from.remaining() < lengthBytes) {
            return null;
        }
        int length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            length = length << 8 | (from.get() & 0xff);
        }
        if (from.remaining() < length) {
            return null;
        }
        ByteBuffer part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }
}
