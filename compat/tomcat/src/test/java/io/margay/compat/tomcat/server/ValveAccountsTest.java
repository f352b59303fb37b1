package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the account of a `CATALINA_BASE` says of valves, by where they stand.
final class ValveAccountsTest {
    private static final String VALVES = "org.apache.catalina.valves.";
    private static final String SIGN_ON =
            "<Valve className='org.apache.catalina.authenticator.SingleSignOn' %s/>";

    @TempDir Path base;

    private TomcatPlan plan(String inEngine, String inHost, String inContext) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Files.writeString(
                base.resolve("conf/server.xml"),
                """
                <Server port='-1'><Service name='Catalina'>
                <Connector port='8080'/>
                <Engine name='Catalina' defaultHost='localhost'>
                %s
                <Host name='localhost' appBase='webapps'>
                %s
                <Context path='/a'>%s</Context>
                </Host></Engine></Service></Server>
                """
                        .formatted(inEngine, inHost, inContext));
        return CatalinaBase.read(base, Map.of()).plan();
    }

    @Test
    void valves_thatNeedTheWholeBase_areTold_whereTheFileAloneIsRead() throws IOException {
        TomcatPlan _ = plan("", SIGN_ON.formatted("") + valve("SSLValve", ""), "");
        TomcatPlan alone = ServerXml.read(base.resolve("conf/server.xml"));
        for (String name : List.of("Valve SingleSignOn", "Valve SSLValve")) {
            assertEquals(Verdict.CHANGED, only(alone, name));
            assertTrue(lines(alone, name).getFirst().text().contains("margay tomcat"));
        }
    }

    /// The account says that a log is written where one is.
    @Test
    void accessLogs_areHonouredInHostsAlone() throws IOException {
        for (String name :
                List.of("AccessLogValve", "ExtendedAccessLogValve", "JsonAccessLogValve")) {
            TomcatPlan inContext = plan("", "", valve(name, ""));
            assertEquals(Verdict.CHANGED, only(inContext, "Valve " + name), name);
            assertEquals(List.of(), inContext.hosts().getFirst().logs(), name);
            assertEquals(1, plan("", valve(name, ""), "").hosts().getFirst().logs().size(), name);
        }
        TomcatPlan database = plan("", valve("JDBCAccessLogValve", "driverName='x'"), "");
        assertEquals(Verdict.CHANGED, only(database, "Valve JDBCAccessLogValve"));
        assertEquals(List.of(), database.hosts().getFirst().logs());
    }

    private static List<AccountLine> lines(TomcatPlan plan, String directive) {
        return plan.account().stream().filter(line -> line.directive().equals(directive)).toList();
    }

    private static Verdict only(TomcatPlan plan, String directive) {
        List<AccountLine> found = lines(plan, directive);
        assertEquals(1, found.size(), found.toString());
        return found.getFirst().verdict();
    }

    private static String valve(String name, String more) {
        return "<Valve className='" + VALVES + name + "' " + more + "/>";
    }

    @ParameterizedTest
    @CsvSource({
        "'', CHANGED",
        "internalProxies='10.0.0.1', HONOURED",
        "trustedProxies='10.0.0.1', HONOURED",
        "internalProxies='10.0.0.0/33', WRONG",
        "sslClientCertHeadr='x', WRONG"
    })
    void sslValve_isHonoured_whereItSaysWhoIsBelieved(String attributes, Verdict verdict)
            throws IOException {
        String valve = valve("SSLValve", attributes);
        assertEquals(verdict, only(plan(valve, "", ""), "Valve SSLValve"));
        assertEquals(verdict, only(plan("", valve, ""), "Valve SSLValve"));
        assertEquals(verdict, only(plan("", "", valve), "Valve SSLValve"));
    }

    @Test
    void sslValve_besideOrWithinRemoteIpValve_believesItsProxies() throws IOException {
        String valve = valve("SSLValve", "");
        String remoteIp = valve("RemoteIpValve", "internalProxies='10.0.0.1'");
        assertEquals(Verdict.HONOURED, only(plan(remoteIp, valve, ""), "Valve SSLValve"));
        assertEquals(Verdict.HONOURED, only(plan("", remoteIp + valve, ""), "Valve SSLValve"));
        assertEquals(Verdict.CHANGED, only(plan("", valve, remoteIp), "Valve SSLValve"));
    }

    @Test
    void pagesForErrors_ofAHost_areThoseOfTheHost() throws IOException {
        Path page = Files.writeString(base.resolve("404.html"), "not here");
        TomcatPlan plan =
                plan(
                        "",
                        valve(
                                "ErrorReportValve",
                                "errorCode.404='404.html' errorCode.0='none.html'"
                                        + " errorCode.200='404.html'"
                                        + " exceptionType.java.lang.Error='404.html'"),
                        "");
        String name = "Valve ErrorReportValve";
        assertEquals(Verdict.HONOURED, only(plan, name));
        assertEquals(Verdict.HONOURED, only(plan, name + " errorCode.404"));
        assertEquals(Verdict.HONOURED, only(plan, name + " exceptionType.java.lang.Error"));
        assertEquals(Verdict.CHANGED, only(plan, name + " errorCode.0"));
        assertEquals(Verdict.CHANGED, only(plan, name + " errorCode.200"));
        assertEquals(
                Map.of(404, page, 0, base.resolve("none.html")),
                plan.hosts().getFirst().errorPages());
    }

    @ParameterizedTest
    @CsvSource({
        "JarScanner, org.apache.tomcat.util.scan.StandardJarScanner, 0",
        "JarScanner, com.example.Scanner, 1",
        "CookieProcessor, org.apache.tomcat.util.http.Rfc6265CookieProcessor, 0",
        "CookieProcessor, org.apache.tomcat.util.http.LegacyCookieProcessor, 1",
        "Manager, org.apache.catalina.session.StandardManager, 0",
        "Manager, com.example.OwnManager, 1",
        "Manager, org.apache.catalina.session.PersistentManager, 0",
    })
    void elements_ofOtherClassesThanTomcatsUsual_areToldOfIt(
            String element, String className, int told) throws IOException {
        TomcatPlan plan = plan("", "", "<" + element + " className='" + className + "'/>");
        List<AccountLine> found =
                plan.failures().stream()
                        .filter(line -> line.directive().startsWith(element))
                        .filter(line -> line.directive().endsWith(" className"))
                        .toList();
        assertEquals(told, found.size(), found.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "<mime-mapping/>, mime-mapping, HONOURED",
        "<filter/>, filter, HONOURED",
        "<security-constraint/>, security-constraint, HONOURED",
        "<broken, XML, WRONG"
    })
    void webXml_ofAHost_isToldOf(String content, String directive, Verdict verdict)
            throws IOException {
        Path host = Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Files.writeString(host.resolve("web.xml.default"), "<web-app>" + content + "</web-app>");
        List<AccountLine> told =
                plan("", "", "").account().stream()
                        .filter(line -> line.place().file().endsWith("web.xml.default"))
                        .toList();
        assertEquals(1, told.size(), told.toString());
        assertEquals(verdict, told.getFirst().verdict());
        assertEquals(directive, told.getFirst().directive());
    }

    @Test
    void jarScanFilter_isHonoured() throws IOException {
        TomcatPlan plan =
                plan(
                        "",
                        "",
                        "<JarScanner scanManifest='true'><JarScanFilter tldSkip='a.jar'"
                                + " defaultPluggabilityScan='false'/></JarScanner>");
        assertEquals(Verdict.HONOURED, only(plan, "JarScanner"));
        assertEquals(Verdict.CHANGED, only(plan, "JarScanner scanManifest"));
        assertEquals(Verdict.HONOURED, only(plan, "JarScanFilter tldSkip"));
        assertEquals(Verdict.HONOURED, only(plan, "JarScanFilter defaultPluggabilityScan"));
    }

    @Test
    void authenticators_areHonoured_ofContextsAlone() throws IOException {
        for (String name : List.of("Basic", "Digest", "Form", "SSL", "NonLogin")) {
            String valve =
                    "<Valve className='org.apache.catalina.authenticator."
                            + name
                            + "Authenticator' cache='false' securePagesWithPragma='true'/>";
            String directive = "Valve " + name + "Authenticator";
            TomcatPlan plan = plan("", "", valve);
            assertEquals(Verdict.HONOURED, only(plan, directive));
            assertEquals(Verdict.NOTED, only(plan, directive + " cache"));
            assertEquals(Verdict.CHANGED, only(plan, directive + " securePagesWithPragma"));
            assertEquals(Verdict.CHANGED, only(plan("", valve, ""), directive));
        }
        String tickets =
                "<Valve className='org.apache.catalina.authenticator.SpnegoAuthenticator'/>";
        assertEquals(Verdict.WRONG, only(plan("", "", tickets), "Valve SpnegoAuthenticator"));
    }

    @Test
    void valvesOfHosts_thatStandElsewhere_areTold() throws IOException {
        String errors = valve("ErrorReportValve", "");
        assertEquals(Verdict.CHANGED, only(plan(errors, "", ""), "Valve ErrorReportValve"));
        assertEquals(Verdict.CHANGED, only(plan("", "", errors), "Valve ErrorReportValve"));
        String signOn = SIGN_ON.formatted("");
        assertEquals(Verdict.HONOURED, only(plan(signOn, "", ""), "Valve SingleSignOn"));
        assertEquals(Verdict.HONOURED, only(plan("", signOn, ""), "Valve SingleSignOn"));
        assertEquals(Verdict.CHANGED, only(plan("", "", signOn), "Valve SingleSignOn"));
        TomcatPlan wrong = plan("", SIGN_ON.formatted("cookieName='a b'"), "");
        assertEquals(Verdict.WRONG, only(wrong, "Valve SingleSignOn cookieName"));
        assertTrue(wrong.isWrong());
    }
}
