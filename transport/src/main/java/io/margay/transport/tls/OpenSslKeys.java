package io.margay.transport.tls;

import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertifiedKey;
import java.lang.foreign.MemorySegment;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Certificates with their keys and chains in OpenSSL's form, to be shown in handshakes. Counted:
/// the memory goes when the last user has given them up. Thread-safe.
final class OpenSslKeys {
    private static final int OVERRIDE = 1;

    private final List<Part> parts = new ArrayList<>();
    private final AtomicInteger users = new AtomicInteger(1);

    /// Whether a handshake has taken them since somebody looked.
    private volatile boolean recent = true;

    /// Addresses of an `X509`, an `EVP_PKEY` and a stack of `X509`, which is 0 where there is no
    /// chain.
    private record Part(long certificate, long key, long chain) {
        void free() {
            OpenSsl.call(Calls.FREE_X509, certificate);
            OpenSsl.call(Calls.FREE_KEY, key);
            if (chain != 0) {
                OpenSsl.call(Calls.FREE_STACK, chain, Calls.FREE_X509.address());
            }
        }
    }

    private static final class Calls {
        static final MemorySegment CLEAR = OpenSsl.ssl("SSL_certs_clear");
        static final MemorySegment USE = OpenSsl.ssl("SSL_use_cert_and_key");
        static final MemorySegment FREE_X509 = OpenSsl.crypto("X509_free");
        static final MemorySegment READ_KEY = OpenSsl.crypto("d2i_AutoPrivateKey");
        static final MemorySegment FREE_KEY = OpenSsl.crypto("EVP_PKEY_free");
        static final MemorySegment NEW_STACK = OpenSsl.crypto("OPENSSL_sk_new_null");
        static final MemorySegment PUSH = OpenSsl.crypto("OPENSSL_sk_push");
        static final MemorySegment FREE_STACK = OpenSsl.crypto("OPENSSL_sk_pop_free");

        private Calls() {}
    }

    /// With one user, who makes them.
    OpenSslKeys(List<CertifiedKey> keys) {
        boolean made = false;
        try {
            for (CertifiedKey key : keys) {
                parts.add(read(key));
            }
            made = true;
        } finally {
            if (!made) {
                give();
            }
        }
    }

    private static Part read(CertifiedKey key) {
        long certificate = 0;
        long chain = 0;
        try {
            certificate = OpenSsl.x509(key.chain().getFirst());
            List<X509Certificate> issuers = key.chain().subList(1, key.chain().size());
            if (!issuers.isEmpty()) {
                chain = OpenSsl.call(Calls.NEW_STACK);
            }
            for (X509Certificate issuer : issuers) {
                OpenSsl.call(Calls.PUSH, chain, OpenSsl.x509(issuer));
            }
            long secret = OpenSsl.decode(Calls.READ_KEY, key.key().getEncoded());
            Part made = new Part(certificate, secret, chain);
            certificate = 0;
            chain = 0;
            return made;
        } finally {
            OpenSsl.call(Calls.FREE_X509, certificate); // 0 is nothing to it
            OpenSsl.call(Calls.FREE_STACK, chain, Calls.FREE_X509.address());
        }
    }

    /// Takes them for a moment.
    ///
    /// @return false when they have been given up already
    boolean take() {
        for (int now = users.get(); now > 0; now = users.get()) {
            if (users.compareAndSet(now, now + 1)) {
                if (!recent) {
                    recent = true;
                }
                return true;
            }
        }
        return false;
    }

    /// Gives up what was taken, or made.
    void give() {
        if (users.decrementAndGet() == 0) {
            parts.forEach(Part::free);
        }
    }

    /// Whether they have been taken since this was asked last.
    boolean wasRecent() {
        boolean was = recent;
        recent = false;
        return was;
    }

    /// Has a handshake show them, and no others. OpenSSL keeps its own count of them.
    ///
    /// @throws TlsSetupException when OpenSSL refuses one
    void show(long ssl) {
        OpenSsl.call(Calls.CLEAR, ssl);
        for (Part part : parts) {
            long done =
                    OpenSsl.call(Calls.USE, ssl, part.certificate, part.key, part.chain, OVERRIDE);
            if ((int) done != 1) {
                throw OpenSsl.refused("certificate refused");
            }
        }
    }
}
