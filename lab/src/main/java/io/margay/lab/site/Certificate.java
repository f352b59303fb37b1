package io.margay.lab.site;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/// The key and certificate of a run, made for it by the JDK's keytool: RSA with 2048 bits, as in
/// the published comparisons, or of the curve P-256. Immutable.
///
/// @param pem the certificate
/// @param key the private key, PKCS#8 in PEM
/// @param both certificate and key in one file
/// @param store both as PKCS#12
public record Certificate(Path pem, Path key, Path both, Path store) {
    /// Opens the store. It protects nothing: the key lives as long as the run.
    public static final String PASSWORD = "margay-lab";

    private static final String ALIAS = "lab";

    /// Makes one in that folder.
    ///
    /// @param ec whether its key is of the curve P-256
    public static Certificate in(Path folder, Path javaHome, boolean ec) throws IOException {
        Certificate made =
                new Certificate(
                        folder.resolve("lab.pem"),
                        folder.resolve("lab.key"),
                        folder.resolve("lab-both.pem"),
                        folder.resolve("lab.p12"));
        Files.deleteIfExists(made.store);
        List<String> command =
                List.of(
                        javaHome.resolve("bin").resolve("keytool").toString(),
                        "-genkeypair",
                        "-keystore",
                        made.store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        ec ? "EC" : "RSA",
                        ec ? "-groupname" : "-keysize",
                        ec ? "secp256r1" : "2048",
                        "-validity",
                        "30",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1");
        Tools.run(command, folder);
        try (InputStream in = Files.newInputStream(made.store)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            String pem = pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
            String key =
                    pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            Files.writeString(made.pem, pem);
            secret(made.key, key);
            secret(made.both, pem + key);
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate could be made: " + e.getMessage(), e);
        }
        return made;
    }

    private static void secret(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    private static String pem(String label, byte[] der) {
        String lines =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der);
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(label, lines, label);
    }
}
