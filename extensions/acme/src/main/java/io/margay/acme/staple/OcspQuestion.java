package io.margay.acme.staple;

import io.margay.server.acme.StapleLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/// What is asked of an OCSP responder about a certificate (RFC 6960 §4.1), without a nonce, since
/// responders answer with what they have signed before. Immutable.
///
/// @param responder its address, which the certificate names
/// @param id how the responder knows the certificate
record OcspQuestion(
        X509Certificate certificate,
        X509Certificate issuer,
        @Nullable URI responder,
        CertificateID id) {
    private static final int OK = 200;

    static OcspQuestion of(X509Certificate certificate, X509Certificate issuer) throws IOException {
        try {
            X509CertificateHolder own = new JcaX509CertificateHolder(certificate);
            CertificateID id =
                    new CertificateID(
                            digests().get(CertificateID.HASH_SHA1),
                            new JcaX509CertificateHolder(issuer),
                            certificate.getSerialNumber());
            return new OcspQuestion(certificate, issuer, responder(own), id);
        } catch (CertificateEncodingException | OCSPException | OperatorCreationException e) {
            throw new IOException("OCSP cannot be asked about this certificate", e);
        }
    }

    private static DigestCalculatorProvider digests() throws OperatorCreationException {
        return new JcaDigestCalculatorProviderBuilder().build();
    }

    private static @Nullable URI responder(X509CertificateHolder of) {
        AuthorityInformationAccess access =
                AuthorityInformationAccess.fromExtensions(of.getExtensions());
        if (access == null) {
            return null;
        }
        for (AccessDescription one : access.getAccessDescriptions()) {
            GeneralName at = one.getAccessLocation();
            if (one.getAccessMethod().equals(AccessDescription.id_ad_ocsp)
                    && at.getTagNo() == GeneralName.uniformResourceIdentifier) {
                try {
                    URI uri = URI.create(at.getName().toString());
                    if (String.valueOf(uri.getScheme()).matches("(?i)https?")
                            && uri.getHost() != null) {
                        return uri;
                    }
                } catch (IllegalArgumentException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /// Whether a question of somebody else is about the same certificate.
    boolean isAbout(CertificateID other) {
        return other.getSerialNumber().equals(id.getSerialNumber())
                && Arrays.equals(other.getIssuerKeyHash(), id.getIssuerKeyHash());
    }

    /// Asks.
    ///
    /// @throws IOException saying why there is no response that could be stapled
    OcspResponse ask(HttpClient client, StapleLimits limits, Instant now)
            throws IOException, InterruptedException {
        URI at = responder;
        if (at == null) {
            throw new IOException("the certificate names no OCSP responder");
        }
        byte[] question;
        try {
            question = new OCSPReqBuilder().addRequest(id).build().getEncoded();
        } catch (OCSPException e) {
            throw new IOException("the question to the OCSP responder cannot be written", e);
        }
        HttpRequest request =
                HttpRequest.newBuilder(at)
                        .header("Content-Type", "application/ocsp-request")
                        .header("Accept", "application/ocsp-response")
                        .timeout(limits.requestTimeout())
                        .POST(HttpRequest.BodyPublishers.ofByteArray(question))
                        .build();
        CompletableFuture<HttpResponse<byte[]>> asked =
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(
                                BodyHandlers.ofByteArray(), limits.responseBytesMax()));
        try {
            HttpResponse<byte[]> answer =
                    asked.get(limits.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != OK) {
                throw new IOException(responder + " answers with " + answer.statusCode());
            }
            return OcspResponse.read(answer.body(), certificate, issuer, now);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    responder
                            + " cannot be asked: "
                            + (cause.getMessage() == null ? cause : cause.getMessage()),
                    cause);
        } catch (TimeoutException e) {
            throw new IOException(
                    responder + " has not answered within " + limits.requestTimeout(), e);
        } finally {
            asked.cancel(true);
        }
    }
}
