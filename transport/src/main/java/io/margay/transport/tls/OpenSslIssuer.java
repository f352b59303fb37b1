package io.margay.transport.tls;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// Finds whose certificate has signed another's, among those that a listener trusts. OpenSSL by
/// itself takes the first of the right name, and refuses the client if that is of another key; here
/// the key decides. One entry point for the whole process, called on the thread that makes the
/// handshake; nothing may be thrown through OpenSSL.
final class OpenSslIssuer {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int FAILED = -1;
    private static final int NONE = 0;
    private static final int FOUND = 1;

    private static final MemorySegment ISSUER_NAME = OpenSsl.crypto("X509_get_issuer_name");
    private static final MemorySegment BY_NAME = OpenSsl.crypto("X509_STORE_CTX_get1_certs");
    private static final MemorySegment COUNT = OpenSsl.crypto("OPENSSL_sk_num");
    private static final MemorySegment VALUE = OpenSsl.crypto("OPENSSL_sk_value");
    private static final MemorySegment FREE_ALL = OpenSsl.crypto("OPENSSL_sk_pop_free");
    private static final MemorySegment FREE = OpenSsl.crypto("X509_free");
    private static final MemorySegment SHARE = OpenSsl.crypto("X509_up_ref");
    private static final MemorySegment CHECK_ISSUED = OpenSsl.crypto("X509_check_issued");
    private static final MemorySegment COMPARE = OpenSsl.crypto("X509_cmp");
    private static final MemorySegment KEY = OpenSsl.crypto("X509_get0_pubkey");
    private static final MemorySegment VERIFY = OpenSsl.crypto("X509_verify");
    private static final MemorySegment BEGIN = OpenSsl.crypto("X509_get0_notBefore");
    private static final MemorySegment END = OpenSsl.crypto("X509_get0_notAfter");
    private static final MemorySegment WITHIN = OpenSsl.crypto("X509_cmp_timeframe");

    /// `int (X509 **issuer, X509_STORE_CTX *, X509 *)`.
    static final MemorySegment FIND =
            OpenSsl.stub(
                    MethodHandles.lookup(),
                    "find",
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private OpenSslIssuer() {}

    @SuppressWarnings("UnusedMethod") // called by OpenSSL
    private static int find(long out, long check, long certificate) {
        try {
            long named = OpenSsl.call(BY_NAME, check, OpenSsl.call(ISSUER_NAME, certificate));
            if (named == 0) {
                return NONE;
            }
            try {
                long best = best(named, certificate);
                if (best == 0) {
                    return NONE;
                }
                OpenSsl.call(SHARE, best);
                OpenSsl.memory(out, JAVA_LONG.byteSize()).set(JAVA_LONG, 0, best);
                return FOUND;
            } finally {
                OpenSsl.call(FREE_ALL, named, FREE.address());
            }
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a TLS handshake failed by a fault of the server", e);
            return FAILED;
        }
    }

    /// The certificate itself, where it is trusted; else one of an issuer, of several that whose
    /// key has signed, valid if there is such a one.
    private static long best(long named, long certificate) {
        int count = (int) OpenSsl.call(COUNT, named);
        long best = 0;
        for (int i = 0; i < count; i++) {
            long one = OpenSsl.call(VALUE, named, i);
            if ((int) OpenSsl.call(COMPARE, one, certificate) == 0) {
                return one;
            }
            if ((int) OpenSsl.call(CHECK_ISSUED, one, certificate) == 0
                    && (count == 1 || signed(one, certificate))
                    && (best == 0 || isValid(one))) {
                best = one;
            }
        }
        return best;
    }

    private static boolean signed(long issuer, long certificate) {
        boolean signed = (int) OpenSsl.call(VERIFY, certificate, OpenSsl.call(KEY, issuer)) == 1;
        OpenSsl.clearErrors();
        return signed;
    }

    private static boolean isValid(long certificate) {
        long begin = OpenSsl.call(BEGIN, certificate);
        return (int) OpenSsl.call(WITHIN, 0, begin, OpenSsl.call(END, certificate)) == 0;
    }
}
