package io.margay.app.agreement;

import io.margay.app.agreement.AccessProbe.Tls;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Two authorities, `first` and `second`, with a client's certificate of each, and a server's own,
/// made by openssl as PEM files of a folder. Stateless.
public final class Authorities {
    private static final String PASSWORD = "changeit";

    private Authorities() {}

    /// Makes the files, and what clients use.
    public static Map<Tls, SSLContext> make(Path folder)
            throws IOException, GeneralSecurityException {
        certificate(folder, "server", "/CN=a.example");
        for (String name : new String[] {"first", "second"}) {
            certificate(folder, name + "-ca", "/CN=" + name + " authority");
            run(
                    folder,
                    "req",
                    "-new",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:P-256",
                    "-nodes",
                    "-subj",
                    "/CN=" + name,
                    "-keyout",
                    name + ".key",
                    "-out",
                    name + ".csr");
            run(
                    folder,
                    "x509",
                    "-req",
                    "-in",
                    name + ".csr",
                    "-CA",
                    name + "-ca.pem",
                    "-CAkey",
                    name + "-ca.key",
                    "-CAcreateserial",
                    "-days",
                    "2",
                    "-out",
                    name + ".pem");
            run(
                    folder,
                    "pkcs12",
                    "-export",
                    "-in",
                    name + ".pem",
                    "-inkey",
                    name + ".key",
                    "-out",
                    name + ".p12",
                    "-passout",
                    "pass:" + PASSWORD);
        }
        return Map.of(
                Tls.NO_CERTIFICATE, context(folder, null),
                Tls.FIRST_AUTHORITY, context(folder, "first"),
                Tls.SECOND_AUTHORITY, context(folder, "second"));
    }

    private static void certificate(Path folder, String name, String subject) throws IOException {
        run(
                folder,
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                subject,
                "-keyout",
                name + ".key",
                "-out",
                name + ".pem");
    }

    private static void run(Path folder, String... words) throws IOException {
        String[] command = new String[words.length + 1];
        command[0] = Program.of("openssl");
        System.arraycopy(words, 0, command, 1, words.length);
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(Arrays.toString(command) + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static SSLContext context(Path folder, @Nullable String client)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(folder.resolve("server.pem"))) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManager[] keys = new KeyManager[0];
        if (client != null) {
            KeyStore own = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(folder.resolve(client + ".p12"))) {
                own.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
            factory.init(own, PASSWORD.toCharArray());
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }
}
