package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.DeployOptions;
import io.margay.testkit.Archives;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of applications, beside what deploying them says.
final class AppCheckTest {
    private static final String LISTENER =
            "package p; public class Shared implements jakarta.servlet.ServletContextListener {}";

    @TempDir Path folder;

    @Test
    void classesOfSharedLibraries_areThere() throws Exception {
        Path app =
                Archives.in(folder)
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app><listener><listener-class>p.Shared</listener-class>"
                                        + "</listener></web-app>")
                        .to(folder.resolve("app.war"));
        Path libraries = Files.createDirectories(folder.resolve("lib"));
        Path _ =
                Archives.in(folder)
                        .classes("", List.of(), "p.Shared", LISTENER)
                        .to(libraries.resolve("shared.jar"));
        List<String> without = new AppCheck(false, _ -> {}).app(app, DeployOptions.defaults());
        assertEquals(1, without.size());
        assertTrue(without.getFirst().contains("there is no class p.Shared"), without.toString());
        DeployOptions shared = DeployOptions.defaults().withLibraries(libraries);
        assertEquals(List.of(), new AppCheck(false, _ -> {}).app(app, shared));
    }

    @Test
    void tagLibrary_thatIsInNoJar_isNamedWithWhatToAdd() throws Exception {
        Path app =
                Archives.in(folder)
                        .text("a.jsp", "<%@ taglib prefix='c' uri='jakarta.tags.core' %><c:out/>")
                        .text(
                                "b.jsp",
                                "<%@ taglib prefix='x' uri='http://shop.example/tags' %><x:y/>")
                        .to(folder.resolve("app.war"));
        assertEquals(
                List.of(
                        app
                                + ": /a.jsp: the tag library jakarta.tags.core is in no JAR of"
                                + " WEB-INF/lib: add org.glassfish.web:jakarta.servlet.jsp.jstl and"
                                + " jakarta.servlet.jsp.jstl:jakarta.servlet.jsp.jstl-api",
                        app
                                + ": /b.jsp: the tag library http://shop.example/tags is in no JAR"
                                + " of WEB-INF/lib: add the library that has its descriptor,"
                                + " META-INF/NAME.tld"),
                new AppCheck(true, _ -> {})
                        .app(app, DeployOptions.defaults()).stream()
                                .flatMap(String::lines)
                                .toList());
    }

    @Test
    void constraint_ofARoleThatNobodyHas_isNamed() throws Exception {
        Path app =
                Archives.in(folder)
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app><security-constraint><web-resource-collection>"
                                        + "<web-resource-name>a</web-resource-name>"
                                        + "<url-pattern>/in/*</url-pattern>"
                                        + "</web-resource-collection><auth-constraint>"
                                        + "<role-name>boss</role-name></auth-constraint>"
                                        + "</security-constraint></web-app>")
                        .to(folder.resolve("app.war"));
        Path users = folder.resolve("users.xml");
        for (String role : List.of("staff", "boss")) {
            Files.writeString(
                    users,
                    "<tomcat-users><user name='a' password='b' roles='"
                            + role
                            + "'/>"
                            + "</tomcat-users>");
            List<String> notes = new ArrayList<>();
            AppCheck check = new AppCheck(true, notes::add);
            assertEquals(List.of(), check.app(app, DeployOptions.defaults().withUsers(users)));
            boolean named =
                    notes.contains(app + ": nobody is allowed at /in/*: no user has the role boss");
            assertEquals(role.equals("staff"), named, notes::toString);
        }
    }

    @Test
    void wayToLogIn_thatIsNotSupported_isNamed() throws Exception {
        Path app =
                Archives.in(folder)
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app><login-config><auth-method>SPNEGO</auth-method>"
                                        + "</login-config></web-app>")
                        .to(folder.resolve("app.war"));
        Path users = Files.writeString(folder.resolve("users.xml"), "<tomcat-users/>");
        List<String> found =
                new AppCheck(false, _ -> {}).app(app, DeployOptions.defaults().withUsers(users));
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().contains("auth-method SPNEGO is not one of"), found.toString());
    }

    @Test
    void managerOfTomcat_isNamed() {
        Path app =
                Archives.in(folder)
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app><servlet><servlet-name>Manager</servlet-name>"
                                        + "<servlet-class>"
                                        + "org.apache.catalina.manager.ManagerServlet"
                                        + "</servlet-class></servlet></web-app>")
                        .to(folder.resolve("manager.war"));
        List<String> found = new AppCheck(false, _ -> {}).app(app, DeployOptions.defaults());
        assertEquals(1, found.size());
        assertTrue(found.getFirst().contains("this is Tomcat's own manager"), found.toString());
    }

    @Test
    void pages_areCompiled_orCounted() {
        Path app =
                Archives.in(folder)
                        .text("WEB-INF/web.xml", "<web-app></web-app>")
                        .text("good.jsp", "${1 + 1}")
                        .text("sub/bad.jsp", "\n<% int i = \"x\"; %>")
                        .to(folder.resolve("app.war"));
        List<String> notes = new ArrayList<>();
        assertEquals(List.of(), new AppCheck(false, notes::add).app(app, DeployOptions.defaults()));
        assertEquals(List.of(app + ": 2 pages are not compiled"), notes);
        assertEquals(
                List.of(
                        app
                                + ": /sub/bad.jsp:2: Type mismatch: cannot convert from String to"
                                + " int"),
                new AppCheck(true, _ -> {}).app(app, DeployOptions.defaults()));
    }
}
