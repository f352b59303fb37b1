package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.config.PeerConfig;
import io.margay.testkit.TestAuthority;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What virtual hosts of httpd's files ask of TLS.
final class HttpdTlsTest {
    private static final String PUBLIC =
            """
            Listen 443
            <VirtualHost *:443>
              ServerName public.example
              SSLEngine on
              SSLCertificateFile public.pem
              SSLCertificateKeyFile public.key
            </VirtualHost>
            """;

    @TempDir Path folder;

    private GatewayPlan read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("httpd.conf"), text);
        return GatewayFiles.read(List.of(file), Map.of());
    }

    private static TlsConfig tls(GatewayPlan plan) {
        assertEquals(List.of(), plan.failures());
        return Objects.requireNonNull(plan.listeners().getFirst().tls());
    }

    private static TlsConfig named(TlsConfig tls, String name) {
        return tls.named().stream()
                .filter(one -> one.names().contains(name))
                .findFirst()
                .orElseThrow()
                .tls();
    }

    private static String admin(String directives) {
        return PUBLIC
                + """
                <VirtualHost *:443>
                  ServerName admin.example
                  ServerAlias *.admin.example
                  SSLEngine on
                  SSLCertificateFile admin.pem
                  SSLCertificateKeyFile admin.key
                """
                + directives
                + "\n</VirtualHost>\n";
    }

    @Test
    void verifyClient_ofAFurtherHost_isThatHosts() throws IOException {
        TlsConfig tls =
                tls(
                        read(
                                admin(
                                        """
                                        SSLVerifyClient require
                                        SSLCACertificateFile staff.pem
                                        SSLCACertificatePath more
                                        SSLCADNRequestFile names.pem
                                        SSLCARevocationFile staff.crl
                                        SSLCARevocationCheck leaf
                                        SSLVerifyDepth 3
                                        SSLProtocol -all +TLSv1.3
                                        """)));
        assertEquals(ClientAuth.NONE, tls.clients().auth());
        TlsConfig admin = named(tls, "*.admin.example");
        assertEquals(
                new ClientCertificates(
                        ClientAuth.NEED,
                        List.of(folder.resolve("staff.pem"), folder.resolve("more")),
                        List.of(folder.resolve("names.pem")),
                        List.of(folder.resolve("staff.crl")),
                        CrlCheck.LEAF,
                        2),
                admin.clients());
        assertEquals(List.of("TLSv1.3"), admin.protocols());
        assertEquals(folder.resolve("admin.pem"), admin.certificates().getFirst().cert());
        assertEquals(tls.withNamed(List.of()), named(tls, "public.example"));
    }

    @ParameterizedTest
    @CsvSource({
        "on, '', ALL, CHAIN",
        "leaf, '', ALL, LEAF",
        "leaf, SSLCARevocationCheck leaf, ALL, LEAF",
        "leaf, SSLCARevocationCheck chain, ALL, CHAIN",
        "on, SSLCARevocationCheck leaf, ALL, CHAIN",
        "off, SSLCARevocationCheck leaf, NONE, LEAF"
    })
    void ocsp_asksOfTheCertificates_thatEitherCheckLooksAt(
            String enabled, String lists, OcspCheck asked, CrlCheck of) throws IOException {
        TlsConfig tls =
                tls(
                        read(
                                admin(
                                        "SSLVerifyClient require\nSSLCACertificateFile staff.pem\n"
                                                + "SSLCARevocationFile staff.crl\nSSLOCSPEnable "
                                                + enabled
                                                + "\n"
                                                + lists)));
        ClientCertificates clients = named(tls, "*.admin.example").clients();
        assertEquals(asked, clients.ocsp());
        assertEquals(of, clients.crlCheck());
        List<Path> crls = lists.isEmpty() ? List.of() : List.of(folder.resolve("staff.crl"));
        assertEquals(crls, clients.crls());
    }

    @Test
    void directives_ofTheMainServer_holdWhereAHostSaysNothing() throws IOException {
        TlsConfig tls =
                tls(
                        read(
                                """
                                SSLVerifyClient require
                                SSLCACertificateFile staff.pem
                                SSLProtocol -all +TLSv1.3
                                """
                                        + admin("SSLVerifyClient none")));
        assertEquals(ClientAuth.NEED, tls.clients().auth());
        assertEquals(0, tls.clients().depthMax(), "httpd's default");
        assertEquals(List.of(), tls.clients().crls());
        assertEquals(List.of("TLSv1.3"), tls.protocols());
        assertEquals(ClientAuth.NONE, named(tls, "admin.example").clients().auth());
    }

    @Test
    void hosts_thatAskTheSame_shareTheListenersSettings() throws IOException {
        TlsConfig tls =
                tls(read("SSLVerifyClient optional\nSSLCACertificateFile staff.pem\n" + admin("")));
        assertEquals(List.of(), tls.named());
        assertEquals(2, tls.certificates().size());
        assertEquals(ClientAuth.WANT, tls.clients().auth());
    }

    @Test
    void hosts_atAddressesWithListensOfTheirOwn_areThoseOfTheAddress() throws IOException {
        GatewayPlan plan =
                read(
                        admin("SSLVerifyClient require\nSSLCACertificateFile staff.pem")
                                .replaceFirst("\\*:443", "127.0.0.1:443")
                                .replaceFirst("\\*:443", "127.0.0.2:443")
                                .replace(
                                        "Listen 443",
                                        "Listen 127.0.0.1:443\nListen 127.0.0.2:443"));
        assertEquals(List.of(), plan.failures());
        assertEquals(
                List.of(ClientAuth.NONE, ClientAuth.NEED),
                plan.listeners().stream()
                        .map(one -> Objects.requireNonNull(one.tls()).clients().auth())
                        .toList());
    }

    /// A word without a sign stands for itself alone.
    @Test
    void protocol_withoutSign_overridesThoseBefore() throws IOException {
        assertEquals(
                List.of("TLSv1.3"),
                tls(read("SSLProtocol TLSv1.2 TLSv1.3\n" + PUBLIC)).protocols());
        assertEquals(
                List.of("TLSv1.3", "TLSv1.2"),
                tls(read("SSLProtocol all -SSLv3 -TLSv1\n" + PUBLIC)).protocols());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Location /secure>\nSSLVerifyClient require\n</Location>",
                "<Directory />\nSSLVerifyClient optional\n</Directory>",
                "<Location /a>\nSSLCACertificateFile a.pem\n</Location>",
                "SSLVerifyClient require",
                "SSLVerifyClient perhaps",
                "SSLVerifyClient require\nSSLCACertificateFile a.pem\nSSLVerifyDepth 0",
                "SSLVerifyClient require\nSSLCACertificateFile a.pem\nSSLCARevocationCheck chain",
                "SSLCARevocationCheck some",
                "SSLOCSPEnable some",
                "SSLOCSPEnable on no_ocsp_for_cert_ok",
                "SSLOCSPOverrideResponder on",
                "<Location /a>\nSSLOCSPEnable on\n</Location>",
                "SSLProtocol TLSv1.1",
                "SSLProtocol TLSv9",
                "SSLStrictSNIVHostCheck on",
            })
    void directive_thatCannotBeFollowed_isWrong(String directives) throws IOException {
        GatewayPlan plan = read(admin(directives));
        assertTrue(plan.isWrong(), () -> plan.account().toString());
    }

    @Test
    void hosts_atSeveralAddressesOfAPort_areWrongWhereTheyAskDifferently() throws IOException {
        String text = admin("SSLVerifyClient require\nSSLCACertificateFile staff.pem");
        GatewayPlan plan = read(text.replaceFirst("\\*:443", "127.0.0.1:443"));
        assertTrue(plan.isWrong(), () -> plan.account().toString());
    }

    /// A part of a configuration is served at a port without TLS.
    @Test
    void verifyClient_withoutListen_isWrong() throws IOException {
        String text = admin("SSLVerifyClient require\nSSLCACertificateFile staff.pem");
        assertTrue(read(text.replace("Listen 443\n", "")).isWrong());
    }

    @Test
    void directives_thatAskForNothing_areNoHindrance() throws IOException {
        GatewayPlan plan =
                read(
                        admin(
                                """
                                SSLOCSPEnable off
                                SSLOCSPOverrideResponder off
                                SSLStrictSNIVHostCheck off
                                SSLCARevocationFile staff.crl
                                <Location /public>
                                  SSLVerifyClient none
                                </Location>
                                """));
        assertEquals(List.of(), plan.failures());
        assertTrue(
                plan.account().stream().noneMatch(line -> line.verdict() == Verdict.WRONG),
                () -> plan.account().toString());
    }

    // Certificates for peers

    private static final String PEER = "ProxyPass /a https://inner.example\n";

    private static List<TlsConfig.Certificate> shown(GatewayPlan plan) {
        assertEquals(List.of(), plan.failures());
        return plan.upstreams().getFirst().peers().getFirst().tls().certificates();
    }

    private Path both(TestAuthority.Issued issued) throws IOException {
        Path folder = Files.createDirectories(this.folder.resolve("machine"));
        return Files.writeString(
                folder.resolve(issued.name() + ".pem"),
                Files.readString(issued.cert()) + Files.readString(issued.key()));
    }

    private static final String TWO =
            """
            SSLProxyEngine On
            <VirtualHost *:80>
              ServerName a.example
              SSLProxyVerify %s
              ProxyPass / https://one.example/
            </VirtualHost>
            <VirtualHost *:80>
              ServerName b.example
              SSLProxyVerify %s
              ProxyPass / https://two.example/
              ProxyPass /shared https://one.example/
            </VirtualHost>
            """;

    private List<Boolean> verified(String first, String second) throws IOException {
        GatewayPlan plan = read("Listen 80\n" + TWO.formatted(first, second));
        assertEquals(List.of(), plan.failures());
        return plan.upstreams().stream()
                .sorted(Comparator.comparing(one -> one.name()))
                .map(one -> one.peers().getFirst().tls().verify())
                .toList();
    }

    /// What one host says does not take from another what that asks for.
    @Test
    void verificationOfPeers_isThatOfTheHostsThatAskThem() throws IOException {
        assertEquals(List.of(true, false), verified("require", "none"));
        assertEquals(List.of(true, true), verified("none", "require"));
        assertEquals(List.of(false, false), verified("none", "none"));
    }

    /// As mod_ssl has it: names and dates are looked at unless that is switched off.
    @ParameterizedTest
    @CsvSource({
        "'', NAMED, ''",
        "SSLProxyVerify none, NAMED, ''",
        "SSLProxyCheckPeerName off, DATED, ''",
        "SSLProxyCheckPeerCN off, DATED, ''",
        "SSLProxyCheckPeerCN off;SSLProxyCheckPeerName on, NAMED, ''",
        "SSLProxyCheckPeerName off;SSLProxyCheckPeerExpire off, ANY, ''",
        "SSLProxyCheckPeerExpire off, NAMED, dates are",
        "SSLProxyVerify require;SSLProxyCheckPeerName off, DATED, all the same",
        "SSLProxyVerify optional, NAMED, ''"
    })
    void certificateOfAPeer_thatIsNotVerified_isLookedAtAsByHttpd(
            String lines, Unverified least, String named) throws IOException {
        GatewayPlan plan = read("Listen 80\n" + lines.replace(';', '\n') + "\n" + PEER);
        PeerConfig.Tls tls = plan.upstreams().getFirst().peers().getFirst().tls();
        assertEquals(least, tls.unverified());
        assertEquals(lines.matches(".*(require|optional).*"), tls.verify());
        String said = plan.account().toString();
        assertTrue(named.isEmpty() ? !said.contains("checked all") : said.contains(named), said);
    }

    @Test
    void hostThatPeersGet_isNamedWhereTheirCertificateIsForAnother() throws IOException {
        GatewayPlan kept = read("Listen 80\nProxyPreserveHost On\n" + PEER);
        assertEquals("ProxyPreserveHost", kept.failures().getFirst().directive());
        assertEquals(List.of(), read("Listen 80\nProxyPreserveHost Off\n" + PEER).failures());
    }

    @Test
    void machineCertificates_areShownToPeers() throws IOException {
        TestAuthority inner = TestAuthority.in(folder, "inner");
        Path one = both(inner.issue("one"));
        TlsConfig.Certificate first = new TlsConfig.Certificate(one, one);
        assertEquals(
                List.of(first),
                shown(read("Listen 80\nSSLProxyMachineCertificateFile machine/one.pem\n" + PEER)));
        Path two = both(inner.issue("two"));
        TlsConfig.Certificate second = new TlsConfig.Certificate(two, two);
        assertEquals(
                List.of(first.withChain(inner.cert()), second.withChain(inner.cert())),
                shown(
                        read(
                                PEER
                                        + "Listen 80\nSSLProxyMachineCertificatePath machine\n"
                                        + "SSLProxyMachineCertificateChainFile "
                                        + inner.cert())));
    }

    @Test
    void machineCertificates_thatCannotBeUsed_stopTheStart() throws IOException {
        TestAuthority.Issued one = TestAuthority.in(folder, "inner").issue("one");
        String both = Files.readString(both(one));
        Files.writeString(folder.resolve("twice.pem"), both + both);
        Files.copy(one.cert(), folder.resolve("keyless.pem"));
        for (String name : List.of("twice.pem", "keyless.pem", "none.pem")) {
            GatewayPlan plan =
                    read("Listen 80\nSSLProxyMachineCertificateFile " + name + "\n" + PEER);
            assertEquals(Verdict.WRONG, plan.failures().getFirst().verdict());
            assertTrue(plan.failures().toString().contains(name), plan.failures()::toString);
        }
    }

    @Test
    void listener_ofAnIpv6Address_speaksTlsByTheHostThere() throws IOException {
        GatewayPlan plan =
                read(
                        """
                        Listen [0:0:0:0:0:0:0:1]:443
                        Listen [::2]:443
                        <VirtualHost [::1]:443>
                          ServerName six.example
                          SSLEngine on
                          SSLCertificateFile six.pem
                          SSLCertificateKeyFile six.key
                        </VirtualHost>
                        """);
        assertNotNull(plan.listeners().getFirst().tls());
        assertNull(plan.listeners().getLast().tls());
    }
}
