package io.margay.spring.boot;

import io.margay.transport.ClientCertificates;
import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.web.server.Ssl;

/// Speaks TLS with the keys of an SSL bundle, which may be replaced by another while the server
/// runs. Thread-safe.
final class BundleTls {
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private volatile SslBundle bundle;

    /// The authorities of clients, for both engines read from a file; null = none are asked for.
    private @Nullable Path trust;

    BundleTls(SslBundle bundle) {
        this.bundle = bundle;
    }

    /// Takes another bundle, which counts once the certificates are read again.
    void replace(SslBundle next) {
        bundle = next;
        Path file = trust;
        if (file != null) {
            write(next, file);
        }
    }

    /// What a listener does with it.
    ///
    /// @throws TlsSetupException when the bundle has no key for a server
    TlsConfig config(Ssl.@Nullable ClientAuth clients) {
        TlsConfig config = TlsConfig.of(sources().stream().map(TlsConfig.Certificate::of).toList());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            config = config.withCipherSuites(Arrays.asList(ciphers));
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            config = config.withProtocols(Arrays.asList(protocols));
        }
        TlsConfig.ClientAuth auth =
                Ssl.ClientAuth.map(
                        clients,
                        TlsConfig.ClientAuth.NONE,
                        TlsConfig.ClientAuth.WANT,
                        TlsConfig.ClientAuth.NEED);
        return auth == null || auth == TlsConfig.ClientAuth.NONE
                ? config
                : config.withClients(ClientCertificates.of(auth, trusted()));
    }

    private List<KeySource> sources() {
        X509KeyManager manager = manager();
        String alias = bundle.getKey().getAlias();
        if (alias != null && !alias.isEmpty()) {
            if (manager.getPrivateKey(alias) == null) {
                throw new TlsSetupException("Keystore does not contain alias '" + alias + "'");
            }
            return List.of(() -> KeySource.of(manager(), alias).current());
        }
        int count = KeySource.all(manager).size();
        List<KeySource> sources = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            // Another bundle may have other aliases, and fewer.
            sources.add(() -> {
                List<KeySource> now = KeySource.all(manager());
                return now.get(Math.min(number, now.size() - 1)).current();
            });
        }
        return sources;
    }

    private X509KeyManager manager() {
        for (KeyManager manager : bundle.getManagers().getKeyManagers()) {
            if (manager instanceof X509KeyManager found) {
                return found;
            }
        }
        throw new TlsSetupException("the SSL bundle has no keys");
    }

    private Path trusted() {
        try {
            Path file = Files.createTempFile("margay-authorities-", ".pem");
            file.toFile().deleteOnExit();
            write(bundle, file);
            trust = file;
            return file;
        } catch (IOException e) {
            throw new TlsSetupException("the authorities cannot be written: " + e.getMessage(), e);
        }
    }

    private static void write(SslBundle from, Path file) {
        StringBuilder text = new StringBuilder();
        try {
            for (Certificate certificate : authorities(from)) {
                text.append("-----BEGIN CERTIFICATE-----\n")
                        .append(PEM.encodeToString(certificate.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
            Files.writeString(file, text, StandardCharsets.US_ASCII);
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsSetupException("the trust store cannot be read: " + e.getMessage(), e);
        }
    }

    /// Those of the trust store; where a bundle has none, those that the JDK trusts, as with other
    /// servers.
    private static List<Certificate> authorities(SslBundle from) throws GeneralSecurityException {
        List<Certificate> found = new ArrayList<>();
        KeyStore store = from.getStores().getTrustStore();
        if (store != null) {
            for (String alias : Collections.list(store.aliases())) {
                Certificate certificate = store.getCertificate(alias);
                if (certificate != null) {
                    found.add(certificate);
                }
            }
            return found;
        }
        for (TrustManager manager : from.getManagers().getTrustManagers()) {
            if (manager instanceof X509TrustManager trusted) {
                found.addAll(Arrays.asList(trusted.getAcceptedIssuers()));
            }
        }
        return found;
    }
}
