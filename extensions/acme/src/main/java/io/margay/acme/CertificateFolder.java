package io.margay.acme;

import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/// The files of one certificate. Immutable.
///
/// @param certificate chain and key in use
/// @param state what is known beside them
/// @param nextKey the key of an order that is under way
record CertificateFolder(Path certificate, Path state, Path nextKey) {
    // Files beside the certificate.
    static final String STATE = "state.properties";

    static final String NEXT_KEY = "next.pem";

    static CertificateFolder of(AcmeConfig config, AcmeCertificate wanted) {
        Path file = wanted.file(config.storage());
        return new CertificateFolder(
                file, file.resolveSibling(STATE), file.resolveSibling(NEXT_KEY));
    }

    /// Writes a self-signed certificate where there is none.
    void prepare(AcmeCertificate wanted, Instant now, RandomGenerator random) throws IOException {
        if (Storage.exists(certificate)) {
            return;
        }
        KeyPair key = Keys.make(wanted.key());
        X509Certificate shown = OwnSigned.placeholder(key, wanted.domains(), now, random);
        try {
            Storage.write(certificate, Keys.pem(key, List.of(shown)));
        } catch (CertificateException e) {
            throw new IOException("a self-signed certificate cannot be written", e);
        }
    }

    /// The certificate in use.
    X509Certificate current() throws IOException {
        X509Certificate found = Keys.certificate(Storage.read(certificate));
        if (found == null) {
            throw new IOException(certificate + ": no certificate in it");
        }
        return found;
    }

    Path folder() {
        return certificate.resolveSibling("");
    }
}
