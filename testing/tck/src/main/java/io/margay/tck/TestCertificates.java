package io.margay.tck;

import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/// The certificate of the server, made anew, and that of the suite's client, which the server
/// trusts. The suite's own client is the JDK's, and is told by system properties.
final class TestCertificates {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "localhost";

    private final Path folder;

    private TestCertificates(Path folder) {
        this.folder = folder;
    }

    /// How the server speaks TLS: 1.2 only, for the suite's client renews no certificate later.
    static TlsConfig in(Path folder) throws IOException {
        try {
            return new TestCertificates(folder).make();
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates cannot be used", e);
        }
    }

    private TlsConfig make() throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance(generate().toFile(), PASSWORD.toCharArray());
        Path cert = pem("server.pem", "CERTIFICATE", own.getCertificate(ALIAS).getEncoded());
        byte[] keyBytes = own.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        Path key = pem("server.key", "PRIVATE KEY", keyBytes);
        byte[] client =
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(suite("cts_cert"))
                        .getEncoded();
        Path trust = pem("client.pem", "CERTIFICATE", client);
        tellTheClient();
        return TlsConfig.of(cert, key)
                .withProtocols(List.of("TLSv1.2"))
                .withApplicationProtocols(List.of())
                .withClients(ClientCertificates.of(ClientAuth.NEED, trust))
                .withHandshakeTimeout(Duration.ofSeconds(30));
    }

    private void tellTheClient() throws IOException {
        Path client = folder.resolve("client.jks");
        try (InputStream file = suite("clientcert.jks")) {
            Files.copy(file, client);
        }
        System.setProperty("javax.net.ssl.keyStore", client.toString());
        System.setProperty("javax.net.ssl.keyStorePassword", PASSWORD);
        System.setProperty("javax.net.ssl.trustStore", store().toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    private static InputStream suite(String name) {
        String resource = "/certificates/" + name;
        return Objects.requireNonNull(
                TestCertificates.class.getResourceAsStream(resource),
                "the suite has no " + resource);
    }

    private Path store() {
        return folder.resolve("server.p12");
    }

    /// The JDK's own tool makes key and certificate; no class of its API does.
    private Path generate() throws IOException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                tool.toString(),
                                "-genkeypair",
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "RSA",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store().toString())
                        .inheritIO()
                        .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool has failed: " + process.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return store();
    }

    private Path pem(String name, String type, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        String text = "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
        return Files.writeString(folder.resolve(name), text);
    }
}
