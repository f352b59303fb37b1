package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import io.margay.server.directory.DirectoryAccess;
import io.margay.server.directory.DirectoryAccess.Own;
import io.margay.server.directory.DirectoryAccess.Tls;
import io.margay.servlet.realm.DirectorySettings.Roles;
import io.margay.servlet.realm.DirectorySettings.Users;
import io.margay.servlet.security.RealmAwayException;
import io.margay.testkit.Folders;
import io.margay.testkit.TestAuthority;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whose certificate is believed, against UnboundID's directory server, which speaks TLS.
final class DirectoryTlsTest {
    private Path folder = Path.of("");
    private TestAuthority authority;
    private TestAuthority foreign;
    private InMemoryDirectoryServer server;

    @BeforeEach
    void start() throws Exception {
        folder = Files.createTempDirectory("margay-realm-tls");
        authority = TestAuthority.in(folder, "inner");
        foreign = TestAuthority.in(folder, "foreign");
        start("localhost", false);
    }

    private void start(String certified, boolean asksForCertificates) throws Exception {
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        try (InputStream in = Files.newInputStream(authority.cert())) {
            known.setCertificateEntry(
                    "inner", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                new KeyManager[] {authority.issue(certified, certified).always()},
                trust.getTrustManagers(),
                null);
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=test");
        config.setSchema(null);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "plain", loopback, 0, tls.getSocketFactory()),
                InMemoryListenerConfig.createLDAPSConfig(
                        "tls",
                        loopback,
                        0,
                        tls.getServerSocketFactory(),
                        tls.getSocketFactory(),
                        asksForCertificates,
                        asksForCertificates));
        server = new InMemoryDirectoryServer(config);
        server.add("dn: dc=test", "objectClass: domain", "dc: test");
        server.add(
                "dn: uid=ada,dc=test", "objectClass: person", "uid: ada", "userPassword: secret");
        server.startListening();
    }

    @AfterEach
    void stop() {
        server.shutDown(true);
        Folders.delete(folder);
    }

    private String url(boolean start) {
        return start
                ? "ldap://localhost:" + server.getListenPort("plain")
                : "ldaps://localhost:" + server.getListenPort("tls");
    }

    private static Tls tls(boolean start, @Nullable Path trust, boolean verify) {
        return new Tls(start, trust, verify, null);
    }

    private DirectoryRealm realm(Tls tls) {
        return new DirectoryRealm(
                "test",
                new DirectorySettings(
                        new DirectoryAccess(
                                List.of(url(tls.start())),
                                tls,
                                DirectoryAccess.Bind.ANONYMOUS,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5)),
                        new Users(List.of("uid={0},dc=test"), "", null, false),
                        null,
                        new CredentialHandler.AsInFile(),
                        new Roles(null, "", null, null, false, false, null)));
    }

    private void letsIn(Tls tls) {
        try (DirectoryRealm realm = realm(tls)) {
            assertEquals("ada", realm.authenticate("ada", "secret").name(), tls.toString());
            assertNull(realm.authenticate("ada", "wrong"), tls.toString());
        }
    }

    /// Nobody is told to have given a wrong password, which would count.
    private void isAway(Tls tls) {
        try (DirectoryRealm realm = realm(tls)) {
            assertThrows(
                    RealmAwayException.class,
                    () -> realm.authenticate("ada", "secret"),
                    tls.toString());
        }
    }

    @Test
    void certificate_ofAnAuthorityThatIsNotTrusted_isRefused() {
        for (boolean start : List.of(false, true)) {
            isAway(tls(start, null, true));
            isAway(tls(start, foreign.cert(), true));
            letsIn(tls(start, authority.cert(), true));
            letsIn(tls(start, null, false));
        }
    }

    @Test
    void certificate_forAnotherName_isRefused() throws Exception {
        server.shutDown(true);
        start("elsewhere", false);
        for (boolean start : List.of(false, true)) {
            isAway(tls(start, authority.cert(), true));
            letsIn(tls(start, null, false));
        }
    }

    @Test
    void directory_thatAsksForACertificate_getsOne() throws Exception {
        server.shutDown(true);
        start("localhost", true);
        isAway(tls(false, authority.cert(), true));
        TestAuthority.Issued own = authority.issue("margay");
        letsIn(new Tls(false, authority.cert(), true, new Own(own.cert(), own.key())));
        TestAuthority.Issued other = foreign.issue("margay");
        isAway(new Tls(false, authority.cert(), true, new Own(other.cert(), other.key())));
    }

    /// The file is read again when it has changed, by the same realm.
    @Test
    void trust_thatHasChanged_isBelieved() throws Exception {
        Path trust = Files.copy(foreign.cert(), folder.resolve("trust.pem"));
        try (DirectoryRealm realm = realm(tls(false, trust, true))) {
            assertThrows(RealmAwayException.class, () -> realm.authenticate("ada", "secret"));
            Files.writeString(trust, Files.readString(trust) + Files.readString(authority.cert()));
            assertEquals("ada", realm.authenticate("ada", "secret").name());
        }
    }
}
