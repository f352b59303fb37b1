package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.RealmSettings;
import io.margay.server.directory.DirectoryAccess;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.realm.DirectorySettings;
import io.margay.servlet.realm.LockOutLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Resources, realms and the places of files in margay.yaml.
final class ConfigResourcesTest {
    /// The password of the tests, not as a part of some object's hash code.
    private static final Pattern SHOWN = Pattern.compile("(?<![0-9a-f])8081(?![0-9a-f])");

    @TempDir Path folder;
    private ConfigFolder files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new ConfigFolder(folder);
    }

    @Test
    void resources_areRead() throws IOException {
        MargayConfig config =
                files.read(
                                """
                                hosts: [{webapps: webapps}]
                                deploy: {libraries: assets}
                                resources:
                                  jdbc/shop:
                                    url: jdbc:postgresql://localhost/shop
                                    user: shop
                                    password: ${PORT}
                                    driver: org.postgresql.Driver
                                    properties: {ApplicationName: shop, loginTimeout: 5}
                                    isolation: repeatable-read
                                    read-only: true
                                    size-max: 20
                                    idle-min: 2
                                    wait-max: 3s
                                  jdbc/plain: {url: "jdbc:x:y"}
                                """)
                        .get();
        assertEquals(folder.resolve("assets"), config.deploy().libraries());
        PoolLimits defaults = PoolLimits.defaults();
        assertEquals(
                Map.of(
                        "jdbc/shop",
                        new DataSourceSettings(
                                "jdbc:postgresql://localhost/shop",
                                "org.postgresql.Driver",
                                "shop",
                                "8081",
                                Map.of("ApplicationName", "shop", "loginTimeout", "5"),
                                new DataSourceSettings.Session(
                                        null, null, null, true, "REPEATABLE_READ", null, null),
                                new PoolLimits(
                                        20,
                                        2,
                                        Duration.ofSeconds(3),
                                        defaults.idleTimeout(),
                                        defaults.ageMax(),
                                        defaults.testTimeout(),
                                        defaults.leakAfter())),
                        "jdbc/plain",
                        new DataSourceSettings(
                                "jdbc:x:y",
                                null,
                                null,
                                null,
                                Map.of(),
                                DataSourceSettings.Session.asDriver(),
                                defaults)),
                config.deploy().resources());
        assertFalse(SHOWN.matcher(config.toString()).find(), "passwords are not shown");
    }

    @Test
    void realms_areRead() throws IOException {
        for (String file : List.of("ca.pem", "own.pem", "own.key")) {
            Files.writeString(folder.resolve(file), "");
        }
        MargayConfig config =
                files.read(
                                """
                                hosts: [{webapps: webapps}]
                                deploy:
                                  realms:
                                    - database: jdbc/users
                                      password-query: select p from u where n = ?
                                      role-query: select r from s where n = ?
                                    - ldap: [ldaps://a.example, ldaps://b.example]
                                      bind-name: cn=reader
                                      bind-password: ${PORT}
                                      user-pattern: "uid={0},dc=example"
                                      role-base: dc=example
                                      role-search: "(member={0})"
                                      trust: ca.pem
                                      cert: own.pem
                                      key: own.key
                                      timeout: 2s
                                  lock-out: {failures-max: 3, locked-for: 1m}
                                resources:
                                  jdbc/users: {url: "jdbc:x:y"}
                                """)
                        .get();
        List<RealmSettings> realms = config.deploy().realms();
        assertEquals(
                new RealmSettings.Database(
                        "jdbc/users", "select p from u where n = ?", "select r from s where n = ?"),
                realms.getFirst());
        DirectorySettings directory = ((RealmSettings.Directory) realms.getLast()).settings();
        assertEquals(List.of("ldaps://a.example", "ldaps://b.example"), directory.access().urls());
        DirectoryAccess.Tls tls = directory.access().tls();
        assertEquals("ca.pem", tls.trust().getFileName().toString());
        assertEquals("own.key", tls.own().key().getFileName().toString());
        assertTrue(tls.verify());
        assertEquals(List.of("uid={0},dc=example"), directory.users().patterns());
        assertEquals("cn", directory.roles().nameAttribute());
        assertEquals(Duration.ofSeconds(2), directory.access().readTimeout());
        assertEquals(new LockOutLimits(3, Duration.ofMinutes(1), 1000), config.deploy().lockOut());
        assertFalse(SHOWN.matcher(config.toString()).find(), "passwords are not shown");
    }

    /// The names that earlier versions had, and those that a login has.
    @Test
    void directory_byOldKeysAndNew_isTheSame() throws IOException {
        String file = "hosts: [{webapps: webapps}]\ndeploy: {realms: [{%s}]}\n";
        String users = "bind-password: a, user-search: \"(uid={0})\", ";
        String old =
                users
                        + "ldap: ldap://a, bind-name: b, user-base: c, user-subtree: true, "
                        + "role-base: d, role-attribute: e";
        String now =
                users
                        + "url: ldap://a, bind-dn: b, base: c, subtree: true, "
                        + "group-base: d, group-attribute: e";
        assertEquals(
                files.read(file.formatted(now)).get().deploy().realms(),
                files.read(file.formatted(old)).get().deploy().realms());
        assertEquals(
                List.of("margay.yaml:2:35: \"ldap\" is given, too: both are url"),
                files.problems(file.formatted("url: ldap://a, ldap: ldap://a, user-search: x")));
    }

    @Test
    void realms_wrong_areNamed() throws IOException {
        assertEquals(
                List.of(
                        "margay.yaml:4:8: there is no data source jdbc/no",
                        "margay.yaml:4:8: a database needs the key \"password-query\"",
                        "margay.yaml:4:27: \"user-pattern\" belongs to a directory",
                        "margay.yaml:5:7: users are found by a pattern or by a search, and neither"
                                + " is given"),
                files.problems(
                        """
                        hosts: [{webapps: webapps}]
                        deploy:
                          realms:
                            - {database: jdbc/no, user-pattern: x}
                            - ldap: [ldap://x]
                        """));
    }

    /// The same is asked of realms as of the log-ins of hosts.
    @Test
    void realms_withTlsThatCannotBe_areNamed() throws IOException {
        String realm =
                """
                hosts: [{webapps: webapps}]
                deploy:
                  realms:
                    - {ldap: %s, user-pattern: "uid={0}"}
                """;
        assertEquals(
                List.of("margay.yaml:4:26: nothing is encrypted: write ldaps, or start-tls: true"),
                files.problems(realm.formatted("\"ldap://a\", verify: false")));
        assertEquals(
                List.of("margay.yaml:4:27: it needs bind-password"),
                files.problems(realm.formatted("\"ldaps://a\", bind-name: cn=a")));
        assertEquals(
                List.of("margay.yaml:4:27: \"trust\": none.pem does not exist"),
                files.problems(realm.formatted("\"ldaps://a\", trust: none.pem")));
        assertEquals(
                List.of("margay.yaml:4:27: cert and key belong together"),
                files.problems(realm.formatted("\"ldaps://a\", cert: margay.yaml")));
    }

    /// Who names an authority expects that passwords are encrypted.
    @Test
    void directoryInClearText_hasNoCertificateToCheck() throws IOException {
        String host = "hosts: [{routes: {}, access: {login: {ldap: {url: %s, base: dc=a}}}}]";
        assertEquals(
                List.of("margay.yaml:1:63: nothing is encrypted: write ldaps, or start-tls: true"),
                files.problems(host.formatted("\"ldap://a\", verify: false")));
        assertEquals(
                List.of(),
                files.problems(host.formatted("\"ldap://a\", verify: false, start-tls: true")));
        assertEquals(List.of(), files.problems(host.formatted("\"ldaps://a\", verify: false")));
        assertEquals(List.of(), files.problems(host.formatted("\"ldap://a\"")));
    }

    @Test
    void resources_wrong_areNamed() throws IOException {
        assertEquals(
                List.of(
                        "margay.yaml:3:3: a key of \"resources\" must be a name, as in"
                                + " jdbc/shop, not \"jdbc/\"",
                        "margay.yaml:4:11: a data source: idle-min must be from 0 to size-max",
                        "margay.yaml:5:11: a data source needs the key \"url\""),
                files.problems(
                        """
                        hosts: [{webapps: webapps}]
                        resources:
                          jdbc/: {url: "jdbc:x"}
                          jdbc/a: {url: "jdbc:x", idle-min: 11}
                          jdbc/b: {user: u}
                        """));
    }
}
