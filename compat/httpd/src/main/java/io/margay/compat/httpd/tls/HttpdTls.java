package io.margay.compat.httpd.tls;

import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.Stapling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What mod_ssl's directives of a server say, as they are read; null where they say nothing.
/// Confined to one reading.
public final class HttpdTls {
    /// Certificates of a virtual host that take the place of the main server's, each of its own;
    /// more are added to them.
    private static final int REPLACED_MAX = 3;

    @Nullable Boolean engine;
    final List<Path> certificates = new ArrayList<>();
    final List<Path> keys = new ArrayList<>();
    @Nullable List<String> protocols;

    /// The certificates of the authorities, where those of the server have none.
    @Nullable Path chain;

    /// `none`, `optional`, `optional_no_ca` or `require`.
    @Nullable String verify;

    /// As httpd counts: 1 is a certificate that an authority itself has signed.
    @Nullable Integer depth;

    @Nullable Path trustFile;
    @Nullable Path trustFolder;
    @Nullable Path namesFile;
    @Nullable Path namesFolder;
    @Nullable Path crlFile;
    @Nullable Path crlFolder;

    /// What `SSLCARevocationCheck` says.
    @Nullable Revocation revocation;

    /// What `SSLOCSPEnable` says.
    @Nullable Revocation responders;

    /// What `SSLUseStapling` says.
    @Nullable Boolean stapling;

    /// Of which certificates it is asked whether they have been revoked.
    ///
    /// @param check null for `none`, or `off`
    record Revocation(@Nullable CrlCheck check) {}

    /// What holds for a virtual host, directive by directive: its own, else the main server's.
    public HttpdTls within(HttpdTls main) {
        HttpdTls merged = new HttpdTls();
        merged.engine = either(engine, main.engine);
        merged.certificates.addAll(merged(certificates, main.certificates));
        merged.keys.addAll(merged(keys, main.keys));
        merged.protocols = either(protocols, main.protocols);
        merged.chain = either(chain, main.chain);
        merged.verify = either(verify, main.verify);
        merged.depth = either(depth, main.depth);
        merged.trustFile = either(trustFile, main.trustFile);
        merged.trustFolder = either(trustFolder, main.trustFolder);
        merged.namesFile = either(namesFile, main.namesFile);
        merged.namesFolder = either(namesFolder, main.namesFolder);
        merged.crlFile = either(crlFile, main.crlFile);
        merged.crlFolder = either(crlFolder, main.crlFolder);
        merged.revocation = either(revocation, main.revocation);
        merged.stapling = either(stapling, main.stapling);
        merged.responders = either(responders, main.responders);
        return merged;
    }

    private static <T> @Nullable T either(@Nullable T own, @Nullable T main) {
        return own != null ? own : main;
    }

    private static List<Path> merged(List<Path> own, List<Path> main) {
        int replaced = Math.min(own.size(), REPLACED_MAX);
        List<Path> all = new ArrayList<>(own.subList(0, replaced));
        if (main.size() > replaced) {
            all.addAll(main.subList(replaced, main.size()));
        }
        all.addAll(own.subList(replaced, own.size()));
        return all;
    }

    public boolean isOn() {
        return Boolean.TRUE.equals(engine);
    }

    /// Shows these certificates in place of others.
    ///
    /// @param stapled whether OCSP responses are stapled to them, whatever is said besides
    public void show(List<Certificate> shown, boolean stapled) {
        certificates.clear();
        keys.clear();
        for (Certificate one : shown) {
            certificates.add(one.cert());
            keys.add(one.key());
        }
        if (stapled) {
            stapling = true;
        }
    }

    Stapling stapling() {
        return Boolean.TRUE.equals(stapling)
                ? new Stapling(Stapling.Which.ALL, null)
                : Stapling.REQUIRED;
    }

    /// Whether nobody gets in without a certificate.
    public boolean requiresCertificate() {
        return isOn() && "require".equals(verify);
    }

    /// Whether a certificate is asked for, whatever comes of it.
    boolean asksForCertificate() {
        return verify != null && !verify.equals("none");
    }

    /// Of which certificates lists of revoked ones are asked; null = of none.
    @Nullable CrlCheck lists() {
        return revocation == null ? null : revocation.check();
    }

    /// Of which certificates OCSP responders are asked; null = of none.
    @Nullable CrlCheck responders() {
        return responders == null ? null : responders.check();
    }

    /// Each certificate with its key; one without a key of its own has it in its file.
    List<Certificate> pairs() {
        List<Certificate> pairs = new ArrayList<>();
        for (int i = 0; i < certificates.size(); i++) {
            Path cert = certificates.get(i);
            pairs.add(new Certificate(cert, i < keys.size() ? keys.get(i) : cert).withChain(chain));
        }
        return pairs;
    }

    /// Those of the files and folders that are there.
    static List<Path> paths(@Nullable Path... paths) {
        return Stream.of(paths).filter(Objects::nonNull).<Path>map(path -> path).toList();
    }
}
