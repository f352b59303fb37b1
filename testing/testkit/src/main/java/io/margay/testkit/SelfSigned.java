package io.margay.testkit;

import io.margay.testkit.program.Program;
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
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate that its own key has signed, made by openssl, which takes a fiftieth of the time
/// of the JDK's keytool; that makes it where openssl is missing. Immutable.
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
        Optional<String> openssl = Program.find("openssl");
        if (openssl.isEmpty()) {
            return byKeytool(folder, name, algorithm, names);
        }
        Path settings = folder.resolve(name + ".cnf");
        List<String> command =
                new ArrayList<>(
                        List.of(openssl.get(), "req", "-x509", "-nodes", "-days", DAYS, "-newkey"));
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

    private static SelfSigned byKeytool(
            Path folder, String name, String algorithm, List<String> names) {
        Path store = folder.resolve(name + ".new.p12");
        String password = "changeit";
        String alternatives = String.join(",", names).replace("DNS:", "dns:").replace("IP:", "ip:");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                name,
                                "-keyalg",
                                algorithm));
        command.addAll(
                algorithm.equals("EC")
                        ? List.of("-groupname", "secp256r1")
                        : List.of("-keysize", "2048"));
        command.addAll(List.of("-dname", "CN=" + name, "-validity", DAYS));
        command.addAll(List.of("-ext", "SAN=" + alternatives, "-storetype", "PKCS12"));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", password));
        try {
            run(command);
            KeyStore keys = KeyStore.getInstance(store.toFile(), password.toCharArray());
            X509Certificate certificate = (X509Certificate) keys.getCertificate(name);
            PrivateKey secret = (PrivateKey) keys.getKey(name, password.toCharArray());
            Files.delete(store);
            return new SelfSigned(
                    pem(folder.resolve(name + ".pem"), "CERTIFICATE", certificate.getEncoded()),
                    pem(folder.resolve(name + ".key"), "PRIVATE KEY", secret.getEncoded()),
                    certificate,
                    secret);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        byte[] ends = "\n".getBytes(StandardCharsets.US_ASCII);
        String text = Base64.getMimeEncoder(64, ends).encodeToString(bytes);
        return Files.writeString(
                file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
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
}
