package io.margay.servlet.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.SessionTrackingMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebXmlTest {
    static WebAppDescriptor read(String xml) {
        DescriptorAssembly assembly = new DescriptorAssembly(DescriptorLimits.defaults());
        assembly.webXml(xml.getBytes(StandardCharsets.UTF_8));
        return assembly.assemble(null, Map.of());
    }

    private static WebAppDescriptor body(String elements) {
        return read("<web-app version=\"6.1\">\n" + elements + "\n</web-app>");
    }

    private static List<String> problems(String xml) {
        return assertThrows(DescriptorException.class, () -> read(xml)).problems();
    }

    private static String problem(String elements) {
        List<String> problems = problems("<web-app version=\"6.1\">\n" + elements + "\n</web-app>");
        assertEquals(1, problems.size(), problems::toString);
        return problems.getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<web-app/>",
                "<web-app version='6.1' xmlns='https://jakarta.ee/xml/ns/jakartaee'/>",
                "<web-app version='4.0' xmlns='http://xmlns.jcp.org/xml/ns/javaee'/>",
                "<web-app version='3.0' xmlns='http://java.sun.com/xml/ns/javaee'/>",
                "<web-app version='2.4' xmlns='http://java.sun.com/xml/ns/j2ee'/>",
                "<j:web-app version='5.0' xmlns:j='https://jakarta.ee/xml/ns/jakartaee'/>",
            })
    void root_inAnyNameSpace_isRead(String xml) {
        assertTrue(read(xml).components().servlets().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"2.2,true", "2.3,true", "2.4,true", "2.5,false", "3.0,false", "6.1,false"})
    void version_beforeAnnotations_isComplete(String version, boolean complete) {
        WebAppDescriptor descriptor = read("<web-app version='" + version + "'/>");
        assertEquals(version, descriptor.general().version());
        assertEquals(complete, descriptor.general().metadataComplete());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.2", "2.3"})
    void doctype_ofOldVersions_givesTheVersionWithoutBeingFetched(String version) {
        WebAppDescriptor descriptor =
                read(
                        "<?xml version='1.0'?>\n<!DOCTYPE web-app PUBLIC '-//Sun Microsystems,"
                                + " Inc.//DTD Web Application "
                                + version
                                + "//EN'"
                                + " 'http://127.0.0.1:1/web-app.dtd'>\n<web-app>"
                                + "<display-name>old</display-name></web-app>");
        assertEquals(version, descriptor.general().version());
        assertEquals("old", descriptor.general().displayName());
    }

    @Test
    void doctype_withSystemIdOnTheNetwork_connectsNowhere() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(1);
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/x.dtd";
            read("<!DOCTYPE web-app SYSTEM '" + url + "'><web-app/>");
            problems(
                    "<!DOCTYPE web-app [<!ENTITY x SYSTEM '"
                            + url
                            + "'> <!ENTITY % p SYSTEM '"
                            + url
                            + "'> %p;]><web-app><display-name>&x;</display-name></web-app>");
            assertThrows(java.net.SocketTimeoutException.class, server::accept);
        }
    }

    @Test
    void entity_ofAFile_isRefusedAndNothingOfItShown(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "s3cret");
        List<String> problems =
                problems(
                        "<!DOCTYPE web-app [<!ENTITY x SYSTEM '"
                                + secret.toUri()
                                + "'>]>\n<web-app><display-name>&x;</display-name></web-app>");
        assertTrue(problems.getFirst().contains("entity"), problems::toString);
        assertFalse(problems.toString().contains("s3cret"));
    }

    @Test
    void entities_thatExpandToGigabytes_areRefused() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE web-app [<!ENTITY a0 'ha'>");
        for (int i = 1; i < 40; i++) {
            bomb.append("<!ENTITY a")
                    .append(i)
                    .append(" '&a")
                    .append(i - 1)
                    .append(";&a")
                    .append(i - 1)
                    .append(";'>");
        }
        bomb.append("]><web-app><display-name>&a39;</display-name></web-app>");
        assertTrue(problems(bomb.toString()).getFirst().contains("entity"));
    }

    @Test
    void servlet_withEverything_isRead() {
        ServletDef servlet =
                body("""
                <servlet>
                  <servlet-name> up </servlet-name>
                  <servlet-class>a.Up</servlet-class>
                  <init-param><param-name>x</param-name><param-value>1</param-value>
                  </init-param>
                  <load-on-startup>3</load-on-startup>
                  <enabled>false</enabled>
                  <async-supported>true</async-supported>
                  <run-as><role-name>boss</role-name></run-as>
                  <security-role-ref><role-name>b</role-name>
                    <role-link>boss</role-link></security-role-ref>
                  <multipart-config><location>/tmp</location>
                    <max-file-size>10</max-file-size>
                    <max-request-size>20</max-request-size>
                    <file-size-threshold>5</file-size-threshold>
                  </multipart-config>
                </servlet>
                """)
                        .components()
                        .servlets()
                        .getFirst();
        assertEquals("up", servlet.name());
        assertEquals("a.Up", servlet.className());
        assertEquals(Map.of("x", "1"), servlet.initParams());
        assertEquals(3, servlet.loadOnStartup());
        assertFalse(servlet.enabled());
        assertTrue(servlet.asyncSupported());
        assertEquals("boss", servlet.roles().runAs());
        assertEquals(Map.of("b", "boss"), servlet.roles().links());
        assertEquals(10, servlet.multipart().getMaxFileSize());
        assertEquals(20, servlet.multipart().getMaxRequestSize());
        assertEquals(5, servlet.multipart().getFileSizeThreshold());
    }

    @Test
    void loadOnStartup_emptyOrAbsent_isFirstOrLazy() {
        WebAppDescriptor descriptor =
                body(
                        "<servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class>"
                                + "<load-on-startup/></servlet><servlet><servlet-name>b"
                                + "</servlet-name><servlet-class>B</servlet-class></servlet>");
        assertEquals(0, descriptor.components().servlets().get(0).loadOnStartup());
        assertEquals(-1, descriptor.components().servlets().get(1).loadOnStartup());
    }

    @Test
    void filterMappings_withAllForms_areReadInOrder() {
        WebAppDescriptor descriptor =
                body(
                        """
                        <filter><filter-name>f</filter-name><filter-class>F</filter-class>
                          <async-supported>true</async-supported></filter>
                        <filter-mapping><filter-name>f</filter-name>
                          <url-pattern>/a/*</url-pattern><url-pattern>*.b</url-pattern>
                          <servlet-name>s</servlet-name>
                          <dispatcher>ERROR</dispatcher><dispatcher>ASYNC</dispatcher>
                        </filter-mapping>
                        <filter-mapping><filter-name>f</filter-name>
                          <url-pattern>/</url-pattern></filter-mapping>
                        """);
        var first = descriptor.components().filterMappings().getFirst();
        assertEquals(List.of("/a/*", "*.b"), first.urlPatterns());
        assertEquals(List.of("s"), first.servletNames());
        assertEquals(Set.of(DispatcherType.ERROR, DispatcherType.ASYNC), first.dispatchers());
        assertEquals(
                Set.of(DispatcherType.REQUEST),
                descriptor.components().filterMappings().get(1).dispatchers());
        assertTrue(descriptor.components().filters().getFirst().asyncSupported());
    }

    @Test
    void session_withEverything_isRead() {
        var session =
                body("""
                <session-config><session-timeout>-1</session-timeout>
                  <cookie-config><name>SID</name><domain>d</domain><path>/p</path>
                    <http-only>true</http-only><secure>false</secure>
                    <max-age>60</max-age>
                    <attribute><attribute-name>SameSite</attribute-name>
                      <attribute-value>Strict</attribute-value></attribute>
                  </cookie-config>
                  <tracking-mode>COOKIE</tracking-mode>
                  <tracking-mode>URL</tracking-mode>
                </session-config>
                """)
                        .session();
        assertEquals(-1, session.timeoutMinutes());
        assertEquals("SID", session.cookieName());
        assertEquals("d", session.cookieDomain());
        assertEquals("/p", session.cookiePath());
        assertEquals(true, session.httpOnly());
        assertEquals(false, session.secure());
        assertEquals(60, session.maxAgeSeconds());
        assertEquals(Map.of("SameSite", "Strict"), session.cookieAttributes());
        assertEquals(
                Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL),
                session.trackingModes());
    }

    @Test
    void session_absent_lastsThirtyMinutes() {
        assertEquals(30, body("").session().timeoutMinutes());
        assertNull(body("").session().cookieName());
    }

    @Test
    void smallElements_areRead() {
        WebAppDescriptor descriptor =
                body(
                        """
                        <distributable/>
                        <default-context-path>/shop</default-context-path>
                        <request-character-encoding>UTF-8</request-character-encoding>
                        <response-character-encoding>UTF-8</response-character-encoding>
                        <deny-uncovered-http-methods/>
                        <context-param><param-name>p</param-name><param-value>v</param-value>
                        </context-param>
                        <listener><listener-class>L1</listener-class></listener>
                        <listener><listener-class>L2</listener-class></listener>
                        <mime-mapping><extension>x</extension><mime-type>text/x</mime-type>
                        </mime-mapping>
                        <welcome-file-list><welcome-file>/a.html</welcome-file>
                          <welcome-file>sub/b.jsp</welcome-file></welcome-file-list>
                        <error-page><error-code>404</error-code><location>/e</location></error-page>
                        <error-page><exception-type>X</exception-type><location>/x</location>
                        </error-page>
                        <error-page><location>/d</location></error-page>
                        <locale-encoding-mapping-list><locale-encoding-mapping><locale>ja</locale>
                          <encoding>Shift_JIS</encoding></locale-encoding-mapping>
                        </locale-encoding-mapping-list>
                        <env-entry><env-entry-name>n</env-entry-name>
                          <env-entry-type>java.lang.Integer</env-entry-type>
                          <env-entry-value>1</env-entry-value></env-entry>
                        <resource-ref><res-ref-name>jdbc/a</res-ref-name>
                          <res-type>javax.sql.DataSource</res-type></resource-ref>
                        <security-role><role-name>r</role-name></security-role>
                        """);
        assertTrue(descriptor.general().distributable());
        assertTrue(descriptor.security().denyUncoveredMethods());
        assertEquals("/shop", descriptor.general().defaultContextPath());
        assertEquals("UTF-8", descriptor.content().requestEncoding());
        assertEquals("UTF-8", descriptor.content().responseEncoding());
        assertEquals(Map.of("p", "v"), descriptor.general().contextParams());
        assertEquals(List.of("L1", "L2"), descriptor.components().listeners());
        assertEquals(Map.of("x", "text/x"), descriptor.content().mimeTypes());
        assertEquals(List.of("a.html", "sub/b.jsp"), descriptor.content().welcomeFiles());
        assertEquals(
                List.of(
                        new ErrorPage(404, null, "/e"),
                        new ErrorPage(null, "X", "/x"),
                        new ErrorPage(null, null, "/d")),
                descriptor.content().errorPages());
        assertEquals(Map.of("ja", "Shift_JIS"), descriptor.content().localeEncodings());
        assertEquals("n", descriptor.naming().envEntries().getFirst().name());
        assertEquals("javax.sql.DataSource", descriptor.naming().resourceRefs().getFirst().type());
        assertEquals(Set.of("r"), descriptor.security().roles());
    }

    @Test
    void security_withEverything_isRead() {
        WebAppDescriptor descriptor =
                body(
                        """
                        <security-constraint>
                          <web-resource-collection><web-resource-name>w</web-resource-name>
                            <url-pattern>/a/*</url-pattern><http-method>GET</http-method>
                          </web-resource-collection>
                          <auth-constraint><role-name>boss</role-name></auth-constraint>
                          <user-data-constraint>
                            <transport-guarantee>CONFIDENTIAL</transport-guarantee>
                          </user-data-constraint>
                        </security-constraint>
                        <security-constraint>
                          <web-resource-collection><web-resource-name>w</web-resource-name>
                            <url-pattern>/a/*</url-pattern>
                            <http-method-omission>GET</http-method-omission>
                          </web-resource-collection>
                          <auth-constraint/>
                        </security-constraint>
                        <login-config><auth-method>FORM</auth-method><realm-name>R</realm-name>
                          <form-login-config><form-login-page>/l</form-login-page>
                            <form-error-page>/e</form-error-page></form-login-config>
                        </login-config>
                        """);
        var first = descriptor.security().constraints().getFirst();
        assertEquals(Set.of("boss"), first.roles());
        assertEquals("CONFIDENTIAL", first.transportGuarantee());
        assertEquals(Set.of("GET"), first.collections().getFirst().methods());
        var second = descriptor.security().constraints().get(1);
        assertEquals(Set.of(), second.roles());
        assertEquals(Set.of("GET"), second.collections().getFirst().omittedMethods());
        assertEquals("/l", descriptor.security().login().formLoginPage());
        assertEquals(Set.of("boss"), descriptor.security().roles());
    }

    @Test
    void jspConfig_withEverything_isRead() {
        var jsp =
                body("""
                <jsp-config>
                  <taglib><taglib-uri>u</taglib-uri>
                    <taglib-location>/WEB-INF/t.tld</taglib-location></taglib>
                  <jsp-property-group><url-pattern>*.x</url-pattern>
                    <el-ignored>true</el-ignored>
                    <page-encoding>UTF-8</page-encoding>
                    <scripting-invalid>true</scripting-invalid>
                    <is-xml>true</is-xml>
                    <include-prelude>/p</include-prelude>
                    <include-coda>/c</include-coda>
                    <trim-directive-whitespaces>true</trim-directive-whitespaces>
                    <default-content-type>text/x</default-content-type>
                    <buffer>none</buffer>
                    <error-on-undeclared-namespace>true</error-on-undeclared-namespace>
                  </jsp-property-group>
                </jsp-config>
                """)
                        .jsp();
        assertEquals("/WEB-INF/t.tld", jsp.taglibs().getFirst().location());
        var group = jsp.groups().getFirst();
        assertEquals(List.of("*.x"), group.urlPatterns());
        assertEquals("true", group.elIgnored());
        assertEquals(List.of("/p"), group.includePreludes());
        assertEquals(List.of("/c"), group.includeCodas());
        assertEquals("none", group.buffer());
        assertEquals("true", group.errorOnUndeclaredNamespace());
    }

    @Test
    void mapping_toAnUnknownServlet_namesPlaceAndNearest() {
        String problem =
                problem(
                        "<servlet><servlet-name>shop</servlet-name><servlet-class>S</servlet-class>"
                                + "</servlet>\n<servlet-mapping><servlet-name>shpo</servlet-name>"
                                + "<url-pattern>/s</url-pattern></servlet-mapping>");
        assertTrue(problem.startsWith("WEB-INF/web.xml:3:"), problem);
        assertTrue(problem.contains("<servlet-mapping>"), problem);
        assertTrue(problem.contains("Did you mean \"shop\"?"), problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "jsp"})
    void mapping_toAServletOfTheContainer_isAllowed(String name) {
        assertEquals(
                Map.of("/s/*", name),
                body("<servlet-mapping><servlet-name>"
                                + name
                                + "</servlet-name>"
                                + "<url-pattern>/s/*</url-pattern></servlet-mapping>")
                        .components()
                        .servletMappings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "foo|Write \"/foo\"",
                "*.|lacks its extension",
                "*.a/b|mixes extension and path",
                "http://x/|must begin with",
            })
    void urlPattern_wrong_isRefusedWithRemedy(String pattern, String remedy) {
        String problem =
                problem(
                        "<servlet-mapping><servlet-name>default</servlet-name><url-pattern>"
                                + pattern
                                + "</url-pattern></servlet-mapping>");
        assertTrue(problem.contains(remedy), problem);
        assertTrue(problem.contains("<url-pattern>"), problem);
    }

    @Test
    void urlPattern_withoutSlashInServlet22_getsOne() {
        WebAppDescriptor descriptor =
                read(
                        "<web-app version='2.2'><servlet-mapping><servlet-name>default"
                                + "</servlet-name><url-pattern>foo</url-pattern></servlet-mapping>"
                                + "</web-app>");
        assertEquals(Map.of("/foo", "default"), descriptor.components().servletMappings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<servlet><servlet-name>a</servlet-name><load-on-startup>x</load-on-startup>"
                        + "</servlet>|is not a whole number",
                "<servlet><servlet-class>A</servlet-class></servlet>|has no <servlet-name>",
                "<filter-mapping><filter-name>f</filter-name><url-pattern>/</url-pattern>"
                        + "</filter-mapping>|there is no filter named \"f\"",
                "<filter><filter-name>f</filter-name></filter>|has no <filter-class>",
                "<error-page><error-code>4o4</error-code><location>/</location></error-page>"
                        + "|not a whole number from 100 to 999",
                "<error-page><location>e</location></error-page>|must begin with /",
                "<session-config><session-timeout>soon</session-timeout></session-config>"
                        + "|session-timeout",
                "<request-character-encoding>UTF-99</request-character-encoding>|Write UTF-8",
                "<welcome-file-list><welcome-file>a/</welcome-file></welcome-file-list>"
                        + "|must not end with",
                "<ordering/>|belongs into web-fragment.xml",
                "<login-config><auth-method>FORM</auth-method></login-config>|form-login-config",
                "<listener/>|has no <listener-class>",
            })
    void mistake_inAnElement_isNamedWithLineColumnAndRemedy(String xml, String words) {
        String problem = problem(xml);
        assertTrue(problem.matches("(?s)WEB-INF/web.xml:2:\\d+: <.*"), problem);
        assertTrue(problem.contains(words), problem);
    }

    @Test
    void servletName_twice_namesTheFirstLine() {
        String servlet =
                "<servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class>"
                        + "</servlet>\n";
        String problem = problem(servlet + servlet);
        assertTrue(problem.startsWith("WEB-INF/web.xml:3:"), problem);
        assertTrue(problem.contains("twice, first in line 2"), problem);
    }

    @Test
    void pattern_ofTwoServlets_isRefused() {
        String problem =
                problem(
                        "<servlet-mapping><servlet-name>default</servlet-name><url-pattern>/a"
                                + "</url-pattern></servlet-mapping><servlet-mapping><servlet-name>"
                                + "jsp</servlet-name><url-pattern>/a</url-pattern>"
                                + "</servlet-mapping>");
        assertTrue(problem.contains("is mapped to servlet jsp, but also to default"), problem);
    }

    @Test
    void mistakes_several_areAllReported() {
        List<String> problems =
                problems("<web-app>\n<listener/>\n<servlet/>\n<filter/>\n</web-app>");
        assertEquals(3, problems.size(), problems::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<web-app>", "", "no xml", "<web-app></web>", "<a/><b/>"})
    void xml_malformed_isOneProblemWithAPlace(String xml) {
        List<String> problems = problems(xml);
        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().startsWith("WEB-INF/web.xml:"), problems::toString);
    }

    @Test
    void xml_nestedTooDeep_isRefused() {
        List<String> problems =
                problems("<web-app>" + "<a>".repeat(40) + "</a>".repeat(40) + "</web-app>");
        assertTrue(problems.getFirst().contains("depthMax"), problems::toString);
    }

    @Test
    void callbacks_ofClasses_areReadOnceEach() {
        String callback =
                "<post-construct><lifecycle-callback-class>a.B</lifecycle-callback-class>"
                        + "<lifecycle-callback-method>begin</lifecycle-callback-method>"
                        + "</post-construct>";
        WebAppDescriptor descriptor =
                body(callback + callback.replace("post-construct", "pre-destroy"));
        assertEquals(Map.of("a.B", "begin"), descriptor.callbacks().postConstruct());
        assertEquals(Map.of("a.B", "begin"), descriptor.callbacks().preDestroy());
        assertEquals(1, problems("<web-app>" + callback + callback + "</web-app>").size());
        assertEquals(2, problems("<web-app>\n<pre-destroy/>\n</web-app>").size());
    }

    @Test
    void element_unknown_isAWarningWithTheNearest() {
        DescriptorAssembly assembly = new DescriptorAssembly(DescriptorLimits.defaults());
        assembly.webXml(
                "<web-app>\n<servlet-maping/>\n</web-app>".getBytes(StandardCharsets.UTF_8));
        assembly.assemble(null, Map.of());
        assertTrue(
                assembly.warnings().getFirst().contains("did you mean <servlet-mapping>?"),
                assembly.warnings()::toString);
    }
}
