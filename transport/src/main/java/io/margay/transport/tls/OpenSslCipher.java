package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.quic.NativeCipher;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// OpenSSL's AES-GCM and ChaCha20-Poly1305 with one key, which is expanded once; each packet brings
/// a nonce. Calls are critical, so that they work on arrays without a copy; a garbage collection
/// waits for at most one packet. Not thread-safe: one thread at a time.
final class OpenSslCipher implements NativeCipher {
    private static final int TAG_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int OK = 1;
    private static final long SEALS = 1;
    private static final int GET_TAG = 0x10;
    private static final int SET_TAG = 0x11;

    /// The calls, linked when the first connection needs them.
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final Linker.Option CRITICAL = Linker.Option.critical(true);

        static final MemorySegment NEW = OpenSsl.crypto("EVP_CIPHER_CTX_new");
        static final MemorySegment FREE = OpenSsl.crypto("EVP_CIPHER_CTX_free");

        static final MethodHandle INIT =
                LINKER.downcallHandle(
                        OpenSsl.crypto("EVP_CipherInit_ex"),
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS,
                                JAVA_LONG),
                        CRITICAL);
        static final MethodHandle UPDATE =
                LINKER.downcallHandle(
                        OpenSsl.crypto("EVP_CipherUpdate"),
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG),
                        CRITICAL);
        static final MethodHandle FINAL =
                LINKER.downcallHandle(
                        OpenSsl.crypto("EVP_CipherFinal_ex"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS),
                        CRITICAL);
        static final MethodHandle CONTROL =
                LINKER.downcallHandle(
                        OpenSsl.crypto("EVP_CIPHER_CTX_ctrl"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS),
                        CRITICAL);

        static final int AES_128_SUITE = 0x1301;
        static final long AES_128 = fetched("AES-128-GCM");
        static final long AES_256 = fetched("AES-256-GCM");
        static final long CHACHA20 = fetched("ChaCha20-Poly1305");

        private Calls() {}

        /// A cipher, never freed, or 0 where the library has been built or set without it.
        private static long fetched(String name) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment text = arena.allocateFrom(name);
                long made = OpenSsl.call(OpenSsl.crypto("EVP_CIPHER_fetch"), 0, text.address(), 0);
                if (made == 0) {
                    OpenSsl.clearErrors();
                }
                return made;
            }
        }

        /// By the number of the cipher suite in TLS.
        static long of(int suite) {
            return switch (suite) {
                case AES_128_SUITE -> AES_128;
                case 0x1302 -> AES_256;
                case 0x1303 -> CHACHA20;
                default -> 0;
            };
        }
    }

    /// Where OpenSSL writes how much it has written.
    private final MemorySegment written = MemorySegment.ofArray(new int[1]);

    private final long direction;

    /// 0 once it is closed.
    private long context;

    private OpenSslCipher(long context, boolean seals) {
        this.context = context;
        direction = seals ? SEALS : 0;
    }

    /// See [io.margay.transport.quic.QuicHandshake#cipher].
    static @Nullable OpenSslCipher of(int suite, byte[] key, boolean seals) {
        long cipher = Calls.of(suite);
        int keyBytes = suite == Calls.AES_128_SUITE ? 16 : 32;
        if (cipher != 0 && key.length != keyBytes) {
            throw new IllegalArgumentException("a key of " + key.length + " octets");
        }
        long made = cipher == 0 ? 0 : OpenSsl.call(Calls.NEW);
        if (made == 0) {
            return null;
        }
        OpenSslCipher of = new OpenSslCipher(made, seals);
        if (of.init(cipher, MemorySegment.ofArray(key), MemorySegment.NULL)) {
            return of;
        }
        OpenSsl.clearErrors();
        of.close();
        return null;
    }

    private boolean init(long cipher, MemorySegment key, MemorySegment nonce) {
        long to = context;
        if (to == 0) {
            throw new IllegalStateException("the cipher is closed");
        }
        try {
            return (int) Calls.INIT.invokeExact(to, cipher, 0L, key, nonce, direction) == OK;
        } catch (Throwable t) {
            throw OpenSsl.failed(t);
        }
    }

    /// Begins a packet.
    private boolean begin(byte[] nonce) {
        if (nonce.length != NONCE_BYTES) {
            throw new IllegalArgumentException("a nonce of " + nonce.length + " octets");
        }
        return init(0, MemorySegment.NULL, MemorySegment.ofArray(nonce));
    }

    private boolean update(MemorySegment out, MemorySegment in) {
        try {
            return (int) Calls.UPDATE.invokeExact(context, out, written, in, in.byteSize()) == OK;
        } catch (Throwable t) {
            throw OpenSsl.failed(t);
        }
    }

    private boolean finish(MemorySegment out) {
        try {
            return (int) Calls.FINAL.invokeExact(context, out, written) == OK;
        } catch (Throwable t) {
            throw OpenSsl.failed(t);
        }
    }

    private boolean control(long what, MemorySegment tag) {
        try {
            return (int) Calls.CONTROL.invokeExact(context, what, (long) TAG_BYTES, tag) == OK;
        } catch (Throwable t) {
            throw OpenSsl.failed(t);
        }
    }

    @Override
    public void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to) {
        MemorySegment all = MemorySegment.ofArray(packet);
        MemorySegment payload = all.asSlice(payloadAt, to - payloadAt);
        MemorySegment tag = all.asSlice(to, TAG_BYTES);
        boolean done =
                begin(nonce)
                        && update(MemorySegment.NULL, all.asSlice(from, payloadAt - from))
                        && update(payload, payload)
                        && finish(tag)
                        && control(GET_TAG, tag);
        if (!done) {
            throw new IllegalStateException("OpenSSL seals no packet: " + OpenSsl.error());
        }
    }

    @Override
    public int open(byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target) {
        int length = to - TAG_BYTES - payloadAt;
        MemorySegment all = MemorySegment.ofArray(packet);
        MemorySegment tag = all.asSlice(to - TAG_BYTES, TAG_BYTES);
        MemorySegment plain = MemorySegment.ofArray(target).asSlice(0, length);
        boolean done =
                begin(nonce)
                        && update(MemorySegment.NULL, all.asSlice(from, payloadAt - from))
                        && update(plain, all.asSlice(payloadAt, length))
                        && control(SET_TAG, tag);
        if (!done) {
            throw new IllegalStateException("OpenSSL opens no packet: " + OpenSsl.error());
        }
        if (finish(MemorySegment.NULL)) {
            return length;
        }
        // What a forged packet leaves there would end a handshake of this thread.
        OpenSsl.clearErrors();
        return -1;
    }

    @Override
    public void close() {
        long was = context;
        context = 0;
        if (was != 0) {
            OpenSsl.call(Calls.FREE, was);
        }
    }
}
