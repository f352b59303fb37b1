package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.DeployOptions;
import io.margay.testkit.Archives;
import java.nio.file.Files;
import java.nio.file.Path;
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
        List<String> without = AppCheck.app(app, DeployOptions.defaults(), _ -> {});
        assertEquals(1, without.size());
        assertTrue(without.getFirst().contains("there is no class p.Shared"), without.toString());
        DeployOptions shared = DeployOptions.defaults().withLibraries(libraries);
        assertEquals(List.of(), AppCheck.app(app, shared, _ -> {}));
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
        List<String> found = AppCheck.app(app, DeployOptions.defaults(), _ -> {});
        assertEquals(1, found.size());
        assertTrue(found.getFirst().contains("this is Tomcat's own manager"), found.toString());
    }
}
