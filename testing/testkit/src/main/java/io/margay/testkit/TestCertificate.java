package io.margay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;

/// A self-signed certificate for `localhost`, made anew, as PEM files, and a client that trusts it.
/// Immutable.
///
/// @param cert certificate, PEM
/// @param key private key, PEM (PKCS #8)
/// @param client trusts the certificate and nothing else
public record TestCertificate(Path cert, Path key, SSLContext client) {
    private static final char[] PASSWORD = "testkit".toCharArray();

    /// Makes one in a folder, and the key store `store.p12`.
    public static TestCertificate in(Path folder) {
        List<String> names = List.of("DNS:localhost", "IP:127.0.0.1");
        SelfSigned made = SelfSigned.make(folder, "localhost", "EC", names);
        try {
            made.store(folder.resolve("store.p12"), "it", PASSWORD);
            return new TestCertificate(made.cert(), made.key(), made.trusting());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }

    /// Makes one in a folder of its own that goes with this process.
    public static TestCertificate temporary() {
        try {
            Path folder = Files.createTempDirectory("margay-certificate");
            TestCertificate made = in(folder);
            for (String name : List.of("store.p12", "localhost.pem", "localhost.key")) {
                folder.toFile().deleteOnExit();
                folder.resolve(name).toFile().deleteOnExit();
            }
            return made;
        } catch (IOException e) {
            throw new IllegalStateException("no test certificate", e);
        }
    }
}
