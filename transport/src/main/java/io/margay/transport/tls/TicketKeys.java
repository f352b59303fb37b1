package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.TlsConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The keys that seal OpenSSL's session tickets: one in use, and the one before it, with which
/// tickets are still opened and then replaced. A key is in use for [#ROTATION_NANOS]. Where servers
/// share secrets, keys are made from those instead, for one set of settings each; without any at
/// the moment, the server's own are used again. Thread-safe.
///
/// Tickets hold what resumes a session, so keys are renewed: a stolen key opens sessions of at most
/// two rotations (RFC 8446 §C.4, RFC 5077 §5.5).
final class TicketKeys {
    /// How long a key seals tickets.
    static final long ROTATION_NANOS = 12L * 3600 * 1_000_000_000;

    private static final int NAME_BYTES = 16;
    private static final int IV_BYTES = 16;
    private static final int KEY_BYTES = 32;

    /// Size of an `OSSL_PARAM`: key, type, data, size, returned size.
    private static final int PARAM_BYTES = 40;

    private static final int PARAM_STRING = 4;
    private static final int PARAM_OCTETS = 5;

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String MAC = "HmacSHA256";

    private final LongSupplier clock;
    private final TlsConfig.@Nullable TicketSecrets secrets;
    private Key current;
    private @Nullable Key previous;

    /// What the settings are known by; servers with others have other keys.
    private byte[] settings = new byte[0];

    /// The keys made from the secrets of `sharedFrom`, in their order.
    private List<Key> shared = List.of();

    private List<byte[]> sharedFrom = List.of();

    /// The memory of one key; given back when nothing refers to it any more.
    private static final class Key {
        final byte[] name;
        final long bornNanos;
        final MemorySegment cipherKey;
        final MemorySegment macParams;

        Key(long now) {
            this(now, random(NAME_BYTES), random(KEY_BYTES), random(KEY_BYTES));
        }

        Key(long now, byte[] name, byte[] cipher, byte[] mac) {
            this.name = name;
            bornNanos = now;
            Arena arena = Arena.ofAuto();
            cipherKey = arena.allocateFrom(JAVA_BYTE, cipher);
            MemorySegment macKey = arena.allocateFrom(JAVA_BYTE, mac);
            MemorySegment digest = arena.allocateFrom("SHA256");
            macParams = arena.allocate(PARAM_BYTES * 3L, 8);
            param(0, arena.allocateFrom("key"), PARAM_OCTETS, macKey, KEY_BYTES);
            param(1, arena.allocateFrom("digest"), PARAM_STRING, digest, "SHA256".length());
        }

        private void param(int index, MemorySegment key, int type, MemorySegment data, long size) {
            long at = (long) index * PARAM_BYTES;
            macParams.set(JAVA_LONG, at, key.address());
            macParams.set(JAVA_INT, at + 8, type);
            macParams.set(JAVA_LONG, at + 16, data.address());
            macParams.set(JAVA_LONG, at + 24, size);
            macParams.set(JAVA_LONG, at + 32, -1L);
        }

        boolean named(byte[] wanted) {
            return Arrays.equals(name, wanted);
        }
    }

    private static final class Crypto {
        /// Fetched once: OpenSSL would otherwise look for it with each ticket.
        static final long AES256 = fetch("AES-256-CBC");

        static final MemorySegment ENCRYPT = OpenSsl.crypto("EVP_EncryptInit_ex");
        static final MemorySegment DECRYPT = OpenSsl.crypto("EVP_DecryptInit_ex");
        static final MemorySegment MAC_PARAMS = OpenSsl.crypto("EVP_MAC_CTX_set_params");

        private Crypto() {}

        private static long fetch(String cipher) {
            try (Arena arena = Arena.ofConfined()) {
                long name = arena.allocateFrom(cipher).address();
                return OpenSsl.call(OpenSsl.crypto("EVP_CIPHER_fetch"), 0, name, 0);
            }
        }
    }

