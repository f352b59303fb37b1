package io.margay.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Pem;
import io.margay.app.cli.Arguments;
import io.margay.testkit.LoggedLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of a `CATALINA_BASE` in which something is wrong: all of it at once, with
/// file, line and remedy.
final class BaseCheckTest {
    private static final String CONSTRAINT =
            """
            <web-app>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>in</web-resource-name>
                  <url-pattern>/in/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>boss</role-name></auth-constraint>
              </security-constraint>
              %s
            </web-app>
            """;

    @TempDir Path base;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void applications() throws IOException {
        write("conf/tomcat-users.xml", "<tomcat-users/>");
        write("webapps/fine/index.html", "fine");
    }

    private void write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void server(String connectors, String host) throws IOException {
        write(
                "conf/server.xml",
                """
                <Server port="-1">
                <GlobalNamingResources>
                <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase"
                  factory="org.apache.catalina.users.MemoryUserDatabaseFactory"
                  pathname="conf/tomcat-users.xml"/>
                </GlobalNamingResources>
                <Service name="Catalina">
                %s
                <Engine name="Catalina" defaultHost="localhost">
                <Realm className="org.apache.catalina.realm.UserDatabaseRealm"
                  resourceName="UserDatabase"/>
                <Host name="localhost" appBase="webapps">%s</Host>
                </Engine></Service></Server>
                """
                        .formatted(connectors, host));
    }

    private int check() throws Exception {
        Arguments arguments = Arguments.parse(CheckCommand.COMMAND, List.of(base.toString()));
        try (PrintStream toOut = new PrintStream(out, true, UTF_8);
                PrintStream toErr = new PrintStream(err, true, UTF_8)) {
            return new CheckCommand(arguments, Map.of(), toOut, toErr).run();
        }
    }

    private void said(String... texts) {
        List<String> lines = err.toString(UTF_8).lines().toList();
        for (String text : texts) {
            assertEquals(1, lines.stream().filter(line -> line.contains(text)).count(), text + err);
        }
    }

    @Test
    void applications_thatCannotBeDeployed_areNamedWithFileAndLine() throws Exception {
        server("<Connector port='8080'/>", "");
        write(
                "webapps/servlet/WEB-INF/web.xml",
                """
                <web-app>
                  <servlet>
                    <servlet-name>orders</servlet-name>
                    <servlet-class>shop.Orders</servlet-class>
                  </servlet>
                </web-app>
                """);
        write(
                "webapps/filter/WEB-INF/web.xml",
                """
                <web-app>
                  <filter>
                    <filter-name>guard</filter-name>
                    <filter-class>shop.Guard</filter-class>
                  </filter>
                  <listener><listener-class>shop.Ear</listener-class></listener>
                </web-app>
                """);
        write(
                "webapps/tickets/WEB-INF/web.xml",
                CONSTRAINT.formatted(
                        "<login-config><auth-method>SPNEGO</auth-method></login-config>"));
        write("webapps/nobody/WEB-INF/web.xml", CONSTRAINT.formatted(""));
        assertEquals(ExitCode.FAILED, check());
        said(
                "/servlet: WEB-INF/web.xml:2:12: <servlet> orders: there is no class shop.Orders",
                "/filter: WEB-INF/web.xml:2:11: <filter> guard: there is no class shop.Guard",
                "/filter: WEB-INF/web.xml:6:13: <listener> there is no class shop.Ear",
                "/tickets: login-config: auth-method SPNEGO is not one of BASIC,",
                "margay: 4 errors");
        assertTrue(
                out.toString(UTF_8)
                        .contains("/nobody: nobody is allowed at /in/*: no user has the role boss"),
                out::toString);
    }

    /// The log of a command that serves nothing is not read.
    @Test
    void librariesThatAreConverted_areNamedOnce() throws Exception {
        server("<Connector port='8080'/>", "");
        write("conf/web.xml", "<web-app xmlns='http://xmlns.jcp.org/xml/ns/javaee'/>");
        write("lib/shop.properties", "servlet=javax.servlet.http.HttpServlet");
        try (LoggedLines log = LoggedLines.of("io.margay.app.deploy")) {
            assertEquals(ExitCode.DONE, check(), err::toString);
            assertEquals(0, log.count("libraries of all applications"), log::toString);
        }
        String said = "libraries of all applications: converted from javax";
        assertEquals(
                1, out.toString(UTF_8).lines().filter(line -> line.startsWith(said)).count(), said);
    }

    /// Tomcat serves what it has unpacked, with what somebody has changed in it since.
    @Test
    void unpackedCopy_thatSomebodyHasEdited_isNamed() throws Exception {
        server("<Connector port='8080'/>", "");
        for (String name : List.of("same", "edited")) {
            Path war = base.resolve("webapps/" + name + ".war");
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
                for (String file : List.of("index.html", "WEB-INF/classes/shop.properties")) {
                    zip.putNextEntry(new ZipEntry(file));
                    zip.write("a=b".getBytes(UTF_8));
                    write("webapps/" + name + "/" + file, "a=b");
                }
            }
            write("webapps/" + name + "/META-INF/war-tracker", "");
        }
        write("webapps/edited/WEB-INF/classes/shop.properties", "a=c");
        assertEquals(ExitCode.FAILED, check());
        said(
                "/webapps/edited: not served, for edited.war is, and one file differs:"
                        + " WEB-INF/classes/shop.properties",
                "margay: 1 error");
    }

    @Test
    void everythingThatIsWrong_isNamedAtOnce() throws Exception {
        Pem one = Pem.make(base, "one");
        Pem two = Pem.make(base, "two");
        server(
                """
                <Connector port='8443' SSLEnabled='true'>
                <SSLHostConfig protocols='TLSv1.1+TLSv1.3' ciphers='TLS_NO_SUCH_SUITE'>
                <Certificate certificateFile='%1$s' certificateKeyFile='%2$s'/>
                </SSLHostConfig>
                </Connector>
                <Connector port='8444' SSLEnabled='true'>
                <SSLHostConfig protocols='TLSv1'>
                <Certificate certificateFile='%1$s' certificateKeyFile='%3$s'/>
                </SSLHostConfig>
                </Connector>
                """
                        .formatted(one.cert(), two.key(), one.key()),
                "<Realm className='shop.OwnRealm'/>");
        write(
                "webapps/lost/WEB-INF/web.xml",
                "<web-app><listener><listener-class>shop.Ear"
                        + "</listener-class></listener></web-app>");
        assertEquals(ExitCode.FAILED, check());
        said(
                "conf/server.xml:9: SSLHostConfig: ",
                "conf/server.xml:9: SSLHostConfig protocols: ",
                "conf/server.xml:9: SSLHostConfig ciphers: ",
                "conf/server.xml:14: SSLHostConfig protocols: leaves neither TLS 1.2 nor TLS 1.3",
                "Realm shop.OwnRealm: is not known, so that nobody could log in",
                "/lost: WEB-INF/web.xml:1:20: <listener> there is no class shop.Ear");
    }

    @Test
    void valveThatCannotBeRead_isNamedOnce() throws Exception {
        server("", "<Valve className='org.apache.catalina.valves.SSLValve' internalProxies='1'/>");
        assertEquals(1, check());
        said("SSLValve: init-param internalProxies='1'");
    }
}
