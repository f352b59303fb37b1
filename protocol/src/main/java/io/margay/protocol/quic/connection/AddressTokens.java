package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.WireReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Makes and opens the tokens by which a client shows that it receives at its address: those of
/// Retry packets, which are for one attempt, and those for later connections (RFC 9000 §8.1). What
/// they say is sealed; only servers that have the key can make one. Guarded by its owner.
///
/// ```
/// kind(1) key's number(1) nonce(12) sealed[ time(8) original id, source id ] tag(16)
/// ```
public final class AddressTokens {
    /// What a token says.
    ///
    /// @param retry whether it is of a Retry packet
    /// @param original the destination connection id of the client's first packet; of Retry
    /// @param source the source connection id of the Retry packet
    /// @param number tells it from all other tokens
    /// @param seconds when it was made
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Token(boolean retry, byte[] original, byte[] source, long number, long seconds) {}

    /// A Retry packet is answered within this, seconds.
    static final long RETRY_SECONDS = 10;

    /// A client comes back within this, seconds.
    static final long LATER_SECONDS = 24 * 3_600;

    /// What no token of ours exceeds.
    static final int BYTES_MAX = 128;

    private static final byte[] NO_ID = {};
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    /// The kinds, by which a token that cannot be opened is told from those of other servers.
    private static final byte RETRY = (byte) 0xd3;

    private static final byte LATER = (byte) 0x6b;

    private static final int HEAD_BYTES = 2 + NONCE_BYTES;

    private final RandomGenerator chance;
    private SecretKeySpec key;
    private @Nullable SecretKeySpec before;
    private int number;

    /// @param key 16 octets
    /// @param chance cannot be foreseen
    public AddressTokens(byte[] key, RandomGenerator chance) {
        this.key = new SecretKeySpec(key, "AES");
        this.chance = chance;
    }

    /// New tokens are sealed with another key. Those of the key before are opened still, older ones
    /// no more.
    public void rotate(byte[] next) {
        before = key;
        key = new SecretKeySpec(next, "AES");
        number = (number + 1) & 0xff;
    }

    /// The token of a Retry packet.
    ///
    /// @param seconds the time, in seconds of any clock that all servers share
    public byte[] retry(InetSocketAddress client, byte[] original, byte[] source, long seconds) {
        byte[] content = content(seconds, original, source);
        return seal(RETRY, content, address(client, true));
    }

    /// A token for later connections from the same address, whatever the port.
    public byte[] later(InetSocketAddress client, long seconds) {
        byte[] content = content(seconds, NO_ID, NO_ID);
        return seal(LATER, content, address(client, false));
    }

    private static byte[] content(long seconds, byte[] original, byte[] source) {
        return ByteBuffer.allocate(10 + original.length + source.length)
                .putLong(seconds)
                .put((byte) original.length)
                .put(original)
                .put((byte) source.length)
                .put(source)
                .array();
    }

    private static byte[] address(InetSocketAddress client, boolean withPort) {
        byte[] host = client.getAddress().getAddress();
        byte[] address = Arrays.copyOf(host, host.length + 2);
        if (withPort) {
            address[host.length] = (byte) (client.getPort() >> 8);
            address[host.length + 1] = (byte) client.getPort();
        }
        return address;
    }

    private byte[] seal(byte kind, byte[] content, byte[] address) {
        byte[] nonce = new byte[NONCE_BYTES];
        chance.nextBytes(nonce);
        byte[] token = new byte[HEAD_BYTES + content.length + TAG_BYTES];
        token[0] = kind;
        token[1] = (byte) number;
        System.arraycopy(nonce, 0, token, 2, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, token, address);
            cipher.doFinal(content, 0, content.length, token, HEAD_BYTES);
            return token;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a token cannot be sealed", e);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] token, byte[] address)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, token, 2, NONCE_BYTES));
        cipher.updateAAD(token, 0, 2);
        cipher.updateAAD(address);
        return cipher;
    }

    /// Opens a token; null when it is not of ours, of another address, or too old.
    public @Nullable Token open(byte[] token, InetSocketAddress client, long seconds) {
        boolean retry = isOfRetry(token);
        boolean known = retry || (isSized(token) && token[0] == LATER);
        int age = known ? (number - token[1]) & 0xff : -1;
        SecretKeySpec with = age == 0 ? key : age == 1 ? before : null;
        byte[] content = with == null ? null : open(with, token, address(client, retry));
        if (content == null) {
            return null;
        }
        WireReader in = new WireReader().begin(content, 0, content.length);
        long made = in.number(8);
        byte[] original = in.take(in.octet());
        byte[] source = in.take(in.octet());
        boolean fresh =
                made <= seconds && seconds - made <= (retry ? RETRY_SECONDS : LATER_SECONDS);
        long nonce = ByteBuffer.wrap(token).getLong(2);
        return in.failed() || !fresh ? null : new Token(retry, original, source, nonce, made);
    }

    /// Whether a token looks like that of a Retry packet of ours, whether it can be opened or not.
    static boolean isOfRetry(byte[] token) {
        return isSized(token) && token[0] == RETRY;
    }

    private static boolean isSized(byte[] token) {
        return token.length >= HEAD_BYTES + 10 + TAG_BYTES && token.length <= BYTES_MAX;
    }

    private static byte @Nullable [] open(SecretKeySpec with, byte[] token, byte[] address) {
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, with, token, address);
            return cipher.doFinal(token, HEAD_BYTES, token.length - HEAD_BYTES);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }
}
