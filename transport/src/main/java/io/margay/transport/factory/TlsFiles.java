package io.margay.transport.factory;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/// Reads the files of TLS settings as a listener would, and tells what is wrong with them.
/// Stateless.
public final class TlsFiles {
    private TlsFiles() {}

    /// What would keep a listener from opening, a line each: a key that does not belong to its
    /// certificate, a wrong password, unknown cipher suites.
    public static List<String> problems(TlsConfig tls) {
        return problems(tls, _ -> true);
    }

    /// The same, of the certificates that are there before a listener is made.
    ///
    /// @param there false for those whose files the server makes itself
    public static List<String> problems(TlsConfig tls, Predicate<TlsConfig.Certificate> there) {
        List<String> problems = new ArrayList<>();
        tls.certificates().stream()
                .filter(there)
                .forEach(one -> attempt(() -> CertifiedKey.read(one), problems));
        attempt(() -> ClientAuthorities.read(tls.clients()), problems);
        attempt(() -> ClientAuthorities.requireAsking(tls), problems);
        for (String suite : tls.cipherSuites()) {
            if (!suites().contains(suite)) {
                problems.add(
                        "unknown cipher suite '"
                                + suite
                                + "'; names are as in TLS_AES_128_GCM_SHA256");
            }
        }
        tls.named().forEach(named -> problems.addAll(problems(named.tls(), there)));
        return problems.stream().distinct().toList();
    }

    private static void attempt(Runnable reading, List<String> problems) {
        try {
            reading.run();
        } catch (TlsSetupException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /// The cipher suites that are known.
    public static Set<String> suites() {
        try {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
