package io.margay.transport;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a listener asks of clients about certificates. Immutable.
///
/// Each path is a PEM file, for authorities also a keystore (PKCS #12, JKS), or a folder of such
/// files named as `openssl rehash` does (`HASH.N` for certificates, `HASH.rN` for revocation
/// lists). All are watched.
///
/// @param auth whether a certificate is asked for
/// @param trust the authorities that sign the certificates; a chain must end in one that is
///   self-signed, the others serve as intermediates
/// @param announced those whose names a client is shown to choose by; empty = those of `trust`
/// @param crls lists of revoked certificates; empty = revocation is not checked
/// @param crlCheck of which certificates of a chain a list is needed
/// @param depthMax intermediate certificates at most between a client's certificate and the
///   authority, 0 to [#DEPTH_LIMIT]
/// @param trustPassword of keystores among `trust`; null = none
/// @param ocsp whether the responders that certificates name are asked, of the certificates that
///   `crlCheck` says
@RecordBuilder
public record ClientCertificates(
        TlsConfig.ClientAuth auth,
        List<Path> trust,
        List<Path> announced,
        List<Path> crls,
        CrlCheck crlCheck,
        int depthMax,
        @Nullable String trustPassword,
        OcspCheck ocsp)
        implements ClientCertificatesBuilder.With {
    /// Intermediates at most unless told otherwise, as with Tomcat.
    public static final int DEPTH_DEFAULT = 10;

    /// More than any authority has.
    public static final int DEPTH_LIMIT = 100;

    /// No certificate is asked for.
    public static final ClientCertificates NONE =
            new ClientCertificates(
                    TlsConfig.ClientAuth.NONE,
                    List.of(),
                    List.of(),
                    List.of(),
                    CrlCheck.CHAIN,
                    DEPTH_DEFAULT);

    /// Which certificates must be on nobody's list. One of which there is no list, or only one that
    /// has expired, is refused.
    public enum CrlCheck {
        /// The client's own.
        LEAF,

        /// All of the chain.
        CHAIN
    }

    /// Whether OCSP responders are asked (RFC 6960). One that answers anything but that the
    /// certificate is good has it refused.
    public enum OcspCheck {
        NONE,

        /// Where certificates name one; one that cannot be reached is done without.
        SOFT,

        /// The client's certificate must name one, and all that are named must answer.
        HARD,

        /// The same, and each certificate that is asked about must name one.
        ALL
    }

    public ClientCertificates {
        trust = List.copyOf(trust);
        announced = List.copyOf(announced);
        crls = List.copyOf(crls);
        if (auth != TlsConfig.ClientAuth.NONE && trust.isEmpty()) {
            throw new IllegalArgumentException(
                    "client certificates are asked for, but no file of trusted authorities is"
                            + " set");
        }
        if (depthMax < 0 || depthMax > DEPTH_LIMIT) {
            throw new IllegalArgumentException("depthMax must be 0 to 100: " + depthMax);
        }
    }

    /// Those whose authorities need no password.
    public ClientCertificates(
            TlsConfig.ClientAuth auth,
            List<Path> trust,
            List<Path> announced,
            List<Path> crls,
            CrlCheck crlCheck,
            int depthMax) {
        this(auth, trust, announced, crls, crlCheck, depthMax, null, OcspCheck.NONE);
    }

    /// Whether a handshake may wait for the network.
    public boolean asksResponders() {
        return auth != TlsConfig.ClientAuth.NONE && ocsp != OcspCheck.NONE;
    }

    /// Without the password.
    @Override
    public String toString() {
        return "ClientCertificates[" + auth + ", trust " + trust + ", crls " + crls + "]";
    }

    /// Certificates that an authority of a file has signed.
    public static ClientCertificates of(TlsConfig.ClientAuth auth, Path trust) {
        return new ClientCertificates(
                auth, List.of(trust), List.of(), List.of(), CrlCheck.CHAIN, DEPTH_DEFAULT);
    }

    /// The same with lists of revoked certificates.
    public ClientCertificates withCrls(List<Path> files, CrlCheck check) {
        return ClientCertificatesBuilder.builder(this).crls(files).crlCheck(check).build();
    }
}
