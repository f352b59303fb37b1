package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of declared classes that are missing, or cannot work here.
final class DeclaredClassesTest {
    private static final String JAVAX_SERVLET =
            "package javax.servlet.http; public class HttpServlet {}";
    private static final String JAVAX_ANNOTATION =
            "package javax.servlet.annotation; public @interface WebServlet { String value(); }";
    private static final String OLD =
            "package p; @javax.servlet.annotation.WebServlet(\"/old\")"
                    + " public class Old extends javax.servlet.http.HttpServlet {}";
    private static final String NEW =
            "package p; public class New extends jakarta.servlet.http.HttpServlet {"
                    + " protected void doGet(jakarta.servlet.http.HttpServletRequest q,"
                    + " jakarta.servlet.http.HttpServletResponse r) throws java.io.IOException"
                    + " { r.getWriter().print(\"new\"); } }";

    @TempDir Path temp;

    private Deployer deployer() {
        return new Deployer(DeploySettings.in(temp.resolve("work")));
    }

    private static String servlet(String name) {
        return "<servlet><servlet-name>"
                + name
                + "</servlet-name><servlet-class>p."
                + name
                + "</servlet-class></servlet><servlet-mapping><servlet-name>"
                + name
                + "</servlet-name><url-pattern>/"
                + name
                + "</url-pattern></servlet-mapping>";
    }

    private Path app(String webXml) {
        return Archives.in(temp)
                .classes(
                        "WEB-INF/classes/",
                        List.of(),
                        "javax.servlet.http.HttpServlet",
                        JAVAX_SERVLET,
                        "javax.servlet.annotation.WebServlet",
                        JAVAX_ANNOTATION,
                        "p.Old",
                        OLD,
                        "p.New",
                        NEW)
                .without("WEB-INF/classes/javax/servlet/http/HttpServlet.class")
                .without("WEB-INF/classes/javax/servlet/annotation/WebServlet.class")
                .text("WEB-INF/web.xml", "<web-app>" + webXml + "</web-app>")
                .toFolder(temp.resolve("app"));
    }

    private String refusal(Runnable deployment) {
        return String.valueOf(
                assertThrows(DeploymentException.class, deployment::run).getMessage());
    }

    @Test
    void filtersAndListeners_thatAreMissing_areAllNamed_andStopTheDeployment() {
        Path app =
                app(
                        "<listener><listener-class>p.Ear</listener-class></listener>"
                                + "<filter><filter-name>guard</filter-name>"
                                + "<filter-class>p.Guard</filter-class></filter>");
        for (String message :
                List.of(
                        refusal(() -> deployer().check(app)),
                        refusal(() -> deployer().deploy(app, "/app")))) {
            assertTrue(message.startsWith(app.toString()), message);
            assertTrue(
                    message.contains("WEB-INF/web.xml:1:20: <listener> there is no class p.Ear"),
                    message);
            assertTrue(
                    message.contains("web.xml:1:77: <filter> guard: there is no class p.Guard"),
                    message);
            assertTrue(message.contains("Add it, or remove the declaration."), message);
        }
    }

    @Test
    void servlet_thatIsMissing_isFoundByCheck_andTheOthersAreServed() {
        Path app = app(servlet("Gone") + servlet("New"));
        String message = refusal(() -> deployer().check(app));
        assertTrue(message.contains("<servlet> Gone: there is no class p.Gone"), message);
        try (AppServer server = AppServer.start(app, "/app", temp.resolve("work"))) {
            assertEquals("new", server.get("/New").body());
            assertEquals(404, server.get("/Gone").statusCode());
        }
    }

    @Test
    void servletForJavaEe_besideOthers_isFoundByCheck_andTheOthersAreServed() {
        Path app = app(servlet("Old") + servlet("New"));
        String message = refusal(() -> deployer().check(app));
        assertTrue(message.contains("<servlet> Old: the class p.Old was written"), message);
        try (AppServer server = AppServer.start(app, "/app", temp.resolve("work"))) {
            assertEquals("new", server.get("/New").body());
            assertEquals(404, server.get("/Old").statusCode());
        }
    }

    @Test
    void applicationForJavaEe_isRefused_andSaysWhatItIs() {
        Path app = app(servlet("Old"));
        for (String message :
                List.of(
                        refusal(() -> deployer().check(app)),
                        refusal(() -> deployer().deploy(app, "/app")))) {
            assertTrue(message.contains("written for Java EE"), message);
            assertTrue(message.contains("p.Old uses javax.servlet"), message);
            assertTrue(message.contains("Convert it"), message);
        }
    }

    @Test
    void applicationForJavaEe_withAnnotationsAlone_isRefused() {
        Path app =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "javax.servlet.http.HttpServlet",
                                JAVAX_SERVLET,
                                "javax.servlet.annotation.WebServlet",
                                JAVAX_ANNOTATION,
                                "p.Old",
                                OLD)
                        .without("WEB-INF/classes/javax/servlet/http/HttpServlet.class")
                        .without("WEB-INF/classes/javax/servlet/annotation/WebServlet.class")
                        .to(temp.resolve("old.war"));
        String message = refusal(() -> deployer().deploy(app, "/app"));
        assertTrue(message.contains("p.Old uses javax.servlet"), message);
    }

    @Test
    void checkOfWhatIsThere_findsNothing() {
        assertDoesNotThrow(() -> deployer().check(app(servlet("New"))));
    }

    /// Every request would be refused without a word in the log.
    @Test
    void constraintForARole_withoutAnyUsers_isNamedAtDeployment() {
        Path closed =
                Archives.in(temp)
                        .text(
                                "WEB-INF/web.xml",
                                """
                                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                                  <security-constraint>
                                    <web-resource-collection>
                                      <web-resource-name>all</web-resource-name>
                                      <url-pattern>/*</url-pattern>
                                    </web-resource-collection>
                                    <auth-constraint><role-name>clerk</role-name></auth-constraint>
                                  </security-constraint>
                                  <security-role><role-name>clerk</role-name></security-role>
                                </web-app>
                                """)
                        .to(temp.resolve("closed.war"));
        try (LoggedLines log = LoggedLines.of(Deployer.class.getName())) {
            deployer().deploy(closed, "/closed").undeploy();
            assertEquals(1, log.count("there are no users"));
        }
    }
}
