package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.WireReader;
import java.net.InetSocketAddress;
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
/// key's number(1) nonce(12) sealed[ kind(1) time(8) original id, source id ] tag(16)
/// ```
public final class AddressTokens {
    /// What a token says.
    ///
    /// @param retry whether it is of a Retry packet
    /// @param original the destination connection id of the client's first packet; of Retry
    /// @param source the source connection id of the Retry packet
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Token(boolean retry, byte[] original, byte[] source) {}

    /// A Retry packet is answered within this, seconds.
    static final long RETRY_SECONDS = 10;

    /// A client comes back within this, seconds.
    static final long LATER_SECONDS = 24 * 3_600;

    /// What no token of ours exceeds.
    static final int BYTES_MAX = 128;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int RETRY = 1;
    private static final int LATER = 2;

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
        byte[] content = new byte[11 + original.length + source.length];
        begin(content, RETRY, seconds);
        content[9] = (byte) original.length;
        System.arraycopy(original, 0, content, 10, original.length);
        content[10 + original.length] = (byte) source.length;
        System.arraycopy(source, 0, content, 11 + original.length, source.length);
        return seal(content, address(client, true));
    }

    /// A token for later connections from the same address, whatever the port.
    public byte[] later(InetSocketAddress client, long seconds) {
        byte[] content = new byte[11];
        begin(content, LATER, seconds);
        return seal(content, address(client, false));
    }

    private static void begin(byte[] content, int kind, long seconds) {
        content[0] = (byte) kind;
        for (int i = 0; i < 8; i++) {
            content[1 + i] = (byte) (seconds >> (8 * (7 - i)));
        }
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

    private byte[] seal(byte[] content, byte[] address) {
        byte[] nonce = new byte[NONCE_BYTES];
        chance.nextBytes(nonce);
        byte[] token = new byte[1 + NONCE_BYTES + content.length + TAG_BYTES];
        token[0] = (byte) number;
        System.arraycopy(nonce, 0, token, 1, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, address);
            cipher.doFinal(content, 0, content.length, token, 1 + NONCE_BYTES);
            return token;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a token cannot be sealed", e);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, byte[] address)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
        cipher.updateAAD(address);
        return cipher;
    }

    /// Opens a token; null when it is not of ours, of another address, or too old.
    public @Nullable Token open(byte[] token, InetSocketAddress client, long seconds) {
        if (token.length < 1 + NONCE_BYTES + 9 + TAG_BYTES || token.length > BYTES_MAX) {
            return null;
        }
        int age = (number - token[0]) & 0xff;
        SecretKeySpec with = age == 0 ? key : age == 1 ? before : null;
        if (with == null) {
            return null;
        }
        byte[] content = open(with, token, address(client, true));
        if (content == null) {
            content = open(with, token, address(client, false));
        }
        return content == null ? null : read(content, seconds);
    }

    private static byte @Nullable [] open(SecretKeySpec with, byte[] token, byte[] address) {
        byte[] nonce = Arrays.copyOfRange(token, 1, 1 + NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, with, nonce, address);
            int from = 1 + NONCE_BYTES;
            return cipher.doFinal(token, from, token.length - from);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    private static @Nullable Token read(byte[] content, long seconds) {
        WireReader in = new WireReader().begin(content, 0, content.length);
        boolean retry = in.octet() == RETRY;
        long age = seconds - in.number(8);
        byte[] original = in.take(in.octet());
        byte[] source = in.take(in.octet());
        boolean fresh = age >= 0 && age <= (retry ? RETRY_SECONDS : LATER_SECONDS);
        return in.failed() || !fresh ? null : new Token(retry, original, source);
    }
}
