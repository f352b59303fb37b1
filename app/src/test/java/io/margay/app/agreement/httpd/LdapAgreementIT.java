package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldif.LDIFReader;
import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryLimits;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.directory.DirectoryUsers;
import io.margay.server.directory.DirectoryAccess;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Users of a directory in httpd's files (mod_authnz_ldap), beside a real httpd that asks the same
/// directory. httpd keeps for each URL which groups are in which, so that places that differ in
/// that have URLs of their own.
final class LdapAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_user",
                    "auth_basic",
                    "ldap",
                    "authnz_ldap",
                    "dir",
                    "mime");

    private static final String ENTRIES =
            """
            dn: dc=example
            objectClass: domain
            dc: example

            dn: cn=reader,dc=example
            objectClass: person
            cn: reader
            userPassword: reading

            dn: ou=people,dc=example
            objectClass: organizationalUnit
            ou: people

            dn: ou=deep,ou=people,dc=example
            objectClass: organizationalUnit
            ou: deep

            dn: uid=ada,ou=people,dc=example
            objectClass: person
            uid: ada
            mail: ada@example.org
            employeeType: active
            departmentNumber: 7
            userPassword: secret

            dn: uid=Bob Hall,ou=people,dc=example
            objectClass: person
            uid: Bob Hall
            employeeType: retired
            departmentNumber: 7
            userPassword: secret

            dn: uid=a*(b)\\\\,ou=people,dc=example
            objectClass: person
            uid: a*(b)\\
            userPassword: secret

            dn: uid=nested,ou=deep,ou=people,dc=example
            objectClass: person
            uid: nested
            userPassword: secret

            dn: uid=robot,ou=people,dc=example
            objectClass: device
            uid: robot
            userPassword: secret

            dn: cn=one,ou=people,dc=example
            objectClass: person
            cn: one
            uid: twice
            userPassword: secret

            dn: cn=two,ou=people,dc=example
            objectClass: person
            cn: two
            uid: twice
            userPassword: secret

            dn: cn=admins,dc=example
            objectClass: groupOfNames
            cn: admins
            member: uid=ada,ou=people,dc=example

            dn: cn=unique,dc=example
            objectClass: groupOfUniqueNames
            cn: unique
            uniqueMember: uid=Bob Hall,ou=people,dc=example

            dn: cn=inner,dc=example
            objectClass: groupOfNames
            cn: inner
            member: uid=nested,ou=deep,ou=people,dc=example
            member: cn=admins,dc=example
            member: cn=outer,dc=example
            member: cn=gone,dc=example
            member: none

            dn: cn=outer,dc=example
            objectClass: groupOfUniqueNames
            cn: outer
            uniqueMember: cn=inner,dc=example
            uniqueMember: cn=sort,dc=example

            dn: cn=sort,dc=example
            objectClass: organizationalRole
            cn: sort
            member: uid=Bob Hall,ou=people,dc=example

            dn: cn=posix,dc=example
            objectClass: posixGroup
            cn: posix
            memberUid: ada
            """;

    private static final String CONFIGURATION =
            """
            Listen 127.0.0.1:@PORT@
            DocumentRoot "@DIR@/www"
            <Directory "@DIR@/www">
              AuthType Basic
              AuthName "Staff"
              AuthBasicProvider ldap
              AuthLDAPURL "ldap://@LDAP@/ou=people,dc=example?uid?sub?(objectClass=person)"
              AuthLDAPBindDN cn=reader,dc=example
              AuthLDAPBindPassword reading
              Require valid-user
            </Directory>
            <Location /user>
              Require ldap-user ada
            </Location>
            <Location /users>
              Require ldap-user Bob Hall
            </Location>
            <Location /plain>
              Require user ada
            </Location>
            <Location /group>
              Require ldap-group cn=admins,dc=example
            </Location>
            <Location /unique>
              Require ldap-group cn=unique, dc=example
            </Location>
            <Location /nogroup>
              Require ldap-group cn=nobody,dc=example
            </Location>
            <Location /dn>
              Require ldap-dn uid=ada,ou=people,dc=example
            </Location>
            <Location /attribute>
              Require ldap-attribute employeeType=active
            </Location>
            <Location /attributes>
              Require ldap-attribute employeeType=gone departmentNumber=7
            </Location>
            <Location /filter>
              Require ldap-filter &(departmentNumber=7)(employeeType=active)
            </Location>
            <Location /both>
              <RequireAll>
                Require ldap-attribute departmentNumber=7
                Require not ldap-group cn=admins,dc=example
              </RequireAll>
            </Location>
            <Location /mail>
              AuthBasicProvider ldap
              AuthLDAPURL "ldap://@LDAP@/ou=people,dc=example?uid,mail"
              AuthLDAPRemoteUserAttribute mail
              Require user ada@example.org
            </Location>
            <Location /posix>
              AuthBasicProvider ldap
              AuthLDAPURL "ldap://@LDAP@/ou=people,dc=example??sub"
              AuthLDAPGroupAttribute memberUid
              AuthLDAPGroupAttributeIsDN off
              Require ldap-group cn=posix,dc=example
            </Location>
            <Location /flat>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,flat?sub
              AuthLDAPMaxSubGroupDepth 0
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /inner>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,inner?sub
              AuthLDAPMaxSubGroupDepth 1
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /deeper>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,deeper?sub
              AuthLDAPMaxSubGroupDepth 2
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /nine>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,nine?sub
              Require ldap-group cn=chain2,dc=example
            </Location>
            <Location /ten>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,ten?sub
              Require ldap-group cn=chain1,dc=example
            </Location>
            <Location /eleven>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,eleven?sub
              Require ldap-group cn=chain0,dc=example
            </Location>
            <Location /notten>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,notten?sub
              <RequireAll>
                Require valid-user
                Require not ldap-group cn=chain1,dc=example
              </RequireAll>
            </Location>
            <Location /noteleven>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,noteleven?sub
              <RequireAll>
                Require valid-user
                Require not ldap-group cn=chain0,dc=example
              </RequireAll>
            </Location>
            <Location /twelve>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,twelve?sub
              AuthLDAPMaxSubGroupDepth 12
              Require ldap-group cn=chain0,dc=example
            </Location>
            <Location /noclass>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,noclass?sub
              AuthLDAPSubGroupClass groupOfNames
              AuthLDAPSubGroupClass organizationalRole
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /class>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,class?sub
              AuthLDAPSubGroupClass groupOfUniqueNames
              AuthLDAPSubGroupClass organizationalRole
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /by>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid,by?sub
              AuthLDAPSubGroupAttribute uniqueMember
              Require ldap-group cn=outer,dc=example
            </Location>
            <Location /level>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://@LDAP@/ou=people,dc=example?uid?one
              Require valid-user
            </Location>
            <Location /dead>
              AuthBasicProvider ldap
              AuthLDAPURL ldap://127.0.0.1:1/dc=example
              Require valid-user
            </Location>
            """;

    private static final List<String> PATHS =
            List.of(
                    "/",
                    "/user/",
                    "/users/",
                    "/plain/",
                    "/group/",
                    "/unique/",
                    "/nogroup/",
                    "/dn/",
                    "/attribute/",
                    "/attributes/",
                    "/filter/",
                    "/both/",
                    "/mail/",
                    "/posix/",
                    "/flat/",
                    "/inner/",
                    "/deeper/",
                    "/nine/",
                    "/ten/",
                    "/eleven/",
                    "/notten/",
                    "/noteleven/",
                    "/twelve/",
                    "/noclass/",
                    "/class/",
                    "/by/",
                    "/level/",
                    "/dead/");

    /// Names and passwords.
    private static final List<String> CREDENTIALS =
            List.of(
                    "ada:secret",
                    "ada:wrong",
                    "ada:",
                    "ADA:secret",
                    "Bob Hall:secret",
                    "a*(b)\\:secret",
                    "nested:secret",
                    "robot:secret",
                    "twice:secret",
                    "nobody:secret",
                    "*:secret",
                    "a*:secret",
                    "ada)(uid=*:secret",
                    "ada\\2a:secret",
                    "\u00e4da:secret");

    private Path folder;
    private InMemoryDirectoryServer directory;

    @BeforeEach
    void start() throws Exception {
        folder = Files.createTempDirectory("margay-ldap");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String path : PATHS) {
            Path www = Files.createDirectories(folder.resolve("www" + path));
            Files.writeString(www.resolve("index.html"), "page");
        }
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example");
        config.setSchema(null);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "main", InetAddress.getLoopbackAddress(), 0, null));
        directory = new InMemoryDirectoryServer(config);
        String all = ENTRIES + chain();
        LDIFReader entries = new LDIFReader(new BufferedReader(new StringReader(all)));
        directory.importFromLDIF(true, entries);
        directory.startListening();
    }

    @AfterEach
    void stop() {
        directory.shutDown(true);
        Folders.delete(folder);
    }

    /// Twelve groups, each in the one before it; a user is in the last.
    private static String chain() {
        StringBuilder groups = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            String member = i < 11 ? "cn=chain" + (i + 1) : "uid=nested,ou=deep,ou=people";
            groups.append("\ndn: cn=chain" + i + ",dc=example\n")
                    .append("objectClass: groupOfNames\ncn: chain" + i + "\n")
                    .append("member: " + member + ",dc=example\n");
        }
        return groups.toString();
    }

    private String configuration(int port) {
        return CONFIGURATION
                .replace("@DIR@", folder.toString())
                .replace("@PORT@", String.valueOf(port))
                .replace("@LDAP@", "127.0.0.1:" + directory.getListenPort());
    }

    private MargayServer margay() throws IOException {
        Path own = Files.createDirectories(folder.resolve("margay"));
        Path conf = Files.writeString(own.resolve("httpd.conf"), configuration(FreePort.next()));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        return MargayServer.start(
                config.withWork(own.resolve("work")).withDrain(Duration.ZERO), DeployProgress.NONE);
    }

    private static int status(int port, String path, String credentials) throws IOException {
        byte[] octets = credentials.getBytes(StandardCharsets.UTF_8);
        String field = "Authorization: Basic " + Base64.getEncoder().encodeToString(octets);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + (credentials.isEmpty() ? "" : field + "\r\n")
                            + "\r\n");
            return client.response().status();
        }
    }

    @Test
    void users_ofADirectory_areLetInAsByHttpd() throws Exception {
        int port = FreePort.next();
        List<String> differences = new ArrayList<>();
        Set<String> admitted = new HashSet<>();
        try (HttpdProcess _ =
                        HttpdProcess.startSingle(
                                folder.resolve("httpd"), MODULES, configuration(port), port);
                MargayServer margay = margay()) {
            int own = margay.ports().getFirst();
            for (String path : PATHS) {
                assertEquals(status(port, path, ""), status(own, path, ""), path);
                for (String credentials : CREDENTIALS) {
                    int theirs = status(port, path, credentials);
                    int ours = status(own, path, credentials);
                    if (theirs == 200) {
                        admitted.add(path + " " + credentials);
                    }
                    if (theirs != ours) {
                        differences.add(path + " " + credentials + " " + theirs + " " + ours);
                    }
                }
            }
        }
        assertEquals(List.of(), differences);
        assertTrue(admitted.size() > 20, "httpd has let in " + admitted);
        for (String path : List.of("/inner/", "/nine/", "/ten/", "/noteleven/", "/twelve/")) {
            assertTrue(admitted.contains(path + " nested:secret"), path);
        }
        for (String path : List.of("/flat/", "/eleven/", "/notten/", "/noclass/")) {
            assertFalse(admitted.contains(path + " nested:secret"), path);
        }
    }

    @Test
    void password_thatIsRemembered_needsNoDirectory() throws Exception {
        try (MargayServer margay = margay()) {
            int port = margay.ports().getFirst();
            assertEquals(200, status(port, "/group/", "ada:secret"));
            directory.shutDown(true);
            assertEquals(200, status(port, "/group/", "ada:secret"), "it is remembered");
            assertEquals(500, status(port, "/group/", "Bob Hall:secret"), "nobody can tell");
        }
    }

    @Test
    void groupsAboveAUsersOwn_areItsGroupsByDepth() throws Exception {
        assertEquals(Set.of("inner", "chain11"), nested(0, 100).groups());
        assertEquals(Set.of("inner", "outer", "chain11", "chain10"), nested(1, 100).groups());
    }

    @Test
    void groupWithTooManyMembers_isNeitherYesNorNo() throws Exception {
        assertEquals(List.of("group cn=outer,dc=example"), nested(1, 8).answers());
        assertThrows(IOException.class, () -> nested(1, 2));
        assertEquals(List.of(), nested(0, 2).answers());
    }

    private DirectoryUsers.Found nested(int depth, int membersMax) throws IOException {
        Directory.Nested none = Directory.Nested.NONE;
        Directory asked =
                new Directory(
                        new DirectoryAccess(
                                List.of("ldap://127.0.0.1:" + directory.getListenPort()),
                                DirectoryAccess.Tls.DEFAULT,
                                DirectoryAccess.Bind.ANONYMOUS,
                                DirectoryAccess.TIMEOUT_DEFAULT,
                                DirectoryAccess.TIMEOUT_DEFAULT),
                        new Directory.Search(
                                "ou=people,dc=example", "uid", Directory.Search.ANY, true),
                        null,
                        "dc=example",
                        Directory.Members.DEFAULT,
                        new Directory.Nested(depth, none.attributes(), none.classes()),
                        List.of(new DirectoryQuestion.Member("cn=outer,dc=example")));
        DirectoryLimits own = DirectoryLimits.defaults();
        DirectoryLimits limits = new DirectoryLimits(own.groupsMax(), membersMax);
        return Objects.requireNonNull(
                new DirectoryUsers(asked, limits, System::nanoTime).verify("nested", "secret"));
    }
}
