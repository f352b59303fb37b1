package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a check says of pages, and that nothing of the application runs for it.
final class PageCheckTest {
    private static final String EAR =
            "package p; public class Ear implements jakarta.servlet.ServletContextListener {"
                    + " public Ear() { System.setProperty(\"margay.test.ear\", \"made\"); } }";
    private static final String TLD =
            "<taglib xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"4.0\">"
                    + "<tlib-version>1</tlib-version><short-name>t</short-name><uri>urn:t</uri>"
                    + "<listener><listener-class>p.Ear</listener-class></listener></taglib>";

    @TempDir Path temp;

    private Deployer deployer() {
        return new Deployer(DeploySettings.in(temp.resolve("work")));
    }

    private Deployer.Checked checked(Path war, boolean pages) {
        return deployer().check(new WebAppsFolder.Application(war, "/app", ""), pages);
    }

    private List<String> problems(Archives app) {
        Path war = app.to(temp.resolve("app.war"));
        Runnable check = () -> checked(war, true);
        String message =
                String.valueOf(assertThrows(DeploymentException.class, check::run).getMessage());
        return message.lines().skip(1).toList();
    }

    private Archives app() {
        return Archives.in(temp).text("WEB-INF/web.xml", "<web-app></web-app>");
    }

    @Test
    void pages_thatDoNotCompile_areNamedWithLineAndReason() {
        List<String> problems =
                problems(
                        app().text("java.jsp", "<%\n foo();\n bar(); %>")
                                .text("syntax.jsp", "a\n<jsp:useBean id='x'>")
                                .text("WEB-INF/el.jsp", "${1 +}")
                                .text("unterminated.jsp", "<% ")
                                .text("good.jsp", "${1 + 1}"));
        assertEquals(5, problems.size(), problems::toString);
        assertTrue(problems.get(0).startsWith("/WEB-INF/el.jsp: "), problems::toString);
        assertTrue(problems.get(1).startsWith("/java.jsp:2: The method foo()"), problems::toString);
        assertTrue(problems.get(2).startsWith("/java.jsp:3: The method bar()"), problems::toString);
        assertTrue(problems.get(3).startsWith("/syntax.jsp:2:"), problems::toString);
        assertEquals("/unterminated.jsp:1:3: Unterminated [<%] tag", problems.get(4));
    }

    @Test
    void page_thatOthersInclude_needNotCompileByItself() {
        Path war =
                app().text("parts/head.jsp", "<% if (shown) { %>")
                        .text("parts/foot.jsp", "<% } %>")
                        .text(
                                "list.jsp",
                                "<% boolean shown = true; %><%@ include file=\"parts/head.jsp\" %>"
                                        + "<jsp:directive.include file='/parts/foot.jsp'/>")
                        .to(temp.resolve("app.war"));
        assertEquals(0, checked(war, true).pagesLeftOut());
        assertEquals(3, checked(war, false).pagesLeftOut());
    }

    @Test
    void listenersOfTagLibraries_andPages_doNotRun() {
        String page =
                "<%! public void jspInit() { System.setProperty(\"margay.test.page\", \"ran\"); }"
                        + " %><%@ taglib prefix=\"t\" uri=\"urn:t\" %>";
        Path war =
                app().classes("WEB-INF/classes/", List.of(), "p.Ear", EAR)
                        .text("WEB-INF/t.tld", TLD)
                        .text("page.jsp", page)
                        .to(temp.resolve("app.war"));
        assertNull(checked(war, true).conversion());
        assertNull(System.getProperty("margay.test.ear"));
        assertNull(System.getProperty("margay.test.page"));
        try (AppServer server = AppServer.start(war, "/app", temp.resolve("run"))) {
            assertEquals(200, server.get("/page.jsp").statusCode());
            assertEquals("made", System.clearProperty("margay.test.ear"));
            assertEquals("ran", System.clearProperty("margay.test.page"));
        }
    }

    @Test
    void contradictionsOfDeclarations_areFoundWithoutPages() {
        Path war =
                Archives.in(temp)
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app><servlet-mapping><servlet-name>gone</servlet-name>"
                                        + "<url-pattern>/x</url-pattern></servlet-mapping>"
                                        + "</web-app>")
                        .to(temp.resolve("app.war"));
        String message =
                String.valueOf(
                        assertThrows(DeploymentException.class, () -> deployer().check(war))
                                .getMessage());
        assertTrue(message.contains("gone"), message);
    }
}
