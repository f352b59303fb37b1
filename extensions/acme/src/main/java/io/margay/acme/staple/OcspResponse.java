package io.margay.acme.staple;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateRevokedException;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.SingleResp;

/// A response of an OCSP responder that says of a certificate that it has not been revoked (RFC
/// 6960). Immutable.
final class OcspResponse {
    /// For how long a response holds that does not say when there is a newer one: as long as the
    /// JDK takes clocks to differ.
    private static final Duration WITHOUT_END = Duration.ofMinutes(15);

    private final byte[] der;
    private final Instant from;
    private final Instant until;

    private OcspResponse(byte[] der, Instant from, Instant until) {
        this.der = der;
        this.from = from;
        this.until = until;
    }

    /// The certificate is not to be trusted any more.
    static final class RevokedException extends IOException {
        private static final long serialVersionUID = 1L;

        RevokedException(Exception cause) {
            super("the certificate has been revoked", cause);
        }
    }

    /// Reads a response and verifies it: that it is about this certificate, that its authority has
    /// signed it, itself or by one whom it names, that it holds now, and that it says "good".
    ///
    /// @throws IOException saying why it cannot be stapled
    static OcspResponse read(
            byte[] der, X509Certificate certificate, X509Certificate issuer, Instant now)
            throws IOException {
        try {
            OCSPResp parsed = new OCSPResp(der);
            if (parsed.getStatus() != OCSPResp.SUCCESSFUL) {
                throw new IOException(
                        "the OCSP responder refuses to answer: status " + parsed.getStatus());
            }
            if (!(parsed.getResponseObject() instanceof BasicOCSPResp basic)) {
                throw new IOException("the OCSP responder gives an unknown kind of answer");
            }
            verify(der, certificate, issuer, now);
            for (SingleResp one : basic.getResponses()) {
                if (one.getCertID().getSerialNumber().equals(certificate.getSerialNumber())) {
                    Instant from = one.getThisUpdate().toInstant();
                    Date next = one.getNextUpdate();
                    Instant until = next == null ? from.plus(WITHOUT_END) : next.toInstant();
                    if (!now.isBefore(until)) {
                        throw new IOException("the OCSP response has ended at " + until);
                    }
                    return new OcspResponse(der, from, until);
                }
            }
            throw new IOException("the OCSP response is about another certificate");
        } catch (OCSPException e) {
            throw new IOException("the OCSP response cannot be read", e);
        }
    }

    private static void verify(
            byte[] der, X509Certificate certificate, X509Certificate issuer, Instant now)
            throws IOException {
        try {
            CertPathValidator validator = CertPathValidator.getInstance("PKIX");
            PKIXRevocationChecker checker =
                    (PKIXRevocationChecker) validator.getRevocationChecker();
            checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
            checker.setOcspResponses(Map.of(certificate, der));
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
            parameters.setDate(Date.from(now));
            parameters.addCertPathChecker(checker);
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            Object _ =
                    validator.validate(factory.generateCertPath(List.of(certificate)), parameters);
        } catch (CertPathValidatorException e) {
            if (e.getCause() instanceof CertificateRevokedException) {
                throw new RevokedException(e);
            }
            throw new IOException(
                    "the OCSP response does not vouch for the certificate: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IOException("the OCSP response cannot be verified", e);
        }
    }

    /// As the responder has sent it; not to be changed.
    byte[] der() {
        return der;
    }

    /// When its authority has known it.
    Instant from() {
        return from;
    }

    /// When it knows more.
    Instant until() {
        return until;
    }
}