    /// @param secrets that other servers have, too, or null
    TicketKeys(LongSupplier clock, TlsConfig.@Nullable TicketSecrets secrets) {
        this.clock = clock;
        this.secrets = secrets;
        current = new Key(clock.getAsLong());
    }

    /// Has keys made for these settings from now on.
    ///
    /// @param digest of everything that must be the same where a session is resumed
    synchronized void bind(byte[] digest) {
        settings = digest.clone();
        sharedFrom = List.of();
    }

    /// The keys that other servers have, too, that in use first.
    private synchronized List<Key> shared() {
        List<byte[]> now = secrets == null ? List.of() : secrets.secrets();
        if (!now.equals(sharedFrom)) {
            shared = now.stream().map(this::key).toList();
            sharedFrom = now;
        }
        return now.isEmpty() ? List.of() : shared;
    }

    private Key key(byte[] secret) {
        byte[] name = Arrays.copyOf(derived(secret, "name"), NAME_BYTES);
        return new Key(0, name, derived(secret, "cipher"), derived(secret, "mac"));
    }

    /// A key of the settings for one purpose (a step of HKDF, RFC 5869 §2.3).
    private byte[] derived(byte[] secret, String purpose) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret, MAC));
            mac.update(("margay ticket " + purpose + " ").getBytes(StandardCharsets.US_ASCII));
            mac.update(settings);
            return mac.doFinal(new byte[] {1});
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        RANDOM.nextBytes(made);
        return made;
    }

    /// Opens no ticket that was sealed with the server's own keys before.
    synchronized void renew() {
        current = new Key(clock.getAsLong());
        previous = null;
    }

    /// What OpenSSL asks for a ticket to be sealed: writes the name and the vector, sets the keys.
    ///
    /// @return OpenSSL's answer: 1, or -1 for failure
    int seal(long name, long vector, long cipher, long mac) {
        List<Key> all = shared();
        Key key = all.isEmpty() ? inUse() : all.getFirst();
        byte[] iv = random(IV_BYTES);
        MemorySegment.copy(key.name, 0, OpenSsl.memory(name, NAME_BYTES), JAVA_BYTE, 0, NAME_BYTES);
        MemorySegment.copy(iv, 0, OpenSsl.memory(vector, IV_BYTES), JAVA_BYTE, 0, IV_BYTES);
        return set(key, Crypto.ENCRYPT, vector, cipher, mac) ? 1 : -1;
    }

    /// What OpenSSL asks for a ticket to be opened.
    ///
    /// @return OpenSSL's answer: 1, 2 when the ticket is to be replaced, 0 for an unknown key, or
    ///   -1 for failure
    int open(long name, long vector, long cipher, long mac) {
        byte[] wanted = OpenSsl.memory(name, NAME_BYTES).toArray(JAVA_BYTE);
        List<Key> all = shared();
        Key own = inUse();
        Key newest = all.isEmpty() ? own : all.getFirst();
        Key key = own.named(wanted) ? own : old(wanted);
        for (Key one : all) {
            key = one.named(wanted) ? one : key;
        }
        if (key == null) {
            return 0;
        }
        if (!set(key, Crypto.DECRYPT, vector, cipher, mac)) {
            return -1;
        }
        return key == newest ? 1 : 2;
    }

    private synchronized Key inUse() {
        long now = clock.getAsLong();
        if (now - current.bornNanos >= ROTATION_NANOS) {
            previous = now - current.bornNanos >= 2 * ROTATION_NANOS ? null : current;
            current = new Key(now);
        }
        return current;
    }

    private synchronized @Nullable Key old(byte[] wanted) {
        Key old = previous;
        return old != null && old.named(wanted) ? old : null;
    }

    private static boolean set(Key key, MemorySegment init, long vector, long cipher, long mac) {
        try {
            return (int) OpenSsl.call(Crypto.MAC_PARAMS, mac, key.macParams.address()) == 1
                    && (int)
                                    OpenSsl.call(
                                            init,
                                            cipher,
                                            Crypto.AES256,
                                            0,
                                            key.cipherKey.address(),
                                            vector)
                            == 1;
        } finally {
            Reference.reachabilityFence(key);
        }
    }
}
