package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.security.UsersFile;
import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Realms of context.xml: deployed, and asked by BASIC.
class TomcatRealmTest {
    private static final String WEB_XML =
            """
            <web-app version="6.1">
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>all</web-resource-name><url-pattern>/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>in</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
            </web-app>
            """;
    private static final String TABLES =
            " userTable='users' userNameCol='name' userCredCol='pass' userRoleTable='roles'"
                    + " roleNameCol='role'";
    private static final String URL = "jdbc:h2:mem:tomcatrealm;DB_CLOSE_DELAY=-1";

    @TempDir Path temp;

    private Archives app(String context) {
        return Archives.in(temp)
                .text("index.html", "inside")
                .text("WEB-INF/web.xml", WEB_XML)
                .text("META-INF/context.xml", "<Context>\n" + context + "</Context>");
    }

    private AppServer start(String context) {
        var users =
                UsersFile.read(
                        "users.xml",
                        ("<tomcat-users><user username='server' password='pw' roles='in'/>"
                                        + "</tomcat-users>")
                                .getBytes(StandardCharsets.UTF_8));
        return AppServer.start(
                app(context).to(temp.resolve("a.war")),
                "/a",
                temp.resolve("work"),
                app -> app.withRealm(users));
    }

    private static int login(AppServer server, String name, String password) {
        String pair = name + ":" + password;
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return server.get("/index.html", "Authorization", "Basic " + encoded).statusCode();
    }

    private static void tables() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("drop all objects");
            statement.execute("create table users (name varchar(9), pass varchar(99))");
            statement.execute("create table roles (name varchar(9), role varchar(9))");
            statement.execute("insert into users values ('ada', 'secret'), ('bob', 'secret')");
            statement.execute("insert into roles values ('ada', 'in'), ('bob', 'out')");
        }
    }

    @Test
    void dataSourceRealm_takesItsUsersInPlaceOfTheServers() throws Exception {
        tables();
        String context =
                "<Resource name='jdbc/users' type='javax.sql.DataSource' url='"
                        + URL
                        + "'/><Realm className='org.apache.catalina.realm.LockOutRealm'"
                        + " failureCount='2'><Realm"
                        + " className='org.apache.catalina.realm.DataSourceRealm'"
                        + " dataSourceName='jdbc/users' localDataSource='true'"
                        + TABLES
                        + "/></Realm>";
        try (AppServer server = start(context)) {
            assertEquals(200, login(server, "ada", "secret"));
            assertEquals(403, login(server, "bob", "secret"));
            assertEquals(401, login(server, "server", "pw"));
            assertEquals(401, login(server, "ada", "wrong"));
            assertEquals(200, login(server, "ada", "secret"));
            assertEquals(401, login(server, "ada", "wrong"));
            assertEquals(401, login(server, "ada", "wrong"));
            assertEquals(401, login(server, "ada", "secret"), "locked out");
            assertEquals(403, login(server, "bob", "secret"));
        }
    }

    @Test
    void jdbcRealm_hasAPoolOfItsOwn() throws Exception {
        tables();
        String context =
                "<Realm className='org.apache.catalina.realm.JDBCRealm' connectionURL='"
                        + URL
                        + "' driverName='org.h2.Driver'"
                        + TABLES
                        + "/>";
        try (AppServer server = start(context)) {
            assertEquals(200, login(server, "ada", "secret"));
            assertEquals(401, login(server, "ada", "no"));
        }
    }

    @Test
    void combinedRealm_asksOneAfterTheOther() throws Exception {
        Path file =
                Files.writeString(
                        temp.resolve("more.xml"),
                        "<tomcat-users><user username='more' password='pw' roles='in'/>"
                                + "</tomcat-users>");
        String context =
                "<Resource name='U' type='org.apache.catalina.UserDatabase' pathname='"
                        + file
                        + "'/><Realm className='org.apache.catalina.realm.CombinedRealm'>"
                        + "<Realm className='org.apache.catalina.realm.UserDatabaseRealm'"
                        + " resourceName='U' localJndiResource='true'/>"
                        + "<Realm className='org.apache.catalina.realm.MemoryRealm'/></Realm>";
        try (AppServer server = start(context)) {
            assertEquals(200, login(server, "more", "pw"));
            assertEquals(200, login(server, "server", "pw"));
            assertEquals(401, login(server, "server", "no"));
        }
    }

    @Test
    void realm_thatIsNotKnown_letsNobodyIn() {
        try (AppServer server =
                start("<Realm className='org.apache.catalina.realm.AuthenticatedUserRealm'/>")) {
            assertEquals(401, login(server, "server", "pw"));
        }
    }

    @Test
    void realm_wrong_isNamedWithItsLine() {
        String message =
                failure(
                        "<Realm className='org.apache.catalina.realm.DataSourceRealm'"
                                + " dataSourceName='d' userTable='users; drop' userNameCol='n'"
                                + " userCredCol='c'/>");
        assertTrue(message.contains("META-INF/context.xml:2:"), message);
        assertTrue(message.contains("userTable='users; drop' must be the name"), message);
        assertTrue(
                failure("<Realm className='org.apache.catalina.realm.JNDIRealm'/>")
                        .contains("connectionURL is missing"));
        assertTrue(
                failure(
                                "<Realm className='org.apache.catalina.realm.DataSourceRealm'"
                                        + " dataSourceName='d'"
                                        + TABLES
                                        + "><CredentialHandler"
                                        + " className='org.apache.catalina.realm"
                                        + ".MessageDigestCredentialHandler'"
                                        + " algorithm='ROT13'/></Realm>")
                        .contains("there is no digest ROT13"));
    }

    /// What is done in place of it is said, and is no less strict.
    @Test
    void tlsOfADirectory_thatIsNotFollowed_isNamed() {
        try (LoggedLines lines = LoggedLines.of("")) {
            String realm =
                    "<Realm className='org.apache.catalina.realm.JNDIRealm'"
                            + " connectionURL='ldap://127.0.0.1:1' userPattern='uid={0}'"
                            + " hostnameVerifierClassName='a.B' cipherSuites='X' %s/>";
            try (AppServer server = start(realm.formatted("useStartTls='true'"))) {
                assertEquals(401, login(server, "ada", "pw"));
            }
            try (AppServer _ = start(realm.formatted(""))) {
                assertTrue(lines.count("no effect without useStartTls") > 0, lines.toString());
            }
            assertTrue(
                    lines.count(
                                    "no effect: hostnameVerifierClassName, cipherSuites: the"
                                            + " directory's certificate must be of an authority")
                            > 0,
                    lines.toString());
        }
    }

    private String failure(String context) {
        Path war = app(context).to(temp.resolve("bad.war"));
        Deployer deployer = AppServer.deployer(temp.resolve("work"), settings -> settings);
        return assertThrows(DeploymentException.class, () -> deployer.deploy(war, "/bad"))
                .getMessage();
    }
}
