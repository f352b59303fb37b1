package io.margay.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A self-signed certificate for `localhost`, made anew, as PEM files, and a client that trusts it.
/// Immutable.
///
/// @param cert certificate, PEM
/// @param key private key, PEM (PKCS #8)
/// @param client trusts the certificate and nothing else
public record TestCertificate(Path cert, Path key, SSLContext client) {
    private static final char[] PASSWORD = "testkit".toCharArray();

    /// Makes one in a folder, with the JDK's own tool.
    public static TestCertificate in(Path folder) {
        try {
            Path store = folder.resolve("store.p12");
            keytool(store);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD);
            }
            Path cert = folder.resolve("cert.pem");
            Path key = folder.resolve("key.pem");
            Files.writeString(cert, pem("CERTIFICATE", keys.getCertificate("it").getEncoded()));
            Files.writeString(key, pem("PRIVATE KEY", keys.getKey("it", PASSWORD).getEncoded()));
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("it", keys.getCertificate("it"));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return new TestCertificate(cert, key, context);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }

    /// Makes one in a folder of its own that goes with this process.
    public static TestCertificate temporary() {
        try {
            Path folder = Files.createTempDirectory("margay-certificate");
            TestCertificate made = in(folder);
            for (String name : List.of("store.p12", "cert.pem", "key.pem")) {
                folder.toFile().deleteOnExit();
                folder.resolve(name).toFile().deleteOnExit();
            }
            return made;
        } catch (IOException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }

    private static void keytool(Path store) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "it",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-validity",
                                "30",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                new String(PASSWORD))
                        .redirectErrorStream(true)
                        .start();
        String output =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String pem(String type, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }
}
