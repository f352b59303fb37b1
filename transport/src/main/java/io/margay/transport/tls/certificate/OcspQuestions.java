package io.margay.transport.tls.certificate;

import io.margay.transport.ClientCertificates.OcspCheck;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// Asks the OCSP responders that certificates name whether they have been revoked (RFC 6960). It is
/// asked of chains that have been verified. Thread-safe; waits for the network.
final class OcspQuestions {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final String AUTHORITY_INFORMATION = "1.3.6.1.5.5.7.1.1";

    /// The object identifier 1.3.6.1.5.5.7.48.1 in DER.
    private static final String RESPONDER = "06082b06010505073001";

    /// For how long a responder that could not be reached is not asked again, so that not every
    /// handshake waits for it.
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Authorities whose responders are remembered; there are a few.
    private static final int SILENT_MAX = 100;

    private final OcspCheck check;
    private final boolean wholeChain;

    /// When the responder of an authority could not be reached, by `System.nanoTime()`.
    private final Map<X500Principal, Long> silent = new ConcurrentHashMap<>();

    OcspQuestions(OcspCheck check, boolean wholeChain) {
        this.check = check;
        this.wholeChain = wholeChain;
    }

    /// Asks about a chain.
    ///
    /// @param chain the client's own certificate first, the authority's last
    /// @throws CertificateException when one has been revoked, or may have been
    void ask(List<X509Certificate> chain) throws CertificateException {
        int last = wholeChain ? chain.size() - 1 : 1;
        for (int i = 0; i < last; i++) {
            if (namesResponder(chain.get(i))) {
                ask(chain.get(i), chain.get(i + 1));
            } else if (check == OcspCheck.ALL || (check == OcspCheck.HARD && i == 0)) {
                throw new CertificateException("the certificate names no OCSP responder");
            }
        }
    }

    private static boolean namesResponder(X509Certificate certificate) {
        byte[] value = certificate.getExtensionValue(AUTHORITY_INFORMATION);
        return value != null && HexFormat.of().formatHex(value).contains(RESPONDER);
    }

    private void ask(X509Certificate certificate, X509Certificate issuer)
            throws CertificateException {
        X500Principal authority = issuer.getSubjectX500Principal();
        Long since = silent.get(authority);
        if (since != null && System.nanoTime() - since < SILENT_NANOS) {
            unreachable(certificate, null);
            return;
        }
        try {
            validate(certificate, issuer);
            silent.remove(authority);
        } catch (GeneralSecurityException e) {
            if (!isUnreachable(e)) {
                throw new CertificateException("the OCSP responder does not vouch for it", e);
            }
            if (silent.size() >= SILENT_MAX) {
                silent.clear();
            }
            silent.put(authority, System.nanoTime());
            unreachable(certificate, e);
        }
    }

    private void unreachable(X509Certificate certificate, @Nullable Exception cause)
            throws CertificateException {
        if (check != OcspCheck.SOFT) {
            throw new CertificateException("the OCSP responder cannot be reached", cause);
        }
        Level level = cause == null ? Level.DEBUG : Level.WARNING; // Once in ten seconds.
        LOG.log(
                level,
                "the OCSP responder for {0} cannot be reached; certificates are accepted unchecked",
                certificate.getIssuerX500Principal());
    }

    private static void validate(X509Certificate certificate, X509Certificate issuer)
            throws GeneralSecurityException {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
        parameters.addCertPathChecker(checker);
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Object _ = validator.validate(factory.generateCertPath(List.of(certificate)), parameters);
    }

    /// Whether there was no answer at all: what answers, be it nonsense, has been reached.
    private static boolean isUnreachable(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof SocketException
                    || at instanceof SocketTimeoutException
                    || at instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }
}
