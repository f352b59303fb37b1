package io.margay.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of certificates that members are shown.
final class PeerCertificateCheckTest {
    @TempDir static Path folder;
    private static Issued good;
    private static Issued other;
    private static Issued expired;

    @BeforeAll
    static void makeFiles() throws Exception {
        TestAuthority inner = TestAuthority.in(folder, "inner");
        good = inner.issue("good");
        other = inner.issue("other");
        expired = inner.expired("expired");
        Files.writeString(folder.resolve("rubbish.key"), "rubbish");
    }

    /// What is said of a certificate; empty = nothing.
    private static String check(Path cert, Path key) throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 8080}]
                        hosts: [{routes: {/*: {gateway: shop}}}]
                        upstreams:
                          shop:
                            certificates: [{cert: %s, key: %s}]
                            members: [{url: "https://a"}, {url: "https://b"}]
                        """
                                .formatted(cert, key));
        Arguments arguments = Arguments.parse(CheckCommand.COMMAND, List.of(file.toString()));
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream toOut = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
                PrintStream toErr = new PrintStream(err, true, UTF_8)) {
            Object _ = new CheckCommand(arguments, Map.of(), toOut, toErr).run();
        }
        return err.toString(UTF_8);
    }

    private static void assertOneError(String part, String said) {
        assertTrue(said.contains(part) && said.endsWith("margay: 1 error\n"), said);
    }

    @Test
    void certificate_isGood() throws Exception {
        assertEquals("", check(good.cert(), good.key()));
    }

    @Test
    void files_thatCannotBeUsed_areNamedOnce() throws Exception {
        Path rubbish = folder.resolve("rubbish.key");
        assertOneError(rubbish + ": no private key in it", check(good.cert(), rubbish));
        assertOneError(
                other.key() + ": this key does not belong to the certificate in " + good.cert(),
                check(good.cert(), other.key()));
        assertOneError("none.key does not exist", check(good.cert(), folder.resolve("none.key")));
        assertOneError(
                expired.cert() + ": the certificate for members expired at ",
                check(expired.cert(), expired.key()));
    }
}
