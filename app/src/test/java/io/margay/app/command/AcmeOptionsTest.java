package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.server.acme.AcmeCertificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The options of `run` by which a server gets its certificate by itself.
final class AcmeOptionsTest {
    @TempDir Path folder = Path.of("");

    private MargayConfig config(String... words) throws UsageException {
        List<String> all = new ArrayList<>(List.of("--static", "/=" + folder));
        all.addAll(List.of(words));
        Arguments arguments = Arguments.parse(RunCommand.COMMAND, all);
        return new RunOptions(arguments, Map.of(), null).config(new ArrayList<>());
    }

    private static List<String> endpoints(MargayConfig config, boolean tls) {
        return config.listeners().stream()
                .filter(one -> (one.tls() != null) == tls)
                .map(one -> one.endpoint().toString())
                .toList();
    }

    @Test
    void name_isEnough() throws Exception {
        Path work = folder.resolve("work");
        MargayConfig config = config("--acme", "Shop.example", "--work", work.toString());
        assertEquals(List.of("*:80"), endpoints(config, false));
        assertEquals(List.of("*:443"), endpoints(config, true));
        AcmeCertificate wanted = config.acme().certificates().getFirst();
        assertEquals(List.of("shop.example"), wanted.domains());
        assertEquals(
                URI.create("https://acme-v02.api.letsencrypt.org/directory"),
                wanted.authority().directory());
        assertNull(wanted.authority().email());
        ListenerSettings secure = config.listeners().getLast();
        Path shown = Objects.requireNonNull(secure.tls()).certificates().getFirst().cert();
        assertEquals(work.resolve("acme/certificates/shop.example/certificate.pem"), shown);
    }

    @Test
    void severalNames_areOneCertificate_ofTheAuthorityAndAtThePortsThatAreSaid() throws Exception {
        MargayConfig config =
                config(
                        "--acme=shop.example",
                        "--acme=www.shop.example",
                        "--acme-email=admin@shop.example",
                        "--acme-ca=letsencrypt-staging",
                        "--http=8080",
                        "--https=127.0.0.1:8443");
        assertEquals(List.of("127.0.0.1:8080"), endpoints(config, false));
        assertEquals(List.of("127.0.0.1:8443"), endpoints(config, true));
        assertEquals(1, config.acme().certificates().size());
        AcmeCertificate wanted = config.acme().certificates().getFirst();
        assertEquals(List.of("shop.example", "www.shop.example"), wanted.domains());
        assertEquals("admin@shop.example", wanted.authority().email());
        assertTrue(wanted.authority().directory().toString().contains("staging"));
    }

    @Test
    void whatCannotBe_isRefused() {
        assertRefused("--acme-ca belongs to --acme NAME", "--acme-ca", "zerossl");
        assertRefused("--acme-email belongs to --acme NAME", "--acme-email", "a@b.example");
        assertRefused(
                "--cert and --key are not given with --acme", "--acme=a.example", "--cert=a.pem");
        assertRefused("a wildcard needs DNS records", "--acme", "*.shop.example");
        assertRefused("\"127.0.0.1\" is not a host name", "--acme", "127.0.0.1");
        assertRefused(
                "neither a known authority nor an https URL: http://ca.example/",
                "--acme=a.example",
                "--acme-ca=http://ca.example/");
    }

    private void assertRefused(String why, String... words) {
        UsageException e = assertThrows(UsageException.class, () -> config(words));
        assertTrue(String.valueOf(e.getMessage()).contains(why), e::getMessage);
    }

    @Test
    void examples_areForThisMachineAlone() throws Exception {
        Files.createDirectories(folder);
        Arguments arguments =
                Arguments.parse(RunCommand.COMMAND, List.of("--acme", "shop.example"));
        RunOptions options = new RunOptions(arguments, Map.of(), null);
        UsageException e =
                assertThrows(UsageException.class, () -> options.config(new ArrayList<>()));
        assertTrue(String.valueOf(e.getMessage()).contains("this machine only"), e::getMessage);
    }
}
