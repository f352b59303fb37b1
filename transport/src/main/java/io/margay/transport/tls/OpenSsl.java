package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The calls into OpenSSL 3, in two shapes, because each distinct shape costs start-up time.
/// Thread-safe; the library is loaded with the first call and never unloaded.
///
/// - **Bytes**: the calls that move bytes to or from heap arrays. Critical: a garbage collection
///   waits for them, at most for the encryption of one record.
/// - **General**: everything else, six longs each. Functions of fewer arguments ignore the rest, in
///   the calling conventions of x86-64 and aarch64.
///
/// Pointers are plain longs here, 0 is null. OpenSSL's queue of errors belongs to the thread: who
/// sees a call fail asks for [#error] before the thread does anything else.
final class OpenSsl {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final long VERSION_MIN = 0x30000000L;
    private static final int ERROR_TEXT_BYTES = 256;
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private OpenSsl() {}

    /// What of OpenSSL this machine has.
    ///
    /// @param problem why it cannot be used; null when it can
    /// @param version as the library calls itself
    record Library(@Nullable String problem, String version) {
        /// Without the date.
        String shortVersion() {
            String[] words = version.split(" ", 3);
            return words.length < 2 ? version : words[0] + " " + words[1];
        }
    }

    /// The library, looked for once.
    @SuppressWarnings("restricted")
    private static final class Loaded {
        static final Library LIBRARY;
        static final @Nullable SymbolLookup SSL;
        static final @Nullable SymbolLookup CRYPTO;

        static {
            Library found;
            SymbolLookup ssl = null;
            SymbolLookup crypto = null;
            if (!OpenSsl.class.getModule().isNativeAccessEnabled()) {
                found =
                        new Library(
                                "the JVM was started without --enable-native-access=ALL-UNNAMED",
                                "");
            } else {
                try {
                    crypto = SymbolLookup.libraryLookup("libcrypto.so.3", Arena.global());
                    ssl = SymbolLookup.libraryLookup("libssl.so.3", Arena.global());
                    found = look(crypto);
                } catch (IllegalArgumentException e) {
                    found = new Library("libssl.so.3 is not installed", "");
                }
            }
            LIBRARY = found;
            SSL = ssl;
            CRYPTO = crypto;
        }

        private Loaded() {}

        private static Library look(SymbolLookup crypto) {
            long number = Calls.call(crypto.findOrThrow("OpenSSL_version_num"), 0, 0, 0, 0, 0, 0);
            String name = text(Calls.call(crypto.findOrThrow("OpenSSL_version"), 0, 0, 0, 0, 0, 0));
            return number < VERSION_MIN
                    ? new Library(name + " is older than OpenSSL 3", name)
                    : new Library(null, name);
        }
    }

    /// The linked shapes.
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();

