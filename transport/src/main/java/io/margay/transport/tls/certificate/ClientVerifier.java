package io.margay.transport.tls.certificate;

import io.margay.transport.ClientCertificates.OcspCheck;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Has the JDK's TLS verify clients' certificates as OpenSSL does: chains end in a self-signed
/// authority that is valid, are no longer than they may be, and of what is to be checked for
/// revocation there must be a list. Unless OCSP responders are to be asked, nothing is fetched from
/// the network. Thread-safe.
public final class ClientVerifier extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager checks;
    private final ClientAuthorities authorities;
    private final PKIXBuilderParameters parameters;

    /// Null = none is asked.
    private final @Nullable OcspQuestions ocsp;

    public ClientVerifier(ClientAuthorities authorities) throws GeneralSecurityException {
        this.authorities = authorities;
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        parameters = parameters(authorities);
        factory.init(new CertPathTrustManagerParameters(parameters));
        ocsp =
                authorities.ocsp() == OcspCheck.NONE
                        ? null
                        : new OcspQuestions(authorities.ocsp(), authorities.wholeChain());
        checks = extended(factory.getTrustManagers());
    }

    private static X509ExtendedTrustManager extended(TrustManager[] managers) {
        for (TrustManager manager : managers) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new IllegalStateException("the JDK has no X509ExtendedTrustManager");
    }

    private static PKIXBuilderParameters parameters(ClientAuthorities authorities)
            throws InvalidAlgorithmParameterException, NoSuchAlgorithmException {
        Set<TrustAnchor> anchors = new HashSet<>();
        List<Object> others = new ArrayList<>(authorities.crls());
        for (X509Certificate certificate : authorities.trusted()) {
            if (ClientAuthorities.isSelfSigned(certificate)) {
                anchors.add(new TrustAnchor(certificate, null));
            } else {
                others.add(certificate);
            }
        }
        PKIXBuilderParameters parameters =
                new PKIXBuilderParameters(anchors, new X509CertSelector());
        parameters.setMaxPathLength(authorities.depthMax());
        parameters.addCertStore(
                CertStore.getInstance("Collection", new CollectionCertStoreParameters(others)));
        parameters.addCertPathChecker(new Chain(anchors, authorities.depthMax()));
        parameters.setRevocationEnabled(authorities.checksRevocation());
        if (authorities.checksRevocation()) {
            parameters.addCertPathChecker(revocation(authorities.wholeChain()));
        }
        return parameters;
    }

    private static PKIXRevocationChecker revocation(boolean wholeChain)
            throws NoSuchAlgorithmException {
        PKIXRevocationChecker checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
        Set<PKIXRevocationChecker.Option> options =
                EnumSet.of(
                        PKIXRevocationChecker.Option.PREFER_CRLS,
                        PKIXRevocationChecker.Option.NO_FALLBACK);
        if (!wholeChain) {
            options.add(PKIXRevocationChecker.Option.ONLY_END_ENTITY);
        }
        checker.setOptions(options);
        return checker;
    }

    /// Looks at what the JDK leaves out: the length of chains that clients send whole, and whether
    /// the authority itself is still valid. A copy is made for each chain.
    private static final class Chain extends PKIXCertPathChecker {
        private final Set<TrustAnchor> anchors;
        private final int depthMax;
        private int seen;

        Chain(Set<TrustAnchor> anchors, int depthMax) {
            this.anchors = anchors;
            this.depthMax = depthMax;
        }

        @Override
        public void init(boolean forward) {
            seen = 0;
        }

        @Override
        public boolean isForwardCheckingSupported() {
            return false;
        }

        @Override
        public @Nullable Set<String> getSupportedExtensions() {
            return null;
        }

        /// Certificates come from the one that the authority has signed to the client's own.
        @Override
        public void check(Certificate certificate, Collection<String> unresolved)
                throws CertPathValidatorException {
            if (seen == 0 && !isIssuedByValid((X509Certificate) certificate)) {
                throw new CertPathValidatorException("the authority's certificate is not valid");
            }
            if (seen > depthMax) {
                throw new CertPathValidatorException("the chain is longer than it may be");
            }
            seen++;
        }

        private boolean isIssuedByValid(X509Certificate certificate) {
            return anchors.stream()
                    .map(TrustAnchor::getTrustedCert)
                    .filter(one ->
                            one.getSubjectX500Principal()
                                    .equals(certificate.getIssuerX500Principal()))
                    .anyMatch(ClientVerifier::isValid);
        }
    }

    private static boolean isValid(X509Certificate certificate) {
        try {
            certificate.checkValidity();
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        // One that is trusted itself the JDK takes at any time, and from any list.
        chain[0].checkValidity();
        boolean revocation = authorities.checksRevocation() || ocsp != null;
        if (revocation && ClientAuthorities.isSelfSigned(chain[0])) {
            throw new CertificateException("an authority's own certificate is on no list");
        }
        checks.checkClientTrusted(chain, type, engine);
        if (ocsp != null) {
            ocsp.ask(verified(chain));
        }
    }

    /// The chain to an authority, which is its last; what a client sends need not be in order.
    private List<X509Certificate> verified(X509Certificate[] sent) throws CertificateException {
        try {
            PKIXBuilderParameters own = (PKIXBuilderParameters) parameters.clone();
            X509CertSelector target = new X509CertSelector();
            target.setCertificate(sent[0]);
            own.setTargetCertConstraints(target);
            own.addCertStore(
                    CertStore.getInstance(
                            "Collection", new CollectionCertStoreParameters(List.of(sent))));
            PKIXCertPathBuilderResult built =
                    (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(own);
            List<X509Certificate> chain = new ArrayList<>();
            built.getCertPath().getCertificates().forEach(one -> chain.add((X509Certificate) one));
            chain.add(built.getTrustAnchor().getTrustedCert());
            return chain;
        } catch (GeneralSecurityException e) {
            throw new CertificateException("no chain to an authority", e);
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.announced().toArray(new X509Certificate[0]);
    }

    private static CertificateException enginesOnly() {
        return new CertificateException("verifies clients of engines only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw enginesOnly();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw enginesOnly();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw enginesOnly();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw enginesOnly();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw enginesOnly();
    }
}
