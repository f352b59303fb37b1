package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// mod_md's directives: which certificates are ordered, and where they are shown.
final class ManagedDomainsTest {
    private static final String HOSTS =
            """
            Listen 80
            Listen 443
            <VirtualHost *:80>
              ServerName shop.example
            </VirtualHost>
            <VirtualHost *:443>
              ServerName shop.example
              ServerAlias www.shop.example
              SSLEngine on
            </VirtualHost>
            """;

    @TempDir Path folder;

    private GatewayPlan plan(String... parts) throws IOException {
        Path file = folder.resolve("httpd.conf");
        Files.writeString(file, String.join("\n", parts));
        return GatewayFiles.read(List.of(file), Map.of());
    }

    private static TlsConfig tls(GatewayPlan plan) {
        return Objects.requireNonNull(
                plan.listeners().stream()
                        .filter(one -> one.port() == 443)
                        .findFirst()
                        .orElseThrow()
                        .tls());
    }

    private static List<String> failures(GatewayPlan plan) {
        return plan.failures().stream().map(AccountLine::toString).toList();
    }

    @Test
    void domain_isOrdered_andShownByTheHostThatHasItsName() throws Exception {
        GatewayPlan plan =
                plan(
                        "MDCertificateAgreement accepted",
                        "MDContactEmail admin@shop.example",
                        "MDomain shop.example",
                        HOSTS);
        assertEquals(List.of(), failures(plan));
        AcmeCertificate wanted = plan.acme().certificates().getFirst();
        // Its aliases, too, as MDMembers auto has it.
        assertEquals(List.of("shop.example", "www.shop.example"), wanted.domains());
        assertEquals(
                new AcmeAuthority(
                        AcmeAuthority.directory("letsencrypt"), null, "admin@shop.example", null),
                wanted.authority());
        assertEquals(
                List.of(AcmeChallengeKind.TLS_ALPN_01, AcmeChallengeKind.HTTP_01),
                wanted.challenges());
        assertEquals(KeyKind.RSA2048, wanted.key());
        Path file = wanted.file(plan.acme().storage());
        assertEquals(List.of(new Certificate(file, file)), tls(plan).certificates());
        assertEquals(TlsConfig.Stapling.Which.REQUIRED, tls(plan).stapling().which());
    }

    @Test
    void everySetting_isTaken() throws Exception {
        GatewayPlan plan =
                plan(
                        "MDCertificateAgreement accepted",
                        "MDCertificateAuthority letsencrypt-test",
                        "MDStoreDir store",
                        "MDMembers manual",
                        "<MDomainSet shop.example>",
                        "  MDMember *.shop.example",
                        "  MDCertificateAuthority https://ca.example/dir",
                        "  MDCACertificateFile ca.pem",
                        "  MDCertificateProtocol ACME",
                        "  MDCAChallenges dns-01",
                        "  MDChallengeDns01 /etc/dns.sh --zone example",
                        "  MDPrivateKeys secp384r1",
                        "  MDProfile shortlived",
                        "  MDRenewMode auto",
                        "  MDRequireHttps off",
                        "  MDMustStaple off",
                        "  MDStapling on",
                        "  MDExternalAccountBinding none",
                        "  MDPortMap http:8080 https:-",
                        "</MDomainSet>",
                        HOSTS);
        assertFalse(plan.isWrong(), failures(plan)::toString);
        AcmeCertificate wanted = plan.acme().certificates().getFirst();
        assertEquals(List.of("shop.example", "*.shop.example"), wanted.domains());
        assertEquals(URI.create("https://ca.example/dir"), wanted.authority().directory());
        assertEquals(folder.resolve("ca.pem"), wanted.authority().roots());
        assertEquals(List.of(AcmeChallengeKind.DNS_01), wanted.challenges());
        assertEquals(KeyKind.EC384, wanted.key());
        assertEquals("shortlived", wanted.profile());
        List<String> set = Objects.requireNonNull(wanted.dns()).set();
        assertEquals(List.of("/etc/dns.sh", "--zone", "example"), set.subList(3, 6));
        assertEquals(folder.resolve("store/margay"), plan.acme().storage());
        assertEquals(TlsConfig.Stapling.Which.ALL, tls(plan).stapling().which());
    }

