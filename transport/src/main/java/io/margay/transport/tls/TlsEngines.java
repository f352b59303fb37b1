package io.margay.transport.tls;

import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.util.List;
import javax.net.ssl.SSLEngine;

/// What makes the engines of a listener, or of some of its names: the JDK's TLS or OpenSSL.
/// Thread-safe.
interface TlsEngines {
    /// An engine for one handshake, in server mode.
    SSLEngine engine();

    /// Uses other certificates from the next handshake on; sessions can still be resumed.
    void keys(List<CertifiedKey> keys);

    /// Trusts other authorities from the next handshake on, and resumes no earlier session.
    void trust(ClientAuthorities authorities);

    /// Gives back what is kept for handshakes to come. One that comes all the same is served.
    default void close() {}

    /// Gives back at once what the engine holds outside the heap. The engine is not used after
    /// that, but by threads that are inside a call of it, which fail.
    static void release(SSLEngine engine) {
        if (engine instanceof OpenSslEngine open) {
            open.release();
        }
    }
}
