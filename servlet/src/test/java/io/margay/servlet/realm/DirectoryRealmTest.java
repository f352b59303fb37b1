package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import io.margay.server.directory.DirectoryAccess;
import io.margay.servlet.realm.DirectorySettings.Roles;
import io.margay.servlet.realm.DirectorySettings.Users;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Against UnboundID's directory server, which is not ours.
class DirectoryRealmTest {
    private static final String PEOPLE = "ou=people,dc=test";
    private static final Users BY_PATTERN =
            new Users(List.of("uid={0},ou=none,dc=test", "uid={0}," + PEOPLE), "", null, false);
    private static final Users BY_SEARCH =
            new Users(List.of(), "dc=test", "(&(objectClass=person)(uid={0}))", true);
    private static final Roles NO_ROLES = new Roles(null, "", null, null, false, false, null);
    private static final Roles BY_MEMBER =
            new Roles("title", "ou=groups,dc=test", "(member={0})", "cn", false, false, "all");

    /// Of users.
    private static final AtomicInteger BINDS = new AtomicInteger();

    private static InMemoryDirectoryServer server;

    @BeforeAll
    static void start() throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=test");
        config.addAdditionalBindCredentials("cn=admin", "adminpw");
        config.setSchema(null);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "test", InetAddress.getLoopbackAddress(), 0, null));
        config.addInMemoryOperationInterceptor(
                new InMemoryOperationInterceptor() {
                    @Override
                    public void processSimpleBindRequest(
                            InMemoryInterceptedSimpleBindRequest bind) {
                        if (!bind.getRequest().getBindDN().equals("cn=admin")) {
                            BINDS.incrementAndGet();
                        }
                    }
                });
        server = new InMemoryDirectoryServer(config);
        add("dc=test", "objectClass: domain");
        add(PEOPLE, "objectClass: organizationalUnit");
        add("ou=groups,dc=test", "objectClass: organizationalUnit");
        person("ada", "secret");
        person("it's (a) *test*, \\", "x");
        add("cn=in,ou=groups,dc=test", "objectClass: group", "member: uid=ada," + PEOPLE);
        add("cn=outer,ou=groups,dc=test", "objectClass: group", "member: cn=in,ou=groups,dc=test");
        server.startListening();
    }

    private static void person(String uid, String password) throws Exception {
        String escaped = uid.replace("\\", "\\\\").replace(",", "\\,");
        server.add(
                "dn: uid=" + escaped + "," + PEOPLE,
                "objectClass: person",
                "uid: " + uid,
                "userPassword: " + password,
                "title: staff");
    }

    private static void add(String dn, String... lines) throws Exception {
        String[] all = new String[lines.length + 1];
        all[0] = "dn: " + dn;
        System.arraycopy(lines, 0, all, 1, lines.length);
        server.add(all);
    }

    @AfterAll
    static void stop() {
        server.shutDown(true);
    }

    private static DirectoryRealm realm(
            Users users, @Nullable String passwordAttribute, Roles roles, String... urls) {
        String url = "ldap://127.0.0.1:" + server.getListenPort();
        return new DirectoryRealm(
                "test",
                new DirectorySettings(
                        access(
                                DirectoryAccess.Tls.DEFAULT,
                                urls.length == 0 ? List.of(url) : List.of(urls)),
                        users,
                        passwordAttribute,
                        new CredentialHandler.AsInFile(),
                        roles));
    }

    private static DirectoryAccess access(DirectoryAccess.Tls tls, List<String> urls) {
        return new DirectoryAccess(
                urls,
                tls,
                new DirectoryAccess.Bind("cn=admin", "adminpw", null),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }

    @Test
    void user_ofAPattern_isBound() {
        try (DirectoryRealm realm = realm(BY_PATTERN, null, BY_MEMBER)) {
            assertEquals(
                    new User("ada", Set.of("in", "staff", "all")),
                    realm.authenticate("ada", "secret"));
            assertNull(realm.authenticate("ada", "wrong"));
            assertNull(realm.authenticate("nobody", "secret"));
            assertEquals("ada", realm.authenticate("ada", "secret").name());
        }
    }

    @Test
    void user_ofASearch_isBound() {
        try (DirectoryRealm realm = realm(BY_SEARCH, null, NO_ROLES)) {
            assertEquals(new User("ada", Set.of()), realm.authenticate("ada", "secret"));
            assertNull(realm.authenticate("ada", "wrong"));
            assertNull(realm.authenticate("nobody", "secret"));
        }
    }

    /// The directory is asked as often for a name that nobody has, so that no time tells names.
    @Test
    void user_unknown_takesTheSameWayAsAWrongPassword() {
        for (Users users : List.of(BY_PATTERN, BY_SEARCH)) {
            try (DirectoryRealm realm = realm(users, null, NO_ROLES)) {
                for (String name : List.of("ada", "nobody", "it's (a) *test*, \\", "(x,=\\")) {
                    int before = BINDS.get();
                    assertNull(realm.authenticate(name, "wrong"));
                    assertEquals(1, BINDS.get() - before, name);
                }
            }
        }
    }

    @Test
    void user_byName_isWhoIsThere() {
        try (DirectoryRealm realm = realm(BY_SEARCH, null, BY_MEMBER)) {
            assertEquals(new User("ada", Set.of("in", "staff", "all")), realm.user("ada"));
            assertNull(realm.user("nobody"));
            assertNull(realm.user(""));
        }
    }

    @Test
    void password_readFromTheDirectory_isCompared() {
        try (DirectoryRealm realm = realm(BY_SEARCH, "userPassword", NO_ROLES)) {
            assertNotNull(realm.authenticate("ada", "secret"));
            assertNull(realm.authenticate("ada", "wrong"));
        }
    }

    @Test
    void roles_nested_areFollowed() {
        Roles nested = new Roles(null, "ou=groups,dc=test", "(member={0})", "cn", true, true, null);
        try (DirectoryRealm realm = realm(BY_PATTERN, null, nested)) {
            assertEquals(Set.of("in", "outer"), realm.authenticate("ada", "secret").roles());
        }
    }

    /// RFC 4513 §5.1.2: a bind with a name and no password succeeds as nobody in particular.
    @Test
    void password_empty_isWrong() {
        try (DirectoryRealm realm = realm(BY_PATTERN, null, NO_ROLES)) {
            assertNull(realm.authenticate("ada", ""));
        }
    }

    @Test
    void nameWithSyntax_isAName_cve2021_30640() {
        for (Users users : List.of(BY_PATTERN, BY_SEARCH)) {
            try (DirectoryRealm realm = realm(users, null, NO_ROLES)) {
                String odd = "it's (a) *test*, \\";
                assertEquals(odd, realm.authenticate(odd, "x").name());
                for (String attack :
                        List.of(
                                "*",
                                "a*",
                                "ada)(uid=*",
                                "ada,ou=people,dc=test",
                                "*)(objectClass=*",
                                "ada\\",
                                "{0}",
                                "",
                                " ",
                                "ada\0")) {
                    assertNull(realm.authenticate(attack, "secret"), attack);
                }
            }
        }
    }

    @Test
    void values_inNamesAndFilters_areEscaped() {
        assertEquals(
                "(uid=\\28\\29\\2a\\5c\\00\\c3\\a4{1})(x=b)",
                DirectoryNames.filter("(uid={0})(x={1})", List.of("()*\\\0ä{1}", "b")));
        assertEquals(
                "uid=\\ a\\,b\\+\\\"\\\\\\<\\>\\;\\=c\\ ,dc=x",
                DirectoryNames.name("uid={0},dc=x", " a,b+\"\\<>;=c "));
        assertEquals("uid=\\#a,{x}{", DirectoryNames.name("uid={0},{x}{", "#a"));
    }

    @Test
    void directory_awayOrRestarted_isAskedAgain() throws Exception {
        try (DirectoryRealm realm = realm(BY_PATTERN, null, NO_ROLES)) {
            assertNotNull(realm.authenticate("ada", "secret"));
            server.closeAllConnections(true);
            assertNotNull(realm.authenticate("ada", "secret"));
        }
        try (DirectoryRealm realm = realm(BY_PATTERN, null, NO_ROLES, "ldap://127.0.0.1:1")) {
            assertThrows(RealmAwayException.class, () -> realm.authenticate("ada", "secret"));
            assertNull(realm.user("ada"));
        }
        String second = "ldap://127.0.0.1:" + server.getListenPort();
        try (DirectoryRealm realm =
                realm(BY_PATTERN, null, NO_ROLES, "ldap://127.0.0.1:1", second)) {
            assertNotNull(realm.authenticate("ada", "secret"));
        }
    }

    @Test
    void secret_isNotTold() {
        try (DirectoryRealm realm = realm(BY_PATTERN, null, NO_ROLES)) {
            assertNull(realm.secret("ada", "r", DigestAlgorithm.MD5));
        }
    }

    @Test
    void settings_withoutAWayToFindUsers_areRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> new Users(List.of(), "dc=test", null, true));
        assertThrows(
                IllegalArgumentException.class,
                () -> realm(BY_PATTERN, null, NO_ROLES, "http://127.0.0.1"));
    }
}
