package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.testkit.program.Program;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsConfig.KeyAccess;
import io.margay.transport.factory.TlsFiles;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys and authorities in keystores, and keys with a password.
final class KeyStoresTest {
    private static final String PASSWORD = "correct";

    @TempDir static Path folder;
    private static SelfSigned one;
    private static SelfSigned two;

    @BeforeAll
    static void certificates() throws Exception {
        one = SelfSigned.make(folder, "one", "EC", List.of("DNS:one.example"));
        two = SelfSigned.make(folder, "two", "RSA", List.of("DNS:two.example"));
    }

    /// A keystore with both keys.
    private static Path store(String type, String keyPassword) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        for (SelfSigned made : List.of(one, two)) {
            store.setKeyEntry(
                    made.equals(one) ? "one" : "two",
                    made.privateKey(),
                    keyPassword.toCharArray(),
                    new java.security.cert.Certificate[] {made.certificate()});
        }
        Path file = folder.resolve("keys." + type.toLowerCase(java.util.Locale.ROOT));
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private static Certificate in(
            Path file, @Nullable String password, @Nullable String key, @Nullable String alias) {
        return new Certificate(file, file).with(new KeyAccess(password, key, alias));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS", "JCEKS"})
    void key_ofAnAlias_isRead(String type) throws Exception {
        Path file = store(type, PASSWORD);
        CertifiedKey read = CertifiedKey.read(in(file, PASSWORD, null, "two"));
        assertEquals(two.privateKey(), read.key());
        assertEquals(List.of(two.certificate()), read.chain());
    }

    @Test
    void key_withAPasswordOfItsOwn_isRead() throws Exception {
        Path file = store("JKS", "other");
        assertEquals(one.privateKey(), CertifiedKey.read(in(file, PASSWORD, "other", "one")).key());
        assertTrue(problem(in(file, PASSWORD, null, "one")).contains("password of the key"));
    }

    @ParameterizedTest
    @CsvSource({
        "wrong, one, password is wrong",
        "correct, three, no key has the alias",
        "correct, , several keys",
    })
    void store_thatCannotBeUsed_isNamed(String password, @Nullable String alias, String what)
            throws Exception {
        Path file = store("PKCS12", PASSWORD);
        String problem = problem(in(file, password, null, alias));
        assertTrue(problem.startsWith(file.toString()) && problem.contains(what), problem);
    }

    private static String problem(Certificate certificate) {
        List<String> problems = TlsFiles.problems(TlsConfig.of(List.of(certificate)));
        assertEquals(1, problems.size(), problems.toString());
        return problems.getFirst();
    }

    @Test
    void key_thatIsEncrypted_isReadWithItsPassword() throws Exception {
        Path file = folder.resolve("encrypted.key");
        Process openssl =
                new ProcessBuilder(
                                Program.of("openssl"),
                                "pkcs8",
                                "-topk8",
                                "-in",
                                one.key().toString(),
                                "-out",
                                file.toString(),
                                "-passout",
                                "pass:" + PASSWORD)
                        .inheritIO()
                        .start();
        assertTrue(openssl.waitFor(60, TimeUnit.SECONDS) && openssl.exitValue() == 0);
        Certificate locked = new Certificate(one.cert(), file);
        assertEquals(
                one.privateKey(),
                CertifiedKey.read(locked.with(new KeyAccess(PASSWORD, null, null))).key());
        assertTrue(problem(locked).contains("encrypted"));
        assertTrue(
                problem(locked.with(new KeyAccess("wrong", null, null))).contains("password is"));
    }

    @Test
    void authorities_inAFileOfTheirOwn_followTheCertificate() {
        Certificate certificate = new Certificate(one.cert(), one.key()).withChain(two.cert());
        assertEquals(
                List.of(one.certificate(), two.certificate()),
                CertifiedKey.read(certificate).chain());
    }

    @Test
    void truststore_ofClients_isRead() throws Exception {
        ClientCertificates clients =
                ClientCertificates.of(ClientAuth.NEED, store("PKCS12", PASSWORD))
                        .withTrustPassword(PASSWORD);
        assertEquals(2, ClientAuthorities.read(clients).trusted().size());
        assertFalse(clients.toString().contains(PASSWORD));
    }

    @Test
    void problems_nameTheWrongKeyAndUnknownCiphers() {
        TlsConfig config =
                TlsConfig.of(one.cert(), two.key()).withCipherSuites(List.of("TLS_NO_SUCH"));
        List<String> problems = TlsFiles.problems(config);
        assertEquals(2, problems.size(), problems.toString());
        assertTrue(problems.getFirst().contains("does not belong"), problems.toString());
        assertTrue(problems.getLast().contains("TLS_NO_SUCH"), problems.toString());
        assertEquals(List.of(), TlsFiles.problems(TlsConfig.of(one.cert(), one.key())));
    }
}