    /// The program is called as mod_md calls it: with what is to be done, the name and the value.
    @Test
    void programForRecords_isCalledAsInHttpd() throws Exception {
        Path said = folder.resolve("said");
        Path program = folder.resolve("dns.sh");
        Files.writeString(program, "#!/bin/sh\necho \"$@\" > " + said + "\n");
        assertTrue(program.toFile().setExecutable(true));
        GatewayPlan plan =
                plan(
                        "MDCertificateAgreement accepted",
                        "MDChallengeDns01 " + program + " one",
                        "MDomain shop.example",
                        HOSTS);
        ProcessBuilder builder =
                new ProcessBuilder(
                        Objects.requireNonNull(plan.acme().certificates().getFirst().dns()).set());
        builder.environment().put("MARGAY_DOMAIN", "shop.example");
        builder.environment().put("MARGAY_VALUE", "a b");
        assertEquals(0, builder.start().waitFor());
        assertEquals("one setup shop.example a b\n", Files.readString(said));
    }

    @Test
    void certificatesThatAreThere_areShown_andNoneIsOrdered() throws Exception {
        GatewayPlan plan =
                plan(
                        "<MDomainSet shop.example>",
                        "  MDCertificateFile shop.pem",
                        "  MDCertificateKeyFile shop.key",
                        "</MDomainSet>",
                        HOSTS);
        assertEquals(List.of(), failures(plan));
        assertTrue(plan.acme().isEmpty());
        assertEquals(
                List.of(new Certificate(folder.resolve("shop.pem"), folder.resolve("shop.key"))),
                tls(plan).certificates());
    }

    @Test
    void domainOfNoHost_isNotOrdered_unlessAlways() throws Exception {
        String agreed = "MDCertificateAgreement accepted\n";
        assertTrue(plan(agreed, "MDomain other.example", "Listen 80").acme().isEmpty());
        assertEquals(
                1,
                plan(agreed, "MDRenewMode always", "MDomain other.example", "Listen 80")
                        .acme()
                        .certificates()
                        .size());
    }

    @Test
    void stapling_isOn_whereTheFileSaysSo() throws Exception {
        GatewayPlan plan =
                plan(
                        "SSLUseStapling on",
                        "MDCertificateAgreement accepted",
                        "MDomain shop.example",
                        HOSTS);
        assertEquals(TlsConfig.Stapling.Which.ALL, tls(plan).stapling().which());
    }

    @Test
    void whatIsNotFollowed_isRefusedWithARemedy() throws Exception {
        assertWrong("needs MDCertificateAgreement accepted", "MDomain shop.example");
        String agreed = "MDCertificateAgreement accepted\nMDomain shop.example";
        assertWrong("Redirect permanent / https://NAME/", agreed, "MDRequireHttps permanent");
        assertWrong("has no challenge", agreed, "MDPortMap http:- https:-");
        assertWrong(
                "has a wildcard, which needs MDChallengeDns01",
                "MDCertificateAgreement accepted",
                "MDomain shop.example *.shop.example");
        assertWrong("neither a known authority", agreed, "MDCertificateAuthority nobody");
        assertWrong("is not one of http-01", agreed, "MDCAChallenges tls-sni-01");
        assertWrong("is not a host name", "MDomain shop/example");
    }

    private void assertWrong(String why, String... lines) throws IOException {
        GatewayPlan plan = plan(String.join("\n", lines), HOSTS);
        assertTrue(plan.isWrong());
        String all = String.join("\n", failures(plan));
        assertTrue(all.contains(why), all);
        assertNotNull(plan.acme());
    }