        static final MethodHandle GENERAL =
                LINKER.downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG));
        static final MethodHandle BYTES =
                LINKER.downcallHandle(
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG),
                        Linker.Option.critical(true));

        private Calls() {}

        static long call(MemorySegment f, long a, long b, long c, long d, long e, long g) {
            try {
                return (long) GENERAL.invokeExact(f, a, b, c, d, e, g);
            } catch (Throwable t) {
                throw failed(t);
            }
        }
    }

    /// The calls that every record needs.
    private static final class Hot {
        static final MemorySegment READ = ssl("SSL_read");
        static final MemorySegment WRITE = ssl("SSL_write");
        static final MemorySegment BIO_READ = crypto("BIO_read");
        static final MemorySegment BIO_WRITE = crypto("BIO_write");

        private Hot() {}
    }

    /// Whether a listener uses OpenSSL. Says once why it does not, where it might.
    ///
    /// @throws TlsSetupException when it must, and cannot
    static boolean wanted(TlsConfig.Provider provider, boolean byDefault) {
        if (provider == TlsConfig.Provider.JSSE
                || (provider == TlsConfig.Provider.AUTO && !byDefault)) {
            return false;
        }
        String problem = Loaded.LIBRARY.problem;
        if (problem == null) {
            return true;
        }
        if (provider == TlsConfig.Provider.OPENSSL) {
            throw new TlsSetupException("OpenSSL cannot be used: " + problem);
        }
        if (SAID.compareAndSet(false, true)) {
            LOG.log(Level.INFO, "TLS by the JDK, because " + problem);
        }
        return false;
    }

    /// What of OpenSSL this machine has.
    static Library library() {
        return Loaded.LIBRARY;
    }

    /// Why the handshakes of QUIC cannot be OpenSSL's, or null when they can.
    static @Nullable String quicProblem() {
        Library found = Loaded.LIBRARY;
        SymbolLookup library = Loaded.SSL;
        if (found.problem != null || library == null) {
            return found.problem == null ? "OpenSSL is not loaded" : found.problem;
        }
        return library.find("SSL_set_quic_tls_cbs").isPresent()
                ? null
                : "this machine has " + found.shortVersion();
    }

    /// A function of libssl.
    static MemorySegment ssl(String name) {
        return find(Loaded.SSL, name);
    }

    /// A function of libcrypto.
    static MemorySegment crypto(String name) {
        return find(Loaded.CRYPTO, name);
    }

    private static MemorySegment find(@Nullable SymbolLookup library, String name) {
        if (library == null) {
            throw new IllegalStateException("OpenSSL is not loaded");
        }
        return library.findOrThrow(name);
    }

    static long call(MemorySegment function) {
        return Calls.call(function, 0, 0, 0, 0, 0, 0);
    }

    static long call(MemorySegment function, long a) {
        return Calls.call(function, a, 0, 0, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b) {
        return Calls.call(function, a, b, 0, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c) {
        return Calls.call(function, a, b, c, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c, long d) {
        return Calls.call(function, a, b, c, d, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e) {
        return Calls.call(function, a, b, c, d, e, 0);
    }

    /// Decrypts into an array.
    static int read(long ssl, byte[] target, int offset, int length) {
        return bytes(Hot.READ, ssl, target, offset, length);
    }

    /// Encrypts from an array.
    static int write(long ssl, byte[] source, int offset, int length) {
        return bytes(Hot.WRITE, ssl, source, offset, length);
    }

    /// Takes bytes out of a memory BIO.
    static int bioRead(long bio, byte[] target, int offset, int length) {
        return bytes(Hot.BIO_READ, bio, target, offset, length);
    }

    /// Puts bytes into a memory BIO.
    static int bioWrite(long bio, byte[] source, int offset, int length) {
        return bytes(Hot.BIO_WRITE, bio, source, offset, length);
    }

    private static int bytes(MemorySegment f, long object, byte[] array, int offset, int length) {
        MemorySegment part = MemorySegment.ofArray(array).asSlice(offset, length);
        try {
            return (int) (long) Calls.BYTES.invokeExact(f, object, part, (long) length);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /// The first error of this thread's queue in words, which is empty afterwards.
    static String error() {
        long code = call(Errors.GET);
        if (code == 0) {
            return "no reason given";
        }
        String reason = text(call(Errors.REASON, code));
        clearErrors();
        if (!reason.isEmpty()) {
            return reason;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ERROR_TEXT_BYTES);
            call(Errors.STRING, code, text.address(), ERROR_TEXT_BYTES);
            return text.getString(0);
        }
    }

    /// Empties this thread's queue of errors.
    static void clearErrors() {
        call(Errors.CLEAR);
    }

    private static final class Errors {
        static final MemorySegment GET = crypto("ERR_get_error");
        static final MemorySegment REASON = crypto("ERR_reason_error_string");
        static final MemorySegment STRING = crypto("ERR_error_string_n");
        static final MemorySegment CLEAR = crypto("ERR_clear_error");

        private Errors() {}
    }

    /// The C string at an address, empty for null.
    static String text(long address) {
        return address == 0 ? "" : memory(address, Long.MAX_VALUE).getString(0);
    }

    /// The memory at an address.
    @SuppressWarnings("restricted")
    static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// An entry point for OpenSSL.
    ///
    /// @param owner whose method it is
    @SuppressWarnings("restricted")
    static MemorySegment stub(MethodHandles.Lookup owner, String method, FunctionDescriptor shape) {
        MethodType type = shape.toMethodType();
        try {
            return Linker.nativeLinker()
                    .upcallStub(
                            owner.findStatic(owner.lookupClass(), method, type),
                            shape,
                            Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no method " + method, e);
        }
    }

    /// What is looked up when certificates are read first.
    private static final class Decoding {
        static final MemorySegment CERTIFICATE = crypto("d2i_X509");
    }

    /// A certificate of OpenSSL's, to be freed.
    ///
    /// @throws TlsSetupException when OpenSSL does not understand it
    static long x509(X509Certificate certificate) {
        try {
            return decode(Decoding.CERTIFICATE, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new TlsSetupException("a certificate cannot be encoded", e);
        }
    }

    /// What OpenSSL makes of DER, which is overwritten: it may be a key.
    ///
    /// @param function `d2i_…`
    /// @throws TlsSetupException when it does not understand it
    static long decode(MemorySegment function, byte[] der) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, der);
            MemorySegment pointer = arena.allocateFrom(JAVA_LONG, bytes.address());
            long object = call(function, 0, pointer.address(), der.length);
            bytes.fill((byte) 0);
            if (object == 0) {
                throw refused("not understood");
            }
            return object;
        } finally {
            Arrays.fill(der, (byte) 0);
        }
    }

    /// What has been refused, with what OpenSSL says of it.
    static TlsSetupException refused(String what) {
        return new TlsSetupException("OpenSSL: " + what + ": " + error());
    }

    static IllegalStateException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        return new IllegalStateException("native call failed", e);
    }
}
