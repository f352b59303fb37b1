package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folders of Debian's package `tomcat10` as they stand, with an application put into `webapps`
/// and Tomcat's manager as the package `tomcat10-admin` adds it, served by that Tomcat and by
/// `./margay tomcat`. Of the files only the port is another one. Where the package is not
/// installed, Tomcat 11 with its own settings stands in the same folders.
final class DebianTomcatIT {
    private static final Path PACKAGE = Path.of("/usr/share/tomcat10");
    private static final Path PACKAGED_ROOT = Path.of("/usr/share/tomcat10-root/default_root");

    private static final List<String> REQUESTS =
            Stream.of(
                            "/",
                            "-I /",
                            "/?a=b",
                            "/index.html",
                            "/index.html;a=b",
                            "-X POST /index.html",
                            "-X PUT /index.html",
                            "-X DELETE /index.html",
                            "-X OPTIONS /",
                            "-X TRACE /",
                            "-X BREW /",
                            "-H Range:bytes=0-4 /index.html",
                            "-H Range:bytes=999999- /index.html",
                            "-H If-Modified-Since:Fri,%2031%20Dec%202100%2023:59:59%20GMT /",
                            "/META-INF/context.xml",
                            "/WEB-INF/",
                            "/favicon.ico",
                            "/no-such-page",
                            "/no-such-folder/",
                            "/../index.html",
                            "/%2e%2e/index.html",
                            "//index.html",
                            "/a%2Fb",
                            "/docs/",
                            "/examples/",
                            "/shop",
                            "/shop/",
                            "/shop/index.jsp?a=%C3%A9",
                            "-d a=b /shop/index.jsp",
                            "-c {jar} -b {jar} /shop/count.jsp",
                            "-c {jar} -b {jar} /shop/count.jsp",
                            "/shop/count.jsp",
                            "/shop/log.jsp",
                            "/shop/fail.jsp",
                            "/shop/style.css",
                            "/shop/WEB-INF/web.xml",
                            "/shop/in/",
                            "-u ada:secret /shop/in/",
                            "-u ada:wrong /shop/in/",
                            "/manager/",
                            "/manager/text/list",
                            "-u ada:secret /manager/text/list")
                    .map(DebianTomcatIT::at)
                    .toList();

    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    at("/a%2Fb"),
                    "is refused by both; what cannot be read as a path has an answer of plain text",
                    at("/../index.html"),
                    "is refused by both; what cannot be read as a path has an answer of plain text",
                    at("-X BREW /"),
                    "a method that is unknown is answered with those that a file knows",
                    at("/%2e%2e/index.html"),
                    "front ends and servers read encoded dots differently: refused",
                    at("/manager/"),
                    "Tomcat's own manager is not served: --admin opens a console",
                    at("/manager/text/list"),
                    "Tomcat's own manager is not served: --admin has its text interface",
                    at("-u ada:secret /manager/text/list"),
                    "Tomcat's own manager is not served: --admin has its text interface");

    private static final String IN_UTF_8 =
            "the challenge says that names and passwords are read in UTF-8, as Tomcat 11's does";

    /// Those of Tomcat 10.1 alone.
    private static final Map<String, String> OF_THE_PACKAGE =
            Map.of(at("/shop/in/"), IN_UTF_8, at("-u ada:wrong /shop/in/"), IN_UTF_8);

    /// A request with the address in front of its path.
    private static String at(String request) {
        int path = request.lastIndexOf(' ') + 1;
        return request.substring(0, path) + "http://localhost:8080" + request.substring(path);
    }

    private final boolean packaged = Files.isRegularFile(PACKAGE.resolve("bin/bootstrap.jar"));
    private final Path tomcat =
            packaged ? PACKAGE : Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void folderOfThePackage_isServedAsByItsTomcat() throws Exception {
        Path base = folders(folder.toRealPath());
        shop(base.resolve("webapps/shop.war"));
        TomcatBeside beside = TomcatBeside.of(tomcat, base, folder, List.of(8080), REQUESTS);
        Map<String, String> exceptions = new HashMap<>(EXCEPTIONS);
        if (packaged) {
            exceptions.putAll(OF_THE_PACKAGE);
        }
        beside.assertAlike(exceptions);
        String told = String.join("\n", beside.told());
        assertTrue(told.contains("manager.xml:2: Context privileged: "), told);
        assertEquals(1, beside.told().size(), "all else in the files is honoured: " + told);
        String output = String.join("\n", beside.output());
        assertTrue(output.contains("this is Tomcat's own manager"), output);
        assertTrue(output.contains(" DEBUG orders: an order"), "of its level: " + output);
        assertFalse(output.contains("no such thing"), "below the level of all: " + output);
        assertFalse(output.contains("a note"), "below the application's level: " + output);
        try (Stream<Path> logs = Files.list(base.resolve("logs"))) {
            List<Path> all = logs.toList();
            assertTrue(
                    all.stream().anyMatch(log -> name(log).startsWith("localhost_access")),
                    "the requests are logged where Tomcat logs them");
            Path records =
                    all.stream()
                            .filter(log -> name(log).matches("catalina\\.[-0-9]{10}\\.log"))
                            .findFirst()
                            .orElseThrow();
            // Of Margay alone: the test starts Tomcat without the settings of its log.
            assertTrue(
                    Files.readString(records)
                            .matches(
                                    "(?s).*\\d\\d-\\p{L}+-\\d{4} [0-9:]{8}\\.\\d{3} FINE \\[[^]]+]"
                                            + " [\\w.]+\\._jspService an order\n.*"),
                    "records are where Tomcat writes them, as it writes them");
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /// The folders as the package lays them out.
    ///
    /// @return `/var/lib/tomcat10`
    private Path folders(Path root) throws IOException {
        Path conf = Files.createDirectories(root.resolve("etc/tomcat10"));
        try (Stream<Path> files = Files.list(tomcat.resolve(packaged ? "etc" : "conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, conf.resolve(file.getFileName().toString()));
            }
        }
        Path server = conf.resolve("server.xml");
        String settings = Files.readString(server);
        Files.writeString(
                server,
                settings.replaceFirst("<Server port=\"\\d+\"", "<Server port=\"-1\"")
                        .replaceFirst(
                                "<Connector port=\"8080\"",
                                "<Connector port=\"0\" address=\"127.0.0.1\""));
        Files.writeString(
                conf.resolve("tomcat-users.xml"),
                "<tomcat-users><user username='ada' password='secret'"
                        + " roles='buyer,manager-script'/></tomcat-users>");
        Files.writeString(
                conf.resolve("logging.properties"),
                """

                shop.orders.level = FINE
                org.apache.catalina.core.ContainerBase.[Catalina].[localhost].[/shop].level = \
                WARNING
                """,
                StandardOpenOption.APPEND);
        Path base = Files.createDirectories(root.resolve("var/lib/tomcat10"));
        Path logs = Files.createDirectories(root.resolve("var/log/tomcat10"));
        Path work = Files.createDirectories(root.resolve("var/cache/tomcat10"));
        Files.createSymbolicLink(base.resolve("conf"), conf);
        Files.createSymbolicLink(base.resolve("logs"), base.relativize(logs));
        Files.createSymbolicLink(base.resolve("work"), base.relativize(work));
        Files.createDirectories(base.resolve("lib"));
        Files.createDirectories(base.resolve("webapps"));
        if (packaged) {
            TomcatBeside.copy(PACKAGED_ROOT, base.resolve("webapps/ROOT"));
        } else {
            write(base.resolve("webapps/ROOT/index.html"), "It works!");
            write(base.resolve("webapps/ROOT/META-INF/context.xml"), "<Context/>");
        }
        manager(conf, root.resolve("usr/share/tomcat10-admin/manager"));
        return base;
    }

    /// Tomcat's text interface, declared as its package does.
    private static void manager(Path conf, Path folder) throws IOException {
        write(
                folder.resolve("WEB-INF/web.xml"),
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                  <servlet>
                    <servlet-name>Manager</servlet-name>
                    <servlet-class>org.apache.catalina.manager.ManagerServlet</servlet-class>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>Manager</servlet-name>
                    <url-pattern>/text/*</url-pattern>
                  </servlet-mapping>
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>all</web-resource-name>
                      <url-pattern>/*</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>manager-script</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                  <security-role><role-name>manager-script</role-name></security-role>
                </web-app>
                """);
        write(
                conf.resolve("Catalina/localhost/manager.xml"),
                """
                <Context path="/manager" docBase="%s"
                         antiResourceLocking="false" privileged="true">
                  <CookieProcessor className="org.apache.tomcat.util.http.Rfc6265CookieProcessor"
                                   sameSiteCookies="strict" />
                  <Valve className="org.apache.catalina.valves.RemoteAddrValve"
                         allow="127\\.\\d+\\.\\d+\\.\\d+|::1|0:0:0:0:0:0:0:1" />
                </Context>
                """
                        .formatted(folder));
    }

    /// An application that somebody has put into `webapps`.
    private void shop(Path war) {
        Archives.in(folder)
                .text(
                        "index.jsp",
                        "<%= request.getParameter(\"a\") %> <%= request.getContextPath() %>")
                .text(
                        "count.jsp",
                        "<% Integer n = (Integer) session.getAttribute(\"n\");"
                                + " n = n == null ? 1 : n + 1; session.setAttribute(\"n\", n); %>"
                                + "<%= n %>")
                .text(
                        "log.jsp",
                        "<%@ page import=\"java.util.logging.Logger\" %><%"
                                + " Logger.getLogger(\"shop.orders\").fine(\"an order\");"
                                + " Logger.getLogger(\"shop.goods\").fine(\"no such thing\");"
                                + " application.log(\"a note\"); %>")
                .text("fail.jsp", "<% response.sendError(409, \"sold out\"); %>")
                .text("style.css", "b { color: teal }")
                .text("in/index.html", "for buyers")
                .text(
                        "WEB-INF/web.xml",
                        """
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                          <security-constraint>
                            <web-resource-collection>
                              <web-resource-name>in</web-resource-name>
                              <url-pattern>/in/*</url-pattern>
                            </web-resource-collection>
                            <auth-constraint><role-name>buyer</role-name></auth-constraint>
                          </security-constraint>
                          <login-config><auth-method>BASIC</auth-method></login-config>
                          <security-role><role-name>buyer</role-name></security-role>
                        </web-app>
                        """)
                .to(war);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