    private AcmeAuthority.@Nullable Binding binding(String... lines) throws IOException {
        GatewayPlan plan =
                plan("MDCertificateAgreement accepted\n" + String.join("\n", lines), HOSTS);
        assertEquals(List.of(), failures(plan));
        assertFalse(plan.account().toString().contains("c2VjcmV0"));
        assertFalse(plan.acme().toString().contains("c2VjcmV0"));
        return plan.acme().certificates().getFirst().authority().binding();
    }

    @Test
    void accountElsewhere_isSaidByALineOrAFile() throws Exception {
        String domain = "MDomain shop.example";
        String inline = "MDExternalAccountBinding kid-1 c2VjcmV0";
        Path json = folder.resolve("eab.json");
        Files.writeString(json, "{\"kid\": \"kid-2\",\n \"hmac\": \"c2VjcmV0\"}\n");
        assertEquals(new AcmeAuthority.Binding("kid-1", "c2VjcmV0", null), binding(inline, domain));
        AcmeAuthority.Binding ofFile = binding("MDExternalAccountBinding eab.json", domain);
        assertEquals(new AcmeAuthority.Binding("kid-2", null, json), ofFile);
        assertEquals("c2VjcmV0", Objects.requireNonNull(ofFile).key());
        String section = "<MDomainSet shop.example>\nMDExternalAccountBinding %s\n</MDomainSet>";
        assertNull(binding(inline, section.formatted("None")));
        assertEquals(
                ofFile, binding("MDExternalAccountBinding none", section.formatted("eab.json")));
    }

    @Test
    void accountElsewhere_thatCannotBeRead_isWrong_andTheKeyIsNotShown() throws Exception {
        Files.writeString(folder.resolve("kid.json"), "{\"kid\": \"c2VjcmV0\"}");
        Files.writeString(folder.resolve("text"), "c2VjcmV0");
        for (String words :
                List.of(
                        "kid-1 c2VjcmV0!",
                        "\"kid-1 c2VjcmV0\"",
                        "kid-1 c2VjcmV0 more",
                        "kid.json",
                        "text",
                        "c2VjcmV0")) {
            GatewayPlan plan =
                    plan(
                            "MDCertificateAgreement accepted",
                            "MDomain shop.example",
                            "MDExternalAccountBinding " + words,
                            HOSTS);
            String all = failures(plan).toString();
            assertTrue(plan.isWrong(), words);
            assertTrue(all.contains("write KEY-ID and the key in Base64"), all);
            assertFalse(all.contains("c2VjcmV0"), all);
        }
    }

    /// What `strings` finds in mod_md of httpd 2.4.
    @Test
    void everyDirective_isKnown() throws Exception {
        String words =
                """
                MDActivationDelay MDBaseServer MDCACertificateFile MDCAChallenges
                MDCertificateAgreement MDCertificateAuthority MDCertificateCheck MDCertificateFile
                MDCertificateKeyFile MDCertificateProtocol MDCertificateStatus MDChallengeDns01
                MDChallengeDns01Version MDCheckInterval MDContactEmail MDDriveMode
                MDExternalAccountBinding MDHttpProxy MDHttpProxyCACertificateFile MDInitialDelay
                MDMatchNames MDMember MDMembers MDMessageCmd MDMustStaple MDNotifyCmd MDPortMap
                MDPrivateKeys MDProfile MDProfileMandatory MDRenewMode MDRenewViaARI MDRenewWindow
                MDRequireHttps MDRetryDelay MDRetryFailover MDServerStatus MDStapleOthers MDStapling
                MDStaplingKeepResponse MDStaplingRenewWindow MDStoreDir MDStoreLocks MDWarnWindow
                MDomain\
                """;
        String page =
                Files.readString(
                        Path.of(System.getProperty("margay.root", ".."))
                                .resolve("docs/reference/gateway-compat.md"));
        for (String word : words.split("\\s+")) {
            String said = plan(word + " x").account().toString();
            assertFalse(said.contains("is unknown"), said);
            assertTrue(page.contains("`" + word + "`"), word);
        }
    }
}
