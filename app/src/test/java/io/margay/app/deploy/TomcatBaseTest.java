package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.Wars;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.TomcatConfig;
import io.margay.app.sample.RememberingServlet;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.testkit.Archives;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A `CATALINA_BASE` as it stands: what its files say holds for the server and its applications.
final class TomcatBaseTest {
    private static final String CONSTRAINT =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>all</web-resource-name>
                  <url-pattern>/in/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>in</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
              <security-role><role-name>in</role-name></security-role>
            </web-app>
            """;

    @TempDir Path base;

    @BeforeEach
    void folders() throws IOException {
        base = base.toRealPath();
        Files.createDirectories(base.resolve("webapps"));
        write("conf/catalina.properties", "http.port=0\nshop.apps=shops\n");
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ada' password='secret' roles='in'/>"
                        + "</tomcat-users>");
        Wars.with("index.html", "root")
                .and("in/index.html", "inside")
                .and("WEB-INF/web.xml", CONSTRAINT)
                .folder(base.resolve("webapps/ROOT"));
    }

    private void write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// Writes a server.xml with one service.
    private void server(String connector, String engine) throws IOException {
        write(
                "conf/server.xml",
                """
                <Server port="-1">
                  <GlobalNamingResources>
                    <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase"
                              factory="org.apache.catalina.users.MemoryUserDatabaseFactory"
                              pathname="conf/tomcat-users.xml" />
                  </GlobalNamingResources>
                  <Service name="Catalina">
                    <Connector port="${http.port}" address="127.0.0.1" %s />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Realm className="org.apache.catalina.realm.LockOutRealm">
                        <Realm className="org.apache.catalina.realm.UserDatabaseRealm"
                               resourceName="UserDatabase" />
                      </Realm>
                      %s
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(connector, engine));
    }

    private static final String LOCALHOST = "<Host name=\"localhost\" appBase=\"webapps\" />";

    private TomcatPlan plan() throws IOException {
        return CatalinaBase.read(base, Map.of()).plan();
    }

    private MargayServer start() throws IOException {
        TomcatPlan plan = plan();
        assertEquals(
                List.of(),
                plan.account().stream().filter(line -> line.verdict() == Verdict.WRONG).toList());
        return MargayServer.start(
                TomcatConfig.of(plan).withWork(base.resolve("work")), DeployProgress.NONE);
    }

    /// Content and status.
    private static String curl(MargayServer server, String path, String... options)
            throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(options));
        all.add("http://127.0.0.1:" + server.ports().getFirst() + path);
        return curl(all);
    }

    private static String curl(List<String> options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-s", "--max-time", "30"));
        command.addAll(List.of("-w", " %{http_code}"));
        command.addAll(options);
        Process process = new ProcessBuilder(command).start();
        try {
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            String text = new String(output, StandardCharsets.UTF_8);
            return text.startsWith("<") ? text.substring(text.lastIndexOf(' ') + 1) : text;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String named(String host) {
        return "Host: " + host;
    }

    @Test
    void hosts_withAliases_answerToTheirNames_andTheDefaultToEveryOther() throws Exception {
        Wars.with("index.html", "shop").folder(base.resolve("shops/ROOT"));
        server(
                "",
                """
                <Host name="localhost" appBase="webapps"><Alias>www.example</Alias></Host>
                <Host name="shop.example" appBase="${shop.apps}"><Alias>buy.example</Alias></Host>
                """);
        try (MargayServer server = start()) {
            for (String host : List.of("localhost", "www.example", "other.example", "127.0.0.1")) {
                assertEquals("root 200", curl(server, "/", "-H", named(host)), host);
            }
            for (String host : List.of("shop.example", "buy.example")) {
                assertEquals("shop 200", curl(server, "/", "-H", named(host)), host);
            }
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the letters mean in Tomcat, of an application's own things.
    @Test
    void accessLog_hasWhatTomcatsLettersMean() throws Exception {
        Wars.with("v.txt", "one")
                .servlet(RememberingServlet.class, "/*")
                .folder(base.resolve("webapps/remembers"));
        server(
                "",
                """
                <Host name="localhost" appBase="webapps">
                  <Valve className="org.apache.catalina.valves.AccessLogValve" prefix="log"
                         rotatable="false"
                         pattern="%U [%S] [%{who}r] [%{cart}s] %{yyyy}t %I %F %{JSESSIONID}c" />
                </Host>
                """);
        try (MargayServer server = start()) {
            curl(server, "/remembers/a%20b", "-H", "Cookie: JSESSIONID=x");
            curl(server, "/remembers/none");
            Path log = base.resolve("logs/log");
            Eventually.holds("both are logged", () -> lines(log).size() == 2);
            List<String> lines = lines(log);
            String year = "" + java.time.Year.now();
            assertTrue(
                    lines.getFirst()
                            .matches(
                                    "/remembers/a%20b \\[[0-9A-F]{32}] \\[ada] \\[3 books] "
                                            + year
                                            + " \\S+ \\d+ x"),
                    lines.getFirst());
            assertTrue(
                    lines.getLast().startsWith("/remembers/none [-] [ada] [-] " + year),
                    lines.getLast());
        }
    }

    @Test
    void users_ofTheRealm_logIn() throws Exception {
        server("", LOCALHOST);
        try (MargayServer server = start()) {
            assertEquals("inside 200", curl(server, "/in/", "-u", "ada:secret"));
            assertEquals("401", curl(server, "/in/", "-u", "ada:wrong"));
        }
    }

    @Test
    void lockOut_ofAnEngine_countsForAllItsHosts() throws Exception {
        Wars.with("in/index.html", "shop")
                .and("WEB-INF/web.xml", CONSTRAINT)
                .folder(base.resolve("shops/ROOT"));
        server("", LOCALHOST + "<Host name=\"shop.example\" appBase=\"shops\" />");
        try (MargayServer server = start()) {
            for (int i = 0; i < 5; i++) {
                assertEquals("401", curl(server, "/in/", "-u", "ada:wrong"));
            }
            String shop = named("shop.example");
            assertEquals("401", curl(server, "/in/", "-u", "ada:secret", "-H", shop));
        }
    }

    @Test
    void valve_ofAHost_closesItsApplications() throws Exception {
        Wars.with("index.html", "shop").folder(base.resolve("shops/ROOT"));
        server(
                "",
                LOCALHOST
                        + """
                        <Host name="shop.example" appBase="shops">
                          <Valve className="org.apache.catalina.valves.RemoteCIDRValve"
                                 allow="10.0.0.0/8" />
                        </Host>
                        """);
        try (MargayServer server = start()) {
            assertEquals("root 200", curl(server, "/"));
            assertEquals("403", curl(server, "/", "-H", named("shop.example")));
        }
    }

    @Test
    void contexts_besideServerXml_areServedWithTheirSettings() throws Exception {
        Wars.with("index.jsp", "<%= application.getInitParameter(\"a\") %>")
                .and("META-INF/context.xml", "<Context><Parameter name='a' value='own'/></Context>")
                .folder(base.resolve("elsewhere"));
        Wars.with("index.jsp", "<%= application.getInitParameter(\"a\") %>")
                .and("META-INF/context.xml", "<Context><Parameter name='a' value='own'/></Context>")
                .folder(base.resolve("webapps/plain"));
        write(
                "conf/Catalina/localhost/out#side.xml",
                "<Context docBase=\"${catalina.base}/elsewhere\">"
                        + "<Parameter name='a' value='outside' override='false'/></Context>");
        write("conf/context.xml", "<Context><Parameter name='a' value='all'/></Context>");
        server("", LOCALHOST);
        try (MargayServer server = start()) {
            assertEquals("outside 200", curl(server, "/out/side/"));
            // Tomcat takes the outermost one, unless a nearer one has override="false".
            assertEquals("all 200", curl(server, "/plain/"));
        }
    }

    @Test
    void descriptors_withVersions_areOfTheirVersionAlone() throws Exception {
        Wars page = Wars.with("index.jsp", "<%= application.getInitParameter(\"a\") %>");
        page.folder(base.resolve("elsewhere"));
        page.folder(base.resolve("webapps/shop##1"));
        page.folder(base.resolve("webapps/other##1"));
        page.folder(base.resolve("webapps/other##2"));
        String context = "<Context %s><Parameter name='a' value='%s'/></Context>";
        String outside = "docBase='${catalina.base}/elsewhere'";
        write("conf/Catalina/localhost/shop##2.xml", context.formatted(outside, "second"));
        write("conf/Catalina/localhost/other.xml", context.formatted("", "none"));
        write("conf/Catalina/localhost/other##2.xml", context.formatted("", "newer"));
        server("", LOCALHOST);
        try (MargayServer server = start()) {
            assertEquals("second 200", curl(server, "/shop/"), "the newest version");
            assertEquals("newer 200", curl(server, "/other/"));
            String names =
                    server.site().apps().stream()
                            .map(app -> app.name().toString())
                            .sorted()
                            .toList()
                            .toString();
            assertEquals("[/, /other##1, /other##2, /shop##1, /shop##2]", names);
        }
        MargayConfig config = TomcatConfig.of(plan());
        Path file = base.resolve("margay.yaml");
        Files.writeString(file, ConfigWriter.write(config));
        assertEquals(
                config.hosts().getFirst().routes(),
                ConfigFile.read(file, Map.of()).get().hosts().getFirst().routes());
    }

    @Test
    void loginModules_ofLib_knowTheUsersOfAllApplications() throws Exception {
        String module =
                """
                package p;
                import java.util.Map;
                import javax.security.auth.Subject;
                import javax.security.auth.callback.*;
                import javax.security.auth.x500.X500Principal;
                public class Login implements javax.security.auth.spi.LoginModule {
                    private Subject subject;
                    private CallbackHandler handler;
                    public void initialize(
                            Subject s, CallbackHandler h, Map<String, ?> a, Map<String, ?> b) {
                        subject = s;
                        handler = h;
                    }
                    public boolean login() throws javax.security.auth.login.LoginException {
                        PasswordCallback password = new PasswordCallback("password", false);
                        TextInputCallback base = new TextInputCallback("catalinaBase");
                        try {
                            handler.handle(new Callback[] {password, base});
                        } catch (Exception e) {
                            throw new javax.security.auth.login.LoginException(e.toString());
                        }
                        return new String(password.getPassword()).equals("pw");
                    }
                    public boolean commit() {
                        subject.getPrincipals().add(new X500Principal("CN=ada"));
                        subject.getPrincipals()
                                .add(new javax.security.auth.kerberos.KerberosPrincipal("in@R"));
                        return true;
                    }
                    public boolean abort() { return true; }
                    public boolean logout() { return true; }
                }
                """;
        Archives.in(base)
                .classes("", List.of(), "p.Login", module)
                .text("jaas.config", "Everybody { p.Login required; };")
                .to(base.resolve("lib/login.jar"));
        for (String name : List.of("one", "two")) {
            Wars.with("in/index.html", "inside")
                    .and(
                            "WEB-INF/web.xml",
                            CONSTRAINT.replace("<role-name>in<", "<role-name>in@R<"))
                    .folder(base.resolve("webapps/" + name));
        }
        server("", LOCALHOST);
        Path file = base.resolve("conf/server.xml");
        String before = Files.readString(file);
        Files.writeString(
                file,
                before.replaceFirst(
                        "(?s)<Realm className=\"[^\"]*LockOutRealm.*</Realm>",
                        "<Realm className='org.apache.catalina.realm.JAASRealm'"
                                + " appName='Everybody' configFile='jaas.config'"
                                + " useContextClassLoader='false'"
                                + " userClassNames='javax.security.auth.x500.X500Principal'"
                                + " roleClassNames='javax.security.auth.kerberos"
                                + ".KerberosPrincipal'/>"));
        try (MargayServer server = start()) {
            for (String path : List.of("/one/in/", "/two/in/")) {
                assertEquals("inside 200", curl(server, path, "-u", "ada:pw"));
                assertTrue(curl(server, path, "-u", "ada:wrong").endsWith("401"));
            }
        }
    }

    @Test
    void deployXml_switchedOff_leavesDescriptorsOfApplicationsAlone() throws Exception {
        Wars.with("index.jsp", "<%= application.getInitParameter(\"a\") %>")
                .and("META-INF/context.xml", "<Context><Parameter name='a' value='own'/></Context>")
                .folder(base.resolve("webapps/app"));
        server("", "<Host name=\"localhost\" appBase=\"webapps\" deployXML=\"false\" />");
        try (MargayServer server = start()) {
            assertEquals("null 200", curl(server, "/app/"));
        }
    }

    @Test
    void globalEnvironment_linkedToAnApplication_isItsOwn() throws Exception {
        Wars.with(
                        "index.jsp",
                        "<%= new javax.naming.InitialContext().lookup(\"java:comp/env/colour\") %>")
                .folder(base.resolve("webapps/app"));
        write("conf/context.xml", "<Context><ResourceLink name='colour' global='c'/></Context>");
        server("", LOCALHOST);
        Path file = base.resolve("conf/server.xml");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                "</GlobalNamingResources>",
                                "<Environment name='c' type='java.lang.String' value='red'/>"
                                        + "</GlobalNamingResources>"));
        try (MargayServer server = start()) {
            assertEquals("red 200", curl(server, "/app/"));
        }
    }

    /// What `check` says of lines that do something else here.
    private List<String> differing() throws IOException {
        return plan().failures().stream().map(AccountLine::directive).sorted().toList();
    }

    @Test
    void numbers_ofConnectorAndExecutor_areThoseOfTheServer() throws IOException {
        server(
                "maxThreads=\"50\" minSpareThreads=\"5\" maxHttpHeaderSize=\"65536\""
                        + " maxPostSize=\"1000000\" connectionTimeout=\"30000\""
                        + " keepAliveTimeout=\"40000\" maxParameterCount=\"77\"",
                "<Host name=\"localhost\" appBase=\"webapps\" autoDeploy=\"false\" />");
        // What a form beyond a bound is answered depends on the version.
        assertEquals(List.of("Connector maxParameterCount", "Connector maxPostSize"), differing());
        Files.writeString(
                base.resolve("conf/web.xml"),
                "<web-app xmlns=\"http://xmlns.jcp.org/xml/ns/javaee\" version=\"4.0\"/>");
        assertEquals(List.of("Connector maxPostSize"), differing());
        MargayConfig config = TomcatConfig.of(plan());
        assertEquals(50, config.workers().limits().threadsMax());
        assertEquals(5, config.workers().limits().threadsKept());
        assertEquals(65_536, config.limits().http().http1().headBytesMax());
        assertEquals(Duration.ofSeconds(30), config.limits().http().headTimeout());
        assertEquals(Duration.ofSeconds(40), config.limits().http().idleTimeout());
        assertEquals(1_000_000, config.limits().servlet().formBytesMax());
        assertEquals(77, config.limits().servlet().parametersMax());
        assertTrue(config.deploy().auto().isOff());
        assertEquals(base.resolve("conf/tomcat-users.xml"), config.deploy().users());
        Path yaml = base.resolve("margay.yaml");
        Files.writeString(yaml, ConfigWriter.write(config));
        ConfigFile.Result read = ConfigFile.read(yaml, Map.of());
        assertEquals(List.of(), read.problems(), Files.readString(yaml));
        MargayConfig migrated = read.get();
        assertEquals(config.hosts(), migrated.hosts());
        assertEquals(config.limits(), migrated.limits());
        assertEquals(config.workers(), migrated.workers());
        assertEquals(config.deploy(), migrated.deploy());
        assertEquals(config.listeners(), migrated.listeners());
        assertEquals(new CatalinaHost(base, "localhost"), migrated.hosts().getFirst().catalina());
    }

    @Test
    void executor_ofVirtualThreads_isTheirs() throws IOException {
        server("useVirtualThreads=\"true\"", LOCALHOST);
        assertEquals(WorkerSettings.Dispatch.VIRTUAL, TomcatConfig.of(plan()).workers().dispatch());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Valve|<Valve className=\"com.example.Gate\" />",
                "Realm|<Realm className=\"com.example.Users\" />",
                "Realm AuthenticatedUserRealm|<Realm"
                        + " className=\"org.apache.catalina.realm.AuthenticatedUserRealm\" />",
            })
    void whatWouldOpen_stopsTheStart_withFileAndLine(String what, String element)
            throws IOException {
        server("", LOCALHOST.replace("/>", ">\n" + element + "</Host>"));
        AccountLine line =
                plan().account().stream()
                        .filter(one -> one.verdict() == Verdict.WRONG)
                        .findFirst()
                        .orElseThrow();
        assertTrue(line.directive().startsWith(what), line.toString());
        assertEquals(base.resolve("conf/server.xml").toString(), line.place().file());
        assertTrue(line.place().line() > 10, line.toString());
        MargayConfig config = TomcatConfig.of(plan()).withWork(base.resolve("work"));
        assertThrows(StartException.class, () -> MargayServer.start(config, DeployProgress.NONE));
    }

    @Test
    void descriptors_readAgain_deployTheirApplicationsAnew_andNoOther() throws Exception {
        for (String name : List.of("one", "two")) {
            Wars.with(
                            "index.jsp",
                            "<%= application.getInitParameter(\"a\") %>"
                                    + " <%= application.hashCode() %>")
                    .folder(base.resolve("webapps/" + name));
        }
        server("", LOCALHOST);
        try (MargayServer server = start()) {
            String two = curl(server, "/two/");
            assertTrue(curl(server, "/one/").startsWith("null "));
            String named = "<Context><Parameter name='a' value='%s'/></Context>";
            write("conf/Catalina/localhost/one.xml", named.formatted("first"));
            server.reload(TomcatConfig.of(plan()).withWork(base.resolve("work")));
            assertTrue(curl(server, "/one/").startsWith("first "));
            write("conf/Catalina/localhost/one.xml", named.formatted("second time"));
            server.reload(TomcatConfig.of(plan()).withWork(base.resolve("work")));
            assertTrue(curl(server, "/one/").startsWith("second time "));
            assertEquals(two, curl(server, "/two/"), "it is the same as before");
        }
    }

    @Test
    void constraint_ofARoleThatNobodyHas_isNamedAtTheStart() throws Exception {
        server("", LOCALHOST);
        Wars.with("in/index.html", "x")
                .and("WEB-INF/web.xml", CONSTRAINT.replace(">in</role", ">boss</role"))
                .folder(base.resolve("webapps/app"));
        try (LoggedLines log = LoggedLines.of("io.margay.servlet.deploy");
                MargayServer server = start()) {
            assertEquals("401", curl(server, "/app/in/", "-u", "ada:wrong"));
            assertEquals(
                    1,
                    log.count("nobody is allowed at /in/*: no user has the role boss"),
                    log::toString);
            assertEquals(1, log.count("nobody is allowed"), log::toString);
        }
    }

    @Test
    void driver_inTheLibOfTomcatItself_isALibraryOfAllApplications() throws Exception {
        server("", LOCALHOST);
        write("home/bin/bootstrap.jar", "");
        write("home/lib/catalina.jar", "");
        Path driver =
                Archives.in(base)
                        .text("shared.txt", "shared")
                        .to(
                                Files.createDirectories(base.resolve("home/lib"))
                                        .resolve("driver.jar"));
        String home = base.resolve("home").toString();
        for (Map<String, String> environment :
                List.of(Map.of("CATALINA_HOME", home), Map.<String, String>of())) {
            List<String> libraries =
                    CatalinaBase.read(base, environment).plan().account().stream()
                            .map(line -> line.place().file())
                            .filter(file -> file.endsWith(".jar"))
                            .toList();
            assertEquals(environment.isEmpty() ? List.of() : List.of(driver.toString()), libraries);
        }
    }

    private static final String REWRITE =
            "<Valve className=\"org.apache.catalina.valves.rewrite.RewriteValve\" />";

    @Test
    void rewrittenPath_isWhatConstraintsSee() throws Exception {
        server("", LOCALHOST.replace("/>", ">" + REWRITE + "</Host>"));
        write(
                "conf/Catalina/localhost/rewrite.config",
                """
                RewriteRule ^/to/(.*)$ /in/$1 [L]
                RewriteRule ^/up/(.*)$ /up/../in/$1 [L]
                RewriteRule ^/odd/(.*)$ /in%2F$1 [L]
                RewriteRule ^/app-(.*)$ /app/$1
                """);
        Wars.with("index.html", "app")
                .and("META-INF/context.xml", "<Context>" + REWRITE + "</Context>")
                .and(
                        "WEB-INF/rewrite.config",
                        "RewriteCond %{REQUEST_PATH} !-f\nRewriteRule ^/(.*)$ /index.html [L]\n")
                .folder(base.resolve("webapps/app"));
        assertEquals(List.of(), plan().failures());
        try (MargayServer server = start()) {
            assertEquals("401", curl(server, "/to/index.html"));
            assertEquals("inside 200", curl(server, "/to/index.html", "-u", "ada:secret"));
            assertEquals("401", curl(server, "/t%6F/index.html"));
            assertEquals("401", curl(server, "/up/index.html"));
            assertEquals("404", curl(server, "/odd/index.html").replaceAll("(?s).* ", ""));
            assertEquals("app 200", curl(server, "/app-one/two"), "by both, in their order");
            assertEquals("app 200", curl(server, "/app/one/two"));
        }
    }

    /// What a rule forbids, the rules behind it do not allow.
    @Test
    void rewriteRule_thatAnswers_endsTheRules_cve2026_118028() throws Exception {
        server("", LOCALHOST.replace("/>", ">" + REWRITE + "</Host>"));
        write(
                "conf/Catalina/localhost/rewrite.config",
                """
                RewriteRule ^/no/.*$ - [F]
                RewriteRule ^/gone/.*$ - [G]
                RewriteRule ^/away/(.*)$ /no/$1 [R]
                RewriteRule ^/(no|gone|away)/(.*)$ /app/$2 [L]
                """);
        Wars.with("index.html", "app").folder(base.resolve("webapps/app"));
        assertEquals(List.of(), plan().failures());
        try (MargayServer server = start()) {
            assertEquals("app 200", curl(server, "/app/index.html"));
            assertEquals("403", curl(server, "/no/index.html").replaceAll("(?s).* ", ""));
            assertEquals("410", curl(server, "/gone/index.html").replaceAll("(?s).* ", ""));
            assertEquals("302", curl(server, "/away/index.html").replaceAll("(?s).* ", ""));
        }
    }

    /// A rule or condition that comes to no end with what a client sends lets nobody pass.
    @Test
    void rewriteRule_thatDoesNotEnd_is500() throws Exception {
        server("", LOCALHOST.replace("/>", ">" + REWRITE + "</Host>"));
        write(
                "conf/Catalina/localhost/rewrite.config",
                """
                RewriteRule ^/app/(a+)+\\1!$ - [F]
                RewriteCond %{QUERY_STRING} ^(?:a|b)*c(a+)+\\2!$
                RewriteRule ^/app/.*$ - [F]
                """);
        Wars.with("index.html", "app").folder(base.resolve("webapps/app"));
        try (MargayServer server = start()) {
            assertEquals("app 200", curl(server, "/app/index.html"));
            String path = curl(server, "/app/" + "a".repeat(200));
            assertEquals("500", path.replaceAll("(?s).* ", ""));
            for (String query : List.of("a".repeat(7000), "c" + "a".repeat(100))) {
                String answer = curl(server, "/app/index.html?" + query);
                assertEquals("500", answer.replaceAll("(?s).* ", ""));
            }
        }
    }

    @Test
    void rewriteRule_thatIsNotHonoured_stopsTheStart() throws Exception {
        server("", LOCALHOST.replace("/>", ">" + REWRITE + "</Host>"));
        write("conf/Catalina/localhost/rewrite.config", "\nRewriteRule ^/a$ /b [N]\n");
        AccountLine line =
                plan().account().stream()
                        .filter(one -> one.verdict() == Verdict.WRONG)
                        .findFirst()
                        .orElseThrow();
        assertTrue(line.text().contains("the flag [N] is not supported"), line.toString());
        assertEquals(2, line.place().line());
    }

    @Test
    void everyAttribute_ofTheBase_standsInTheAccountOnce() throws IOException {
        server("port.x=\"1\" relaxedQueryChars=\"|\" xpoweredBy=\"false\"", LOCALHOST);
        write("bin/setenv.sh", "CATALINA_OPTS=\"$CATALINA_OPTS -Xmx1g -Dcolour=red\"\n");
        List<String> lines = plan().account().stream().map(AccountLine::directive).toList();
        for (String wanted :
                List.of(
                        "Connector port.x",
                        "Connector relaxedQueryChars",
                        "Connector xpoweredBy",
                        "Connector address",
                        "Resource UserDatabase pathname",
                        "Realm UserDatabaseRealm resourceName",
                        "Host appBase",
                        "-Xmx1g",
                        "-Dcolour")) {
            assertEquals(1, lines.stream().filter(wanted::equals).count(), wanted + lines);
        }
        assertEquals("red", CatalinaBase.read(base, Map.of()).systemProperties().get("colour"));
        CatalinaBase run = CatalinaBase.read(base, Map.of("MARGAY_SETENV", "run"));
        assertEquals("red", run.systemProperties().get("colour"));
        assertTrue(
                run.plan().account().stream().noneMatch(line -> line.directive().equals("-Xmx1g")),
                "the script has set it");
    }

    @Test
    void commonWebXml_holdsWhereApplicationsSayNothing() throws Exception {
        Wars.with("start.html", "start")
                .and("x.margay", "x")
                .and("sub/more.txt", "more")
                .folder(base.resolve("webapps/app"));
        Wars.with("own.html", "own")
                .and(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><welcome-file-list><welcome-file>own.html"
                                + "</welcome-file></welcome-file-list></web-app>")
                .folder(base.resolve("webapps/other"));
        write(
                "conf/web.xml",
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <servlet>
                    <servlet-name>default</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                    <init-param><param-name>listings</param-name>
                      <param-value>true</param-value></init-param>
                  </servlet>
                  <servlet-mapping><servlet-name>default</servlet-name>
                    <url-pattern>/</url-pattern></servlet-mapping>
                  <mime-mapping><extension>margay</extension>
                    <mime-type>text/x-margay</mime-type></mime-mapping>
                  <welcome-file-list><welcome-file>start.html</welcome-file></welcome-file-list>
                </web-app>
                """);
        server("", LOCALHOST);
        assertEquals(List.of(), plan().failures());
        try (MargayServer server = start()) {
            assertEquals("start 200", curl(server, "/app/"));
            assertTrue(curl(server, "/app/sub/", "-i").contains(">more.txt</a>"));
            assertEquals("own 200", curl(server, "/other/"));
            assertTrue(curl(server, "/app/x.margay", "-i").contains("text/x-margay"));
        }
    }

    @Test
    void webXmlOfAHost_isReadByAReload_andAFilterOfBothIsAnError() throws Exception {
        Wars.with("a.html", "a").and("b.html", "b").folder(base.resolve("webapps/app"));
        String welcome =
                "<web-app version='6.1'><welcome-file-list><welcome-file>%s</welcome-file>"
                        + "</welcome-file-list></web-app>";
        write("conf/web.xml", welcome.formatted("a.html"));
        server("", LOCALHOST);
        try (MargayServer server = start()) {
            assertEquals("a 200", curl(server, "/app/"));
            write("conf/Catalina/localhost/web.xml.default", welcome.formatted("b.html"));
            assertEquals(List.of(), plan().failures());
            server.reload(TomcatConfig.of(plan()).withWork(base.resolve("work")));
            assertEquals("b 200", curl(server, "/app/"));
        }
        String filter =
                "<web-app version='6.1'><filter><filter-name>f</filter-name><filter-class>"
                        + "org.apache.catalina.filters.AddDefaultCharsetFilter</filter-class>"
                        + "</filter></web-app>";
        write("conf/web.xml", filter);
        write("conf/Catalina/localhost/web.xml.default", filter);
        try (MargayServer server = start()) {
            assertTrue(curl(server, "/app/a.html").startsWith("404"));
        }
    }

    @Test
    void keystore_ofAConnector_isThatOfTheListener() throws Exception {
        Pem _ = Pem.make(base.resolve("conf"), "site"); // It leaves site.p12, too.
        write("conf/password", "changeit\n");
        server(
                "SSLEnabled=\"true\"><SSLHostConfig><Certificate"
                        + " certificateKeystoreFile=\"conf/site.p12\""
                        + " certificateKeystorePasswordFile=\"conf/password\" /></SSLHostConfig>"
                        + "</Connector><Connector port=\"-1\"",
                LOCALHOST);
        assertEquals(List.of(), plan().failures());
        try (MargayServer server = start()) {
            String url = "https://127.0.0.1:" + server.ports().getFirst() + "/";
            assertEquals("root 200", curl(List.of("-k", url)));
        }
        write("conf/password", "wrong\n");
        assertTrue(
                plan().failures().stream()
                        .anyMatch(line -> line.text().contains("the password is wrong")),
                plan().failures()::toString);
    }

    @Test
    void certificate_thatAStrangerSends_logsNobodyIn() throws Exception {
        Wars.with("index.html", "root")
                .and("in/index.html", "inside")
                .and("WEB-INF/web.xml", CONSTRAINT.replace("BASIC", "CLIENT-CERT"))
                .folder(base.resolve("webapps/ROOT"));
        Pem site = Pem.make(base.resolve("conf"), "site");
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='CN=site' roles='in'/></tomcat-users>");
        String pem = Files.readString(site.cert()).strip().replace('\n', ' ');
        String valve = "<Valve className='org.apache.catalina.valves.SSLValve' %s/>";
        for (String listed : List.of("internalProxies='127.0.0.1'", "internalProxies='10.0.0.1'")) {
            server(
                    "",
                    "<Host name='localhost' appBase='webapps'>"
                            + valve.formatted(listed)
                            + "</Host>");
            try (MargayServer server = start()) {
                assertEquals("401", curl(server, "/in/index.html"));
                assertEquals(
                        listed.contains("127") ? "inside 200" : "401",
                        curl(server, "/in/index.html", "-H", "SSL_CLIENT_CERT: " + pem));
            }
        }
    }
}
