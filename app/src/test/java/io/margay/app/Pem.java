package io.margay.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A self-signed certificate for `localhost` and its key as PEM files, made by the JDK's keytool.
///
/// @param trusting what a client that trusts this certificate uses
public record Pem(Path cert, Path key, SSLContext trusting) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    public static Pem make(Path folder, String name) throws Exception {
        return make(folder, name, "localhost");
    }

    /// The same for another host.
    static Pem make(Path folder, String name, String host) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "k",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + host);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Certificate certificate = keys.getCertificate("k");
        Path cert = write(folder.resolve(name + ".pem"), "CERTIFICATE", certificate.getEncoded());
        byte[] secret = keys.getKey("k", PASSWORD).getEncoded();
        Path key = write(folder.resolve(name + ".key"), "PRIVATE KEY", secret);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("k", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return new Pem(cert, key, context);
    }

    /// What a client uses that shows this certificate, and trusts another.
    SSLContext showing(Pem trusted) throws Exception {
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

    private static Path write(Path file, String label, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                file, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
    }
}
