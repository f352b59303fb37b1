package io.margay.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Certificates and keys made by the JDK's keytool, as PEM files.
final class TestCertificates {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /// A self-signed certificate with its key.
    record Made(Path cert, Path key, X509Certificate certificate, PrivateKey privateKey) {}

    private TestCertificates() {}

    static Made make(Path directory, String name, String algorithm, String... dnsNames)
            throws Exception {
        Path store = directory.resolve(name + ".p12");
        Files.deleteIfExists(store);
        String names = "san=dns:" + String.join(",dns:", dnsNames);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-keystore", store.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
        command.addAll(List.of("-alias", "k", "-keyalg", algorithm, "-dname", "CN=" + name));
        command.addAll(List.of("-validity", "3650", "-ext", names));
        if (algorithm.equals("EC")) {
            command.addAll(List.of("-groupname", "secp256r1"));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        X509Certificate certificate = (X509Certificate) keys.getCertificate("k");
        PrivateKey key = (PrivateKey) keys.getKey("k", PASSWORD);
        Path certFile = directory.resolve(name + ".pem");
        Path keyFile = directory.resolve(name + ".key");
        Files.writeString(certFile, pem("CERTIFICATE", certificate.getEncoded()));
        Files.writeString(keyFile, pem("PRIVATE KEY", key.getEncoded()));
        return new Made(certFile, keyFile, certificate, key);
    }

    static String pem(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }
}
