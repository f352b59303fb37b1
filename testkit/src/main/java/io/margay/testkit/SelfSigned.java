package io.margay.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate that its own key has signed, made by openssl, which takes a fiftieth of the time
/// of the JDK's keytool. Immutable.
///
/// @param cert certificate, PEM
/// @param key private key, PEM (PKCS #8)
public record SelfSigned(Path cert, Path key, X509Certificate certificate, PrivateKey privateKey) {
    private static final String DAYS = "3650";

    /// Makes `NAME.pem` and `NAME.key`.
    ///
    /// @param name also the subject's common name
    /// @param algorithm `EC` (P-256) or `RSA` (2048 bits)
    /// @param names alternative names as openssl writes them, `DNS:localhost`
    public static SelfSigned make(Path folder, String name, String algorithm, List<String> names) {
        Path cert = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        Path settings = folder.resolve(name + ".cnf");
        List<String> command =
                new ArrayList<>(
                        List.of("openssl", "req", "-x509", "-nodes", "-days", DAYS, "-newkey"));
        command.addAll(
                algorithm.equals("EC")
                        ? List.of("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
                        : List.of("rsa:2048"));
        command.addAll(List.of("-config", settings.toString()));
        command.addAll(List.of("-keyout", key.toString(), "-out", cert.toString()));
        String text =
                """
                [req]
                prompt = no
                distinguished_name = subject
                x509_extensions = extensions
                [subject]
                CN = %s
                [extensions]
                subjectKeyIdentifier = hash
                subjectAltName = %s
                """
                        .formatted(name, String.join(",", names));
        try {
            Files.writeString(settings, text);
            run(command);
            Files.delete(settings);
            X509Certificate certificate;
            try (InputStream in = Files.newInputStream(cert)) {
                Certificate made = CertificateFactory.getInstance("X.509").generateCertificate(in);
                certificate = (X509Certificate) made;
            }
            String pem = Files.readString(key).replaceAll("-----[A-Z ]+-----|\\s", "");
            PrivateKey secret =
                    KeyFactory.getInstance(algorithm)
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
            return new SelfSigned(cert, key, certificate, secret);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }

    static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// A new PKCS #12 file with both.
    public void store(Path file, String alias, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(alias, privateKey, password, new Certificate[] {certificate});
        try (OutputStream out = Files.newOutputStream(file)) {
            keys.store(out, password);
        }
    }

    /// What a client uses that trusts this certificate and nothing else.
    public SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("trusted", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /// Wraps bytes as PEM does.
    public static String pem(String label, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
