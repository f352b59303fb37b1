package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.client.RemoteCidrFilter;
import io.margay.compat.tomcat.client.RemoteHostFilter;
import io.margay.compat.tomcat.client.RemoteIpFilter;
import io.margay.compat.tomcat.filter.CookieAttributesFilter;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptorBuilder;
import io.margay.servlet.descriptor.WebAppDescriptors;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.SessionTrackingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContextXmlTest {
    private static final String FILE = "app.war!/META-INF/context.xml";
    private static final String VALVES = "org.apache.catalina.valves.";

    private static ContextSettings read(String xml) {
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        return ContextXml.settings(ContextXml.tree(FILE, bytes, DescriptorLimits.defaults()));
    }

    private static String failure(String xml) {
        return assertThrows(DescriptorException.class, () -> read(xml)).getMessage();
    }

    @Test
    void context_asOfTomcatsExamples_restrictsCookiesAndClients() {
        ContextSettings settings =
                read(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <Context ignoreAnnotations="true">
                          <CookieProcessor
                              className="org.apache.tomcat.util.http.Rfc6265CookieProcessor"
                              sameSiteCookies="strict" />
                          <Valve className="org.apache.catalina.valves.RemoteCIDRValve"
                                 allow="127.0.0.0/8,::1/128" />
                        </Context>
                        """);
        WebAppDescriptor descriptor = settings.applyTo(WebAppDescriptors.empty());
        assertEquals(Map.of("SameSite", "Strict"), descriptor.session().cookieAttributes());
        FilterDef first = descriptor.components().filters().getFirst();
        assertEquals(RemoteCidrFilter.class.getName(), first.className());
        assertEquals(Map.of("allow", "127.0.0.0/8,::1/128"), first.initParams());
        assertTrue(first.asyncSupported());
        assertEquals(
                List.of("/*"), descriptor.components().filterMappings().getFirst().urlPatterns());
        assertEquals(
                Set.of(DispatcherType.REQUEST),
                descriptor.components().filterMappings().getFirst().dispatchers());
        assertEquals(
                CookieAttributesFilter.class.getName(),
                descriptor.components().filters().get(1).className());
        assertEquals(1, settings.warnings().size());
        assertTrue(settings.warnings().getFirst().startsWith(FILE + ":2:"));
        assertTrue(settings.warnings().getFirst().contains("ignoreAnnotations"));
    }

    @Test
    void valves_runBeforeTheFiltersOfTheApplication_inOrder() {
        ContextSettings settings =
                read(
                        "<Context><Valve className='"
                                + VALVES
                                + "RemoteIpValve'"
                                + " internalProxies='10.0.0.1'/>\n<Valve className='"
                                + VALVES
                                + "RemoteHostValve' deny='.*\\.evil\\.example'/></Context>");
        FilterDef own = new FilterDef("own", "com.example.Own", Map.of(), false);
        WebAppDescriptor descriptor = settings.applyTo(TomcatClassesTest.withFilters(own));
        assertEquals(
                List.of(
                        RemoteIpFilter.class.getName(),
                        RemoteHostFilter.class.getName(),
                        "com.example.Own"),
                descriptor.components().filters().stream().map(FilterDef::className).toList());
        assertEquals(List.of(), settings.warnings());
        assertEquals(
                3,
                descriptor.components().filters().stream().map(FilterDef::name).distinct().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.example.RemoteUserValve",
                "com.example.MyAuthValve",
                "com.example.ACCESSCONTROL",
                "com.example.SecurityValve",
                "org.apache.catalina.valves.FilterValve",
                "com.example.RewriteValve",
                "org.apache.catalina.authenticator.SpnegoAuthenticator"
            })
    void valve_thatMayRestrictAccess_stopsTheDeployment(String className) {
        String message = failure("<Context>\n  <Valve className='" + className + "'/></Context>");
        assertTrue(message.startsWith(FILE + ":2:"), message);
        assertTrue(message.contains(className), message);
    }

    @Test
    void authenticator_thatWouldAskAgain_whomAnotherApplicationKnows_stopsTheDeployment() {
        String message =
                failure(
                        "<Context><Valve"
                                + " className='org.apache.catalina.authenticator.FormAuthenticator'"
                                + " ssoReauthenticationMode='full'/></Context>");
        assertTrue(message.contains("ssoReauthenticationMode='full'"), message);
    }

    @Test
    void authenticator_withAttributesThatChangeSomething_isToldOfThemAlone() {
        ContextSettings settings =
                read(
                        "<Context><Valve className='org.apache.catalina.authenticator"
                                + ".BasicAuthenticator' cache='false'"
                                + " changeSessionIdOnAuthentication='true'"
                                + " alwaysUseSession='true' disableProxyCaching='false'/>"
                                + "</Context>");
        assertEquals("BASIC", settings.login());
        assertEquals(2, settings.warnings().size(), settings.warnings().toString());
        assertTrue(settings.warnings().getFirst().contains("alwaysUseSession='true'"));
        assertTrue(settings.warnings().getLast().contains("disableProxyCaching='false'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.catalina.valves.AccessLogValve",
                "org.apache.catalina.valves.ErrorReportValve",
                "org.apache.catalina.authenticator.SingleSignOn",
                "com.example.TimingValve"
            })
    void valve_thatDoesNot_isLeftOutWithAWarning(String className) {
        ContextSettings settings =
                read("<Context>\n\n<Valve className='" + className + "'/></Context>");
        assertEquals(List.of(), settings.filters());
        assertEquals(1, settings.warnings().size());
        assertTrue(settings.warnings().getFirst().startsWith(FILE + ":3:"));
        assertTrue(settings.warnings().getFirst().contains(className));
    }

    @ParameterizedTest
    @CsvSource({
        "RemoteCIDRValve, allow='10.0.0.0/33'",
        "RemoteCIDRValve, alow='10.0.0.0/8' deny='::1'",
        "RemoteCIDRValve, allow='${addresses}'",
        "RemoteCIDRValve, ''",
        "RemoteAddrValve, allow='('",
        "RemoteAddrValve, deny='10[.].*' invalidAuthenticationWhenDeny='true'",
        "RemoteIpValve, internalProxies='10.0.0.0/33'"
    })
    void valve_withWrongParameters_stopsTheDeploymentWithItsLine(String name, String attributes) {
        String message =
                failure(
                        "<Context>\n<Valve className='"
                                + VALVES
                                + name
                                + "' "
                                + attributes
                                + "/></Context>");
        assertTrue(message.startsWith(FILE + ":2:"), message);
        assertTrue(message.contains(name), message);
    }

    @Test
    void sessionCookie_isAsContextXmlSays_overWebXml() {
        ContextSettings settings =
                read(
                        "<Context sessionCookieName='SID' sessionCookiePath='/' useHttpOnly='false'"
                                + " sessionCookieDomain='a.example' usePartitioned='true'"
                                + " cookies='false'/>");
        WebAppDescriptor.SessionDef session = settings.applyTo(WebAppDescriptors.empty()).session();
        assertEquals("SID", session.cookieName());
        assertEquals("/", session.cookiePath());
        assertEquals("a.example", session.cookieDomain());
        assertEquals(false, session.httpOnly());
        assertEquals(Map.of("Partitioned", ""), session.cookieAttributes());
        assertEquals(Set.of(SessionTrackingMode.URL), session.trackingModes());
        assertEquals(List.of(), settings.warnings());
    }

    @Test
    void context_withNothing_changesNothing() {
        WebAppDescriptor before = WebAppDescriptors.empty();
        assertEquals(before, read("<Context/>").applyTo(before));
        assertEquals(before, ContextSettings.none().applyTo(before));
        assertFalse(read("<Context/>").crossContext());
    }

    @Test
    void parametersAndEnvironment_giveWayToWebXml_unlessTheyMayNot() {
        WebAppDescriptor before =
                WebAppDescriptorBuilder.builder(
                                WebAppDescriptors.empty()
                                        .withContextParams(Map.of("a", "web", "b", "web")))
                        .naming(
                                new WebAppDescriptor.NamingDef(
                                        List.of(entry("e", "java.lang.String", "web", "")),
                                        List.of(),
                                        List.of()))
                        .build();
        WebAppDescriptor after =
                read("""
                <Context>
                  <Parameter name="a" value="context"/>
                  <Parameter name="b" value="context" override="false"/>
                  <Parameter name="c" value="context"/>
                  <Environment name="e" type="java.lang.String" value="context"
                      override="false"/>
                  <Environment name="f" type="java.lang.Integer" value="1"/>
                </Context>
                """)
                        .applyTo(before);
        assertEquals(
                Map.of("a", "web", "b", "context", "c", "context"),
                after.general().contextParams());
        assertEquals(
                List.of(
                        entry("e", "java.lang.String", "context", FILE + ":6:25: <Environment>"),
                        entry("f", "java.lang.Integer", "1", FILE + ":7:61: <Environment>")),
                after.naming().envEntries());
    }

    private static EnvEntry entry(String name, String type, String value, String place) {
        return new EnvEntry(name, type, value, null, List.of(), place);
    }

    @Test
    void casualMultipart_isASettingOfTheApplication() {
        assertTrue(read("<Context allowCasualMultipartParsing='true'/>").casualMultipart());
        assertFalse(read("<Context/>").casualMultipart());
    }

    @Test
    void everythingElse_isNamedWithFileAndLine() {
        ContextSettings settings =
                read(
                        """
                        <Context path="/shop" docBase="shop" reloadable="true" privileged="false">
                          <Resource name="jdbc/db" type="javax.sql.DataSource" url="jdbc:x"/>
                          <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                          <Manager pathname=""/>
                          <WatchedResource>WEB-INF/web.xml</WatchedResource>
                          <Loader delegate="true"/>
                        </Context>
                        """);
        assertEquals(
                List.of("docBase", "path", "reloadable", "Manager", "WatchedResource"),
                settings.warnings().stream().map(ContextXmlTest::subject).toList());
        assertTrue(settings.warnings().get(3).startsWith(FILE + ":4:"));
        assertTrue(settings.files().containerFirst());
        assertEquals("jdbc/db", settings.resources().getFirst().name());
        assertEquals("jdbc:x", settings.resources().getFirst().attributes().get("url"));
    }

    private static String subject(String warning) {
        for (String name :
                List.of(
                        "docBase",
                        "reloadable",
                        "jdbc/db",
                        "Realm",
                        "Manager",
                        "WatchedResource",
                        "Loader",
                        "path")) {
            if (warning.contains("<" + name + ">")
                    || warning.contains(name + "=")
                    || warning.contains("'" + name + "'")) {
                return name;
            }
        }
        return warning;
    }

    @ParameterizedTest
    @CsvSource({
        "<Context useHttpOnly='maybe'/>, useHttpOnly",
        "<Context sessionCookieName='a;b'/>, sessionCookieName",
        "<Context sessionCookiePath='${p}'/>, sessionCookiePath",
        "<Context><CookieProcessor sameSiteCookies='often'/></Context>, sameSiteCookies",
        "<Context><Parameter value='x'/></Context>, name",
        "<Context><Environment name='x' value='1'/></Context>, type",
        "<Context><Valve/></Context>, className",
        "<Server/>, Context"
    })
    void value_wrong_isAnErrorWithPosition(String xml, String named) {
        String message = failure(xml);
        assertTrue(message.startsWith(FILE + ":1:"), message);
        assertTrue(message.contains(named), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE Context SYSTEM 'http://127.0.0.1:1/x'><Context path='a&x;b'/>",
                "<!DOCTYPE Context [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
                        + "<Context>&x;</Context>",
                "<!DOCTYPE Context [<!ENTITY x 'y'>]><Context path='&x;'/>",
                "<!DOCTYPE Context><Context/>",
                "<Context path='&x;'/>"
            })
    void entitiesAndDocumentTypes_areRefused_xxe(String xml) {
        assertTrue(failure(xml).startsWith(FILE + ":1:"));
    }

    @Test
    void errors_areAllToldAtOnce() {
        String message =
                failure("<Context useHttpOnly='x'>\n<Parameter/>\n<Valve className=''/></Context>");
        assertEquals(4, message.lines().count(), message);
    }

    @Test
    void jarScanFilter_saysWhichLibrariesAreLookedThrough() {
        ContextSettings settings =
                read(
                        """
                        <Context><JarScanner scanClassPath='false' scanAllDirectories='false'
                            scanManifest='false'>
                          <JarScanFilter tldSkip='*.jar' tldScan=' tags*.jar, ,jstl.jar '
                            pluggabilityScan='web*.jar' defaultPluggabilityScan='false'/>
                        </JarScanner></Context>
                        """);
        assertEquals(
                new LibraryScan(
                        new LibraryScan.Names(List.of(), List.of("web*.jar"), false),
                        new LibraryScan.Names(
                                List.of("*.jar"), List.of("tags*.jar", "jstl.jar"), true),
                        false,
                        false),
                settings.files().libraries());
        assertEquals(List.of(), settings.warnings());
    }

    @Test
    void jarScanner_withWhatIsNotHonoured_isToldOfIt() {
        ContextSettings settings =
                read(
                        """
                        <Context><JarScanner className='com.example.Scanner' scanAllFiles='true'>
                          <JarScanFilter className='com.example.Filter' odd='1'/><Other/>
                        </JarScanner></Context>
                        """);
        assertEquals(LibraryScan.ALL, settings.files().libraries());
        assertEquals(5, settings.warnings().size(), settings.warnings().toString());
        String message = failure("<Context><JarScanner scanClassPath='yes'/></Context>");
        assertTrue(message.contains("scanClassPath='yes' must be true or false"), message);
    }
}
