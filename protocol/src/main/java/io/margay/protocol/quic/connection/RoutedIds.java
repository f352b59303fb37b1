package io.margay.protocol.quic.connection;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/// Connection ids that tell the servers which share a key, and nobody else, where a connection is:
/// one block of AES, so that ids of one connection have nothing in common, and nobody makes one up.
/// Confined to its owner.
///
/// ```
/// 0(4) generation(1) place(2) chance(9)
/// ```
public final class RoutedIds {
    /// Octets of an id.
    public static final int BYTES = 16;

    /// Octets of the key.
    public static final int KEY_BYTES = 16;

    /// What [#read] gives for an id that was not made with the key.
    public static final int NONE = -1;

    private static final int CHANCE_BYTES = 9;

    private final Cipher sealing;
    private final Cipher opening;
    private final byte[] block = new byte[BYTES];
    private final byte[] chanceBytes = new byte[CHANCE_BYTES];

    public RoutedIds(byte[] key) {
        SecretKeySpec made = new SecretKeySpec(key, "AES");
        sealing = cipher(Cipher.ENCRYPT_MODE, made);
        opening = cipher(Cipher.DECRYPT_MODE, made);
    }

    private static Cipher cipher(int mode, SecretKeySpec key) {
        try {
            // One block that has never been before.
            Cipher made = Cipher.getInstance("AES/ECB/NoPadding");
            made.init(mode, key);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES is missing", e);
        }
    }

    /// A new id.
    ///
    /// @param generation of the server, 0 to 255
    /// @param place of the connection in it, 0 to 65 535
    public byte[] make(int generation, int place, RandomGenerator chance) {
        chance.nextBytes(chanceBytes);
        ByteBuffer.wrap(block)
                .putInt(0)
                .put((byte) generation)
                .putShort((short) place)
                .put(chanceBytes);
        return done(sealing, block);
    }

    /// Where the connection of an id is: `generation << 16 | place`, or [#NONE].
    public int read(byte[] id) {
        if (id.length != BYTES) {
            return NONE;
        }
        ByteBuffer opened = ByteBuffer.wrap(done(opening, id));
        return opened.getInt() == 0
                ? (opened.get() & 0xff) << 16 | (opened.getShort() & 0xffff)
                : NONE;
    }

    private static byte[] done(Cipher cipher, byte[] block) {
        try {
            return cipher.doFinal(block);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a block has 16 octets", e);
        }
    }
}
