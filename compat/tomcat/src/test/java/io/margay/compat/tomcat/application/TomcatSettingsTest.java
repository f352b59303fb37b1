package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.security.UsersFile;
import io.margay.testkit.Archives;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// WARs written for Tomcat: their `META-INF/context.xml` and the classes that their web.xml names.
class TomcatSettingsTest {
    private static final String PAGE =
            "<%@ page session=\"true\" %><%= application.getInitParameter(\"a\") %>";
    private static final String VALVE =
            "<Valve className=\"org.apache.catalina.valves.RemoteCIDRValve\" ";

    @TempDir Path temp;

    private Path war(String contextXml, String webXml) {
        return Archives.in(temp)
                .text("META-INF/context.xml", "<Context>" + contextXml + "</Context>")
                .text(
                        "WEB-INF/web.xml",
                        "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'>"
                                + webXml
                                + "</web-app>")
                .text("index.jsp", PAGE)
                .text("static/a.txt", "a file")
                .to(temp.resolve("app.war"));
    }

    private AppServer serve(String contextXml, String webXml) {
        return AppServer.start(war(contextXml, webXml), "/app", temp.resolve("work"), app -> app);
    }

    private static String filter(String name, String className, String... params) {
        StringBuilder xml =
                new StringBuilder("<filter><filter-name>")
                        .append(name)
                        .append("</filter-name><filter-class>org.apache.catalina.filters.")
                        .append(className)
                        .append("</filter-class>");
        for (int i = 0; i < params.length; i += 2) {
            xml.append("<init-param><param-name>")
                    .append(params[i])
                    .append("</param-name><param-value>")
                    .append(params[i + 1])
                    .append("</param-value></init-param>");
        }
        return xml.append("</filter><filter-mapping><filter-name>")
                .append(name)
                .append("</filter-name><url-pattern>/*</url-pattern></filter-mapping>")
                .toString();
    }

    @Test
    void whatHasNoEffect_ofTheApplicationsOwnFiles_isToldByTheCheck() {
        Path war =
                Archives.in(temp)
                        .text("META-INF/context.xml", "<Context>\n<Manager/>\n</Context>")
                        .text("WEB-INF/classes/logging.properties", ".level = FINE")
                        .to(temp.resolve("told.war"));
        List<String> notes =
                AppServer.deployer(temp.resolve("work"), app -> app).check(war).notes();
        assertEquals(
                List.of(
                        "META-INF/context.xml:2:11: <Manager>: has no effect here",
                        "WEB-INF/classes/logging.properties: is not read: the log goes to stderr,"
                                + " with the level of --log"),
                notes);
    }

    @Test
    void cookieNameSameSiteAndParameter_ofContextXml_areApplied() {
        try (AppServer server =
                serve(
                        "<CookieProcessor sameSiteCookies='strict'/>"
                                + "<Parameter name='a' value='from context'/>"
                                + VALVE
                                + "allow='127.0.0.0/8'/>",
                        "<session-config><cookie-config><name>WEB</name></cookie-config>"
                                + "</session-config>")) {
            HttpResponse<String> answer = server.get("/index.jsp");
            assertEquals(200, answer.statusCode());
            assertEquals("from context", answer.body());
            String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(cookie.startsWith("WEB="), cookie);
            assertTrue(cookie.contains("SameSite=Strict"), cookie);
        }
    }

    @Test
    void client_thatTheValveKeepsOut_getsNothing() {
        try (AppServer server =
                serve(
                        VALVE + "deny='127.0.0.0/8' denyStatus='404'/>",
                        filter("h", "HttpHeaderSecurityFilter"))) {
            for (String path : new String[] {"/index.jsp", "/static/a.txt", "/none", "/"}) {
                HttpResponse<String> answer = server.get(path);
                assertEquals(404, answer.statusCode(), path);
                assertTrue(
                        answer.headers().firstValue("X-Frame-Options").isEmpty(),
                        "the valve runs before the application's filters");
            }
        }
    }

    @Test
    void valves_ofEveryKind_runInAnApplication() {
        String valve = "<Valve className='org.apache.catalina.valves.";
        try (AppServer server =
                serve(
                        valve
                                + "SemaphoreValve' concurrency='5'/>"
                                + valve
                                + "StuckThreadDetectionValve' threshold='60'/>"
                                + valve
                                + "CrawlerSessionManagerValve' crawlerUserAgents='bot'/>",
                        "")) {
            HttpResponse<String> answer = server.get("/index.jsp", "User-Agent", "bot");
            assertEquals(200, answer.statusCode(), answer.body());
            String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(cookie.startsWith("JSESSIONID="), cookie);
            assertTrue(
                    server.get("/index.jsp", "User-Agent", "bot")
                            .headers()
                            .firstValue("Set-Cookie")
                            .isEmpty(),
                    "the crawler has its session again");
        }
    }

