package io.margay.app;

import io.margay.testkit.SelfSigned;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A self-signed certificate for `localhost` and its key as PEM files.
///
/// @param trusting what a client that trusts this certificate uses
public record Pem(Path cert, Path key, SSLContext trusting) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    public static Pem make(Path folder, String name) throws Exception {
        return make(folder, name, "localhost");
    }

    /// The same for another host. It leaves `NAME.p12`, too.
    public static Pem make(Path folder, String name, String host) throws Exception {
        SelfSigned made = SelfSigned.make(folder, name, "EC", List.of("DNS:" + host));
        made.store(folder.resolve(name + ".p12"), "k", PASSWORD);
        return new Pem(made.cert(), made.key(), made.trusting());
    }

    /// What a client uses that shows this certificate, and trusts another.
    public SSLContext showing(Pem trusted) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        String store = cert.getFileName().toString().replace(".pem", ".p12");
        try (InputStream in = Files.newInputStream(cert.resolveSibling(store))) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, PASSWORD);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        try (InputStream in = Files.newInputStream(trusted.cert)) {
            trust.setCertificateEntry(
                    "k", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), managers.getTrustManagers(), null);
        return context;
    }
}
