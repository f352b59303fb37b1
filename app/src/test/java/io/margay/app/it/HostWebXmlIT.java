package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `conf/Catalina/HOST/web.xml.default` of one of two hosts: what it says over `conf/web.xml` holds
/// for the applications of that host, as in Tomcat.
final class HostWebXmlIT {
    private static final String SERVER_XML =
            """
            <Server port="-1">
              <Service name="Catalina">
                <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"/>
                <Engine name="Catalina" defaultHost="a.example">
                  <Host name="a.example" appBase="webapps" autoDeploy="false"/>
                  <Host name="b.example" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """;

    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">%s</web-app>
            """;

    private static final String OF_ALL =
            """
            <context-param><param-name>one</param-name><param-value>all</param-value>
            </context-param>
            <context-param><param-name>two</param-name><param-value>all</param-value>
            </context-param>
            <filter><filter-name>all</filter-name><filter-class>shared.Mark</filter-class></filter>
            <filter-mapping><filter-name>all</filter-name><url-pattern>/*</url-pattern>
            </filter-mapping>
            <servlet><servlet-name>hello</servlet-name><servlet-class>shared.Hello</servlet-class>
              <init-param><param-name>from</param-name><param-value>all</param-value></init-param>
            </servlet>
            <servlet-mapping><servlet-name>hello</servlet-name><url-pattern>/hello</url-pattern>
            </servlet-mapping>
            <mime-mapping><extension>one</extension><mime-type>text/x-all</mime-type></mime-mapping>
            <mime-mapping><extension>two</extension><mime-type>text/x-all</mime-type></mime-mapping>
            <error-page><error-code>404</error-code><location>/page.jsp</location></error-page>
            """;

    private static final String OF_HOST =
            """
            <context-param><param-name>two</param-name><param-value>host</param-value>
            </context-param>
            <filter><filter-name>host</filter-name><filter-class>shared.Mark</filter-class></filter>
            <filter-mapping><filter-name>host</filter-name><url-pattern>/*</url-pattern>
            </filter-mapping>
            <servlet><servlet-name>hello</servlet-name><servlet-class>shared.Hello</servlet-class>
              <init-param><param-name>by</param-name><param-value>host</param-value></init-param>
            </servlet>
            <servlet><servlet-name>default</servlet-name>
              <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
              <init-param><param-name>listings</param-name><param-value>true</param-value>
              </init-param>
              <load-on-startup>1</load-on-startup>
            </servlet>
            <session-config><session-timeout>7</session-timeout></session-config>
            <mime-mapping><extension>two</extension><mime-type>text/x-host</mime-type>
            </mime-mapping>
            <welcome-file-list><welcome-file>host.html</welcome-file></welcome-file-list>
            <error-page><error-code>404</error-code><location>/host.html</location></error-page>
            <security-constraint>
              <web-resource-collection><web-resource-name>s</web-resource-name>
                <url-pattern>/secret/*</url-pattern></web-resource-collection>
              <auth-constraint/>
            </security-constraint>
            """;

    private static final String OWN =
            """
            <context-param><param-name>two</param-name><param-value>own</param-value>
            </context-param>
            <session-config><session-timeout>9</session-timeout></session-config>
            <mime-mapping><extension>two</extension><mime-type>text/x-own</mime-type></mime-mapping>
            <welcome-file-list><welcome-file>page.jsp</welcome-file></welcome-file-list>
            """;

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));
    private final List<String> requests = new ArrayList<>();

    @TempDir Path folder;

    private void library(Path lib) {
        Path _ =
                Archives.in(folder)
                        .classes(
                                "",
                                List.of(),
                                "shared.Mark",
                                """
                                package shared;
                                import jakarta.servlet.*;
                                public class Mark implements Filter {
                                    private String name;
                                    public void init(FilterConfig config) {
                                        name = config.getFilterName();
                                    }
                                    public void doFilter(ServletRequest q, ServletResponse s,
                                            FilterChain next)
                                            throws java.io.IOException, ServletException {
                                        q.setAttribute("marks", q.getAttribute("marks") + name);
                                        next.doFilter(q, s);
                                    }
                                }
                                """,
                                "shared.Hello",
                                """
                                package shared;
                                import jakarta.servlet.http.*;
                                public class Hello extends HttpServlet {
                                    protected void doGet(
                                            HttpServletRequest q, HttpServletResponse s)
                                            throws java.io.IOException {
                                        s.setContentType("text/plain");
                                        s.getWriter().print(getInitParameter("from") + " "
                                                + getInitParameter("by"));
                                    }
                                }
                                """)
                        .to(lib.resolve("shared.jar"));
    }

    private void application(Path webapps, String name, String webXml) {
        Path _ =
                Archives.in(folder)
                        .text("WEB-INF/web.xml", WEB_XML.formatted(webXml))
                        .text(
                                "page.jsp",
                                "${initParam.one} ${initParam.two} ${requestScope.marks}"
                                        + " ${pageContext.session.maxInactiveInterval}")
                        .text("host.html", "welcome of the host")
                        .text("index.html", "welcome of all")
                        .text("a.one", "one")
                        .text("a.two", "two")
                        .text("sub/b.one", "one")
                        .text("secret/page.jsp", "secret")
                        .toFolder(webapps.resolve(name));
        for (String host : List.of("a", "b")) {
            String at = "http://" + host + ".example/" + name;
            for (String path :
                    List.of("", "page.jsp", "a.one", "a.two", "hello", "none", "secret/page.jsp")) {
                requests.add(at + "/" + path);
            }
            requests.add("-I " + at + "/sub/");
        }
    }

    @Test
    void webXml_ofAHost_holdsForItsApplications_asInTomcat() throws Exception {
        Path base = base();
        library(base.resolve("lib"));
        application(base.resolve("webapps"), "shop", "");
        application(base.resolve("webapps"), "own", OWN);
        TomcatBeside beside = TomcatBeside.of(home, base, folder, List.of(80), requests);
        beside.assertAlike(Map.of());
        assertEquals(List.of(), beside.told());
    }

    private Path base() throws IOException {
        Path base = folder.toRealPath().resolve("base");
        Path ofHost = Files.createDirectories(base.resolve("conf/Catalina/a.example"));
        Files.createDirectories(base.resolve("lib"));
        Files.writeString(base.resolve("conf/server.xml"), SERVER_XML);
        String shipped = Files.readString(home.resolve("conf/web.xml"));
        Files.writeString(
                base.resolve("conf/web.xml"), shipped.replace("</web-app>", OF_ALL + "</web-app>"));
        Files.writeString(ofHost.resolve("web.xml.default"), WEB_XML.formatted(OF_HOST));
        return base;
    }
}