    @Test
    void valve_thatMayRestrictAccess_stopsTheDeployment() {
        Path war = war("\n<Valve className='com.example.AuthValve'/>", "");
        DeploymentException failure =
                assertThrows(
                        DeploymentException.class,
                        () -> AppServer.deployer(temp.resolve("w"), app -> app).deploy(war, ""));
        assertTrue(failure.getMessage().contains("META-INF/context.xml:2:"), failure.getMessage());
        assertTrue(failure.getMessage().contains("com.example.AuthValve"), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "Basic, '', 401, Basic realm=",
        "Digest, BASIC, 401, Digest realm=",
        "SSL, BASIC, 401, ",
        "NonLogin, BASIC, 403, "
    })
    void authenticator_ofContextXml_asksInPlaceOfTheWayOfWebXml(
            String valve, String method, int status, @Nullable String challenge) {
        String constraint =
                "<security-constraint><web-resource-collection>"
                        + "<web-resource-name>all</web-resource-name>"
                        + "<url-pattern>/*</url-pattern></web-resource-collection>"
                        + "<auth-constraint><role-name>in</role-name></auth-constraint>"
                        + "</security-constraint>";
        String login =
                method.equals("BASIC")
                        ? "<login-config><auth-method>BASIC</auth-method></login-config>"
                        : "";
        Path war =
                war(
                        "<Valve className='org.apache.catalina.authenticator."
                                + valve
                                + "Authenticator'/>",
                        constraint + login);
        byte[] none = "<tomcat-users/>".getBytes(StandardCharsets.UTF_8);
        UsersFile nobody = UsersFile.read("users.xml", none);
        try (AppServer server =
                AppServer.start(war, "/app", temp.resolve("w"), app -> app.withRealm(nobody))) {
            HttpResponse<String> answer = server.get("/static/a.txt");
            assertEquals(status, answer.statusCode());
            String asked = answer.headers().firstValue("WWW-Authenticate").orElse("");
            assertTrue(asked.startsWith(challenge == null ? "" : challenge), asked);
            assertEquals(challenge == null, asked.isEmpty());
        }
    }

    @Test
    void check_readsContextXmlToo() {
        Path war = war("\n<Resource type='x'/>", "");
        String message =
                assertThrows(
                                DeploymentException.class,
                                () -> AppServer.deployer(temp.resolve("w"), app -> app).check(war))
                        .getMessage();
        assertTrue(message.contains("META-INF/context.xml:2:"), message);
        assertTrue(message.contains("name is missing"), message);
    }

    @Test
    void filters_ofTomcat_areOurs_andForwardedTlsMakesTheSessionCookieSecure_CVE_2023_28708() {
        try (AppServer server =
                serve(
                        "",
                        filter("ip", "RemoteIpFilter", "internalProxies", "127.0.0.1")
                                + filter("h", "HttpHeaderSecurityFilter", "hstsMaxAgeSeconds", "5")
                                + filter("e", "ExpiresFilter", "ExpiresDefault", "A60"))) {
            HttpResponse<String> plain = server.get("/index.jsp");
            assertEquals("DENY", plain.headers().firstValue("X-Frame-Options").orElseThrow());
            assertEquals("max-age=60", plain.headers().firstValue("Cache-Control").orElseThrow());
            assertTrue(plain.headers().firstValue("Strict-Transport-Security").isEmpty());
            HttpResponse<String> tls = server.get("/index.jsp", "X-Forwarded-Proto", "https");
            assertEquals(
                    "max-age=5",
                    tls.headers().firstValue("Strict-Transport-Security").orElseThrow());
            String cookie = tls.headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(cookie.contains("Secure"), cookie);
            String insecure = plain.headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(!insecure.contains("Secure"), insecure);
            assertEquals("a file", server.get("/static/a.txt").body());
            assertEquals(
                    "max-age=60",
                    server.get("/static/a.txt")
                            .headers()
                            .firstValue("Cache-Control")
                            .orElseThrow());
        }
    }

    @Test
    void filter_withWrongParameter_isAnErrorThatNamesIt() {
        Path war = war("", filter("cors", "CorsFilter", "cors.preflight.maxage", "soon"));
        DeploymentException failure =
                assertThrows(
                        DeploymentException.class,
                        () -> AppServer.deployer(temp.resolve("w"), app -> app).deploy(war, ""));
        assertTrue(failure.getMessage().contains("cors.preflight.maxage"), failure.getMessage());
    }

    @Test
    void defaultServlet_ofTomcat_isOurs() {
        String servlet =
                "<servlet><servlet-name>files</servlet-name><servlet-class>"
                        + "org.apache.catalina.servlets.DefaultServlet</servlet-class></servlet>"
                        + "<servlet-mapping><servlet-name>files</servlet-name>"
                        + "<url-pattern>*.txt</url-pattern></servlet-mapping>";
        try (AppServer server = serve("", servlet)) {
            assertEquals("a file", server.get("/static/a.txt").body());
        }
    }

    @Test
    void cgiServlet_isAnErrorWithARemedy() {
        Path war =
                war(
                        "",
                        "<servlet><servlet-name>cgi</servlet-name><servlet-class>"
                                + "org.apache.catalina.servlets.CGIServlet"
                                + "</servlet-class></servlet>");
        DeploymentException failure =
                assertThrows(
                        DeploymentException.class,
                        () -> AppServer.deployer(temp.resolve("w"), app -> app).deploy(war, ""));
        assertTrue(failure.getMessage().contains("CGIServlet"), failure.getMessage());
        assertTrue(failure.getMessage().contains("remove the servlet"), failure.getMessage());
    }
}
