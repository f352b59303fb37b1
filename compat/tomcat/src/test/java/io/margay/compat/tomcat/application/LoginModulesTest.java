package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.Deployer;
import io.margay.testkit.Archives;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `JAASRealm` of context.xml: login modules of the application, asked by BASIC.
final class LoginModulesTest {
    /// Whom it lets in has the password "pw"; "broken" makes it fail as modules fail.
    private static final String MODULE =
            """
            package p;
            import java.util.Map;
            import javax.security.auth.Subject;
            import javax.security.auth.callback.*;
            import javax.security.auth.login.*;
            import javax.security.auth.spi.LoginModule;
            public class Login implements LoginModule {
                private Subject subject;
                private CallbackHandler handler;
                private String name;
                public record Person(String getName) implements java.security.Principal {}
                public record Group(String getName) implements java.security.Principal {}
                public void initialize(
                        Subject s, CallbackHandler h, Map<String, ?> a, Map<String, ?> b) {
                    subject = s;
                    handler = h;
                }
                public boolean login() throws LoginException {
                    NameCallback user = new NameCallback("user");
                    PasswordCallback password = new PasswordCallback("password", false);
                    try {
                        handler.handle(new Callback[] {user, password});
                    } catch (Exception e) {
                        throw new LoginException(e.toString());
                    }
                    name = user.getName();
                    if (name.equals("broken")) {
                        throw new IllegalStateException("broken");
                    }
                    String given = new String(password.getPassword());
                    switch (given) {
                        case "away" -> {
                            LoginException away = new LoginException("the host is away");
                            away.initCause(new java.io.IOException("no route"));
                            throw away;
                        }
                        case "plain" -> throw new LoginException("wrong");
                        case "bug" -> throw new IllegalStateException("bug");
                        case "expired" -> throw new CredentialExpiredException("old");
                        case "locked" -> throw new AccountLockedException("locked");
                        default -> {}
                    }
                    if (!"pw".equals(new String(password.getPassword()))) {
                        throw new FailedLoginException("wrong");
                    }
                    return true;
                }
                public boolean commit() {
                    if (!name.equals("nobody")) {
                        subject.getPrincipals().add(new Person(name));
                    }
                    subject.getPrincipals().add(new Group(name.equals("bob") ? "out" : "in"));
                    return true;
                }
                public boolean abort() { return true; }
                public boolean logout() { return true; }
            }
            """;

    private static final String SERVLET =
            """
            package p;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/who")
            public class Who extends HttpServlet {
                protected void doGet(HttpServletRequest request, HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print(((Login.Person) request.getUserPrincipal()).getName()
                            + request.isUserInRole("in") + request.getRemoteUser());
                }
            }
            """;

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
    private static final String CLASSES =
            " userClassNames='x.None, p.Login$Person' roleClassNames='p.Login$Group'";

    @TempDir Path temp;
    private Path war = Path.of("");

    @BeforeEach
    void place() {
        war = temp.resolve("a.war");
    }

    private Archives app(String attributes) {
        return Archives.in(temp)
                .classes("WEB-INF/classes/", List.of(), "p.Login", MODULE, "p.Who", SERVLET)
                .text("WEB-INF/web.xml", WEB_XML)
                .text("WEB-INF/classes/conf/jaas.config", "Shop { p.Login required; };")
                .text(
                        "META-INF/context.xml",
                        "<Context>\n<Realm className='org.apache.catalina.realm.JAASRealm' "
                                + attributes
                                + "/></Context>");
    }

    private AppServer start(String attributes) {
        return AppServer.start(app(attributes).to(war), "/a", temp.resolve("work"), app -> app);
    }

    private static String login(AppServer server, String name, String password) {
        String pair = name + ":" + password;
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        var response = server.get("/who", "Authorization", "Basic " + encoded);
        return response.statusCode() == 200 ? response.body() : "" + response.statusCode();
    }

    @Test
    void modulesOfTheApplication_letIn_withPrincipalsOfTheirOwn() {
        try (AppServer server = start("appName='Shop' configFile='conf/jaas.config'" + CLASSES)) {
            assertEquals("adatrueada", login(server, "ada", "pw"));
            assertEquals("401", login(server, "ada", "wrong"));
            assertEquals("403", login(server, "bob", "pw"));
            assertEquals("401", login(server, "nobody", "pw"), "no principal is a user");
            assertEquals("401", login(server, "broken", "pw"), "whatever it throws");
        }
    }

    /// A host that is away counts for nothing; all else a module throws counts, as with Tomcat, for
    /// many say that a password is wrong by no more than a `LoginException`.
    @ParameterizedTest
    @CsvSource({
        "away, adatrueada",
        "bug, 401",
        "plain, 401",
        "wrong, 401",
        "expired, 401",
        "locked, 401"
    })
    void whatModulesThrow_countsForLockOutsButHostsThatAreAway(String password, String then) {
        app("appName='Shop' configFile='conf/jaas.config'" + CLASSES)
                .text(
                        "META-INF/context.xml",
                        "<Context><Realm className='org.apache.catalina.realm.LockOutRealm'"
                                + " failureCount='2'><Realm"
                                + " className='org.apache.catalina.realm.JAASRealm'"
                                + " appName='Shop' configFile='conf/jaas.config'"
                                + CLASSES
                                + "/></Realm></Context>")
                .to(war);
        try (AppServer server =
                AppServer.start(war, "/a", temp.resolve("work"), application -> application)) {
            for (int i = 0; i < 3; i++) {
                assertEquals("401", login(server, "ada", password));
            }
            assertEquals(then, login(server, "ada", "pw"));
        }
    }

    @Test
    void classesOfRoles_thatAreNotNamed_giveNone() {
        try (AppServer server =
                start(
                        "appName='Shop' configFile='conf/jaas.config'"
                                + " userClassNames='p.Login$Person'")) {
            assertEquals("403", login(server, "ada", "pw"));
        }
    }

    @Test
    void modules_ofOtherLoaders_areNotThoseOfTheApplication() {
        try (AppServer server =
                start(
                        "appName='Shop' configFile='conf/jaas.config' useContextClassLoader='false'"
                                + CLASSES)) {
            assertEquals("401", login(server, "ada", "pw"));
        }
    }

    @Test
    void whatEveryLoginWouldFailFor_isToldByTheCheck() {
        assertTold("appName=\"Shop\" is not an entry of the JVM's", "appName='Shop'");
        assertTold("configFile=\"none\" is not on", "appName='Shop' configFile='none'");
        assertTold(
                "appName=\"Mop\" is not an entry", "appName='Mop' configFile='conf/jaas.config'");
        assertTold("", "appName='Shop' configFile='conf/jaas.config'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DIGEST", "CLIENT-CERT"})
    void waysToLogIn_thatModulesAreNotAskedAbout_areToldByTheCheck(String way) {
        app("appName='Shop' configFile='conf/jaas.config'" + CLASSES)
                .text("WEB-INF/web.xml", WEB_XML.replace("BASIC", way))
                .to(war);
        List<String> told = AppServer.deployer(temp.resolve("work"), app -> app).check(war).notes();
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.getFirst().contains("does not support " + way), told::toString);
    }

    private void assertTold(String expected, String attributes) {
        app(attributes + CLASSES).to(war);
        Deployer deployer = AppServer.deployer(temp.resolve("work"), app -> app);
        List<String> told = deployer.check(war).notes();
        assertEquals(expected.isEmpty() ? 0 : 1, told.size(), told::toString);
        assertTrue(String.join("", told).contains(expected), told::toString);
    }
}
