package io.margay.servlet.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.AppServer;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.testkit.Archives;
import io.margay.testkit.Eventually;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names as applications see them: deployed, looked up by a servlet, injected.
@Tag("slow")
@SuppressWarnings("BanJNDI") // What is tested.
class NamingTest {
    /// Answers what a name leads to: its class and text, or why not.
    private static final String LOOK_UP =
            """
            package p;
            import jakarta.servlet.http.*;
            import javax.naming.*;
            @jakarta.servlet.annotation.WebServlet("/look")
            public class LookUp extends HttpServlet {
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    String answer;
                    try {
                        Object found = new InitialContext().lookup(q.getParameter("name"));
                        answer = found.getClass().getSimpleName() + " " + found;
                    } catch (NamingException e) {
                        answer = e.getClass().getSimpleName() + " " + e.getMessage();
                    }
                    r.getWriter().print(answer);
                }
            }
            """;

    @TempDir Path temp;

    private Archives app() {
        return Archives.in(temp).classes("WEB-INF/classes/", List.of(), "p.LookUp", LOOK_UP);
    }

    private AppServer start(
            Archives app, ServerResources shared, Consumer<NamingBuilder> declared) {
        return AppServer.start(
                app.to(temp.resolve("a.war")),
                "/a",
                temp.resolve("work"),
                settings -> settings.withResources(shared).withVendor(new DeclaredNames(declared)));
    }

    private AppServer start(Archives app, Consumer<NamingBuilder> declared) {
        return start(app, ServerResources.none(getClass().getClassLoader()), declared);
    }

    private AppServer start(Archives app) {
        return start(app, _ -> {});
    }

    /// Declares the data source `jdbc/db`.
    private static Consumer<NamingBuilder> dataSource(String url, @Nullable String driver) {
        DataSourceSettings settings =
                new DataSourceSettings(
                        url,
                        driver,
                        "sa",
                        "",
                        Map.of(),
                        DataSourceSettings.Session.asDriver(),
                        PoolLimits.defaults());
        return names -> names.resource("jdbc/db", new ResourceSpec.Pool(settings), "here");
    }

    private static Consumer<NamingBuilder> memory(String name, @Nullable String driver) {
        return dataSource("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", driver);
    }

    private static String look(AppServer server, String name) {
        return server.get("/look?name=" + name.replace(" ", "%20")).body();
    }

    private static String webXml(String content) {
        return "<web-app version=\"6.1\">" + content + "</web-app>";
    }

    private static String entry(String name, String type, String value) {
        return "<env-entry><env-entry-name>"
                + name
                + "</env-entry-name><env-entry-type>"
                + type
                + "</env-entry-type><env-entry-value>"
                + value
                + "</env-entry-value></env-entry>";
    }

    @Test
    void environmentEntry_ofEachType_isFound() {
        String entries =
                entry("text", "java.lang.String", "hello")
                        + entry("none", "java.lang.String", "")
                        + entry("letter", "java.lang.Character", "c")
                        + entry("number", "java.lang.Integer", "-7")
                        + entry("deep/er", "java.lang.Long", "8")
                        + entry("flag", "java.lang.Boolean", "true")
                        + entry("real", "java.lang.Double", "1.5")
                        + entry("type", "java.lang.Class", "java.util.List")
                        + entry("unit", "java.util.concurrent.TimeUnit", "DAYS")
                        + entry("java:module/env/m", "java.lang.String", "module's")
                        + entry("java:app/env/p", "java.lang.String", "application's");
        try (AppServer server = start(app().text("WEB-INF/web.xml", webXml(entries)))) {
            assertEquals("String hello", look(server, "java:comp/env/text"));
            assertEquals("String ", look(server, "java:comp/env/none"));
            assertEquals("Character c", look(server, "java:comp/env/letter"));
            assertEquals("Integer -7", look(server, "java:comp/env/number"));
            assertEquals("Long 8", look(server, "java:module/env/deep/er"));
            assertEquals("Boolean true", look(server, "comp/env/flag"));
            assertEquals("Double 1.5", look(server, "java:/comp/env/real"));
            assertEquals("Class interface java.util.List", look(server, "java:comp/env/type"));
            assertEquals("TimeUnit DAYS", look(server, "java:comp/env/unit"));
            assertEquals("String module's", look(server, "java:comp/env/m"));
            assertEquals("String application's", look(server, "java:app/env/p"));
            assertEquals("String a", look(server, "java:app/AppName"));
            assertEquals("String a", look(server, "java:module/ModuleName"));
            assertEquals(
                    "NotContextException java:comp/env/text/ is not a context",
                    look(server, "java:comp/env/text/x"));
            assertEquals(
                    "NameNotFoundException java:comp/env/no/such is not bound in this application",
                    look(server, "java:comp/env/no/such"));
        }
    }

    @Test
    void environmentEntry_ofAWrongValue_isNamedWithItsLine() {
        Path war =
                app().text("WEB-INF/web.xml", webXml("\n" + entry("n", "java.lang.Integer", "x")))
                        .to(temp.resolve("a.war"));
        Deployer deployer = new Deployer(DeploySettings.in(temp.resolve("work")));
        String message =
                assertThrows(DeploymentException.class, () -> deployer.deploy(war, "/a"))
                        .getMessage();
        assertTrue(message.contains("WEB-INF/web.xml:2:"), message);
        assertTrue(message.contains("\"x\" is not a java.lang.Integer"), message);
    }

    @Test
    void names_areReadOnly() throws Exception {
        try (AppServer server =
                start(app().text("WEB-INF/web.xml", webXml(entry("e", "java.lang.String", "v"))))) {
            ClassLoader loader = server.deployment().webApp().context().getClassLoader();
            Context root = Naming.of(loader).context(null);
            Context environment = (Context) root.lookup("java:comp/env");
            assertEquals("v", environment.lookup("e"));
            assertEquals("java:comp/env", environment.getNameInNamespace());
            assertEquals("e", environment.list("").next().getName());
            assertEquals("v", environment.listBindings("").next().getObject());
            assertThrows(NamingException.class, () -> environment.bind("f", "x"));
            assertThrows(NamingException.class, () -> environment.rebind("e", "x"));
            assertThrows(NamingException.class, () -> environment.unbind("e"));
            assertThrows(NamingException.class, () -> environment.createSubcontext("g"));
        }
    }

    @Test
    void names_ofAnApplication_areSeenByItsThreadsAlone() throws Exception {
        String property = System.getProperty(Context.INITIAL_CONTEXT_FACTORY);
        assertNull(property, "this test is about a JVM without one");
        try (AppServer server =
                start(app().text("WEB-INF/web.xml", webXml(entry("e", "java.lang.String", "v"))))) {
            assertEquals("String v", look(server, "java:comp/env/e"));
            assertNull(System.getProperty(Context.INITIAL_CONTEXT_FACTORY));
            assertNull(System.getProperty(Context.URL_PKG_PREFIXES));
            // Outside of the application nothing is different.
            assertThrows(
                    NoInitialContextException.class,
                    () -> new InitialContext().lookup("java:comp/env/e"));
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            ClassLoader loader = server.deployment().webApp().context().getClassLoader();
            thread.setContextClassLoader(new ClassLoader(loader) {});
            try {
                assertEquals("v", new InitialContext().lookup("java:comp/env/e"));
                Properties other = new Properties();
                other.put(
                        Context.INITIAL_CONTEXT_FACTORY,
                        "com.sun.jndi.rmi.registry.RegistryContextFactory");
                assertEquals("v", new InitialContext(other).lookup("java:comp/env/e"));
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    @Test
    void reference_withLookupName_isAnotherName() {
        String links =
                entry("e", "java.lang.String", "v")
                        + "<resource-ref><res-ref-name>r</res-ref-name>"
                        + "<lookup-name>java:comp/env/e</lookup-name></resource-ref>"
                        + "<resource-ref><res-ref-name>loop</res-ref-name>"
                        + "<lookup-name>java:comp/env/loop</lookup-name></resource-ref>";
        try (AppServer server = start(app().text("WEB-INF/web.xml", webXml(links)))) {
            assertEquals("String v", look(server, "java:comp/env/r"));
            assertTrue(look(server, "java:comp/env/loop").startsWith("LinkLoopException"));
        }
    }

    @Test
    void resource_declaredButNowhereMade_saysWhatToDo() {
        String reference =
                "<resource-ref><res-ref-name>jdbc/x</res-ref-name>"
                        + "<res-type>javax.sql.DataSource</res-type></resource-ref>";
        try (AppServer server = start(app().text("WEB-INF/web.xml", webXml(reference)))) {
            String answer = look(server, "java:comp/env/jdbc/x");
            assertTrue(answer.startsWith("NameNotFoundException jdbc/x is declared"), answer);
            assertTrue(answer.contains("META-INF/context.xml"), answer);
        }
    }

    private static final String INJECTED =
            """
            package p;
            import jakarta.annotation.*;
            import jakarta.servlet.http.*;
            import java.sql.*;
            import javax.sql.DataSource;
            @jakarta.servlet.annotation.WebServlet("/injected")
            @Resource(
                    name = "jdbc/other",
                    lookup = "java:comp/env/jdbc/db",
                    type = DataSource.class)
            public class Injected extends HttpServlet {
                @Resource(name = "jdbc/db") private DataSource source;
                @Resource private int number = 3;
                @Resource(name = "given") private int given = 3;
                private String text;
                private String byDescriptor;
                private String born;
                @Resource(lookup = "java:comp/env/hello") void setText(String t) { text = t; }
                @PostConstruct void born() { born = source == null ? "early" : "late"; }
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    try (Connection c = source.getConnection();
                            Statement s = c.createStatement()) {
                        s.execute("create table if not exists t (n int)");
                        s.execute("insert into t values (1)");
                        ResultSet rows = s.executeQuery("select count(*) from t");
                        rows.next();
                        r.getWriter().print(rows.getInt(1) + " " + number + " " + given + " "
                                + text + " " + byDescriptor + " " + born);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            """;

    private Archives injected() {
        String entries =
                entry("hello", "java.lang.String", "hello")
                        + entry("given", "java.lang.Integer", "8")
                        + "<env-entry><env-entry-name>d</env-entry-name>"
                        + "<env-entry-type>java.lang.String</env-entry-type>"
                        + "<env-entry-value>xml</env-entry-value><injection-target>"
                        + "<injection-target-class>p.Injected</injection-target-class>"
                        + "<injection-target-name>byDescriptor</injection-target-name>"
                        + "</injection-target></env-entry>";
        return app().classes("WEB-INF/classes/", List.of(), "p.Injected", INJECTED)
                .text("WEB-INF/web.xml", webXml(entries));
    }

    @Test
    void components_getResourcesBeforePostConstruct() {
        try (AppServer server = start(injected(), memory("injected", "org.h2.Driver"))) {
            assertEquals("1 3 8 hello xml late", server.get("/injected").body());
            assertEquals("2 3 8 hello xml late", server.get("/injected").body());
            assertTrue(
                    look(server, "java:comp/env/jdbc/other").startsWith("PooledDataSource"),
                    "what the class declares can be looked up");
        }
    }

    @Test
    void component_whoseResourceIsMissing_isNotMade() {
        try (AppServer server = start(injected())) {
            assertEquals(500, server.get("/injected").statusCode());
        }
    }

    @Test
    void serverResource_isLinkedByNameAndByLink_andOutlivesApplications() throws Exception {
        DataSourceSettings settings =
                new DataSourceSettings(
                        "jdbc:h2:mem:shared;DB_CLOSE_DELAY=-1",
                        null,
                        "sa",
                        "",
                        Map.of(),
                        DataSourceSettings.Session.asDriver(),
                        PoolLimits.defaults());
        ServerResources shared =
                new ServerResources(
                        Map.of("jdbc/db", new ResourceSpec.Pool(settings)),
                        List.of(getClass().getClassLoader()));
        DataSource pool;
        try (shared) {
            try (AppServer server =
                    start(
                            injected(),
                            shared,
                            names -> names.link("jdbc/mine", "jdbc/db", "here"))) {
                assertEquals("1 3 8 hello xml late", server.get("/injected").body());
                String found = "PooledDataSource data source jdbc/db";
                assertEquals(found, look(server, "java:comp/env/jdbc/mine"));
                assertEquals(found, look(server, "java:comp/env/jdbc/db"));
                assertEquals(found, look(server, "java:global/jdbc/db"));
            }
            pool = (DataSource) shared.lookup("jdbc/db");
            try (var connection = pool.getConnection()) {
                assertTrue(connection.isValid(5));
            }
        }
        assertThrows(java.sql.SQLException.class, pool::getConnection);
    }

    @Test
    void pool_endsWithItsApplication() throws Exception {
        DataSource pool;
        ClassLoader loader;
        try (AppServer server = start(injected(), memory("ends", "org.h2.Driver"))) {
            loader = server.deployment().webApp().context().getClassLoader();
            pool = (DataSource) Naming.of(loader).lookup("java:comp/env/jdbc/db");
            assertTrue(pool.getConnection().isValid(5));
            assertTrue(poolThreads() > 0);
        }
        assertThrows(java.sql.SQLException.class, pool::getConnection);
        assertNull(Naming.of(loader));
        Eventually.holds("the pool has no threads", () -> poolThreads() == 0);
    }

    private static long poolThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("margay-pool-jdbc/db"))
                .count();
    }

    @Test
    void driver_ofTheApplication_isFoundByUrl() throws Exception {
        Path driver =
                Path.of(
                        org.h2.Driver.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        Archives app =
                injected().bytes("WEB-INF/lib/h2.jar", java.nio.file.Files.readAllBytes(driver));
        try (AppServer server = start(app, memory("own", null))) {
            assertEquals("1 3 8 hello xml late", server.get("/injected").body());
            assertEquals("2 3 8 hello xml late", server.get("/injected").body());
            assertEquals(
                    List.of(),
                    server.deployment().undeploy(),
                    "the driver that the pool has loaded is not left behind");
        }
    }

    @Test
    void driver_thatNobodyHas_isAskedFor() {
        String url = "jdbc:postgresql://localhost/x?password=hidden";
        try (AppServer server = start(app(), dataSource(url, null))) {
            String answer = look(server, "java:comp/env/jdbc/db");
            assertTrue(
                    answer.contains("no JDBC driver takes jdbc:postgresql://localhost/x;"), answer);
            assertTrue(answer.contains("WEB-INF/lib"), answer);
            assertFalse(answer.contains("hidden"), answer);
        }
    }

    @Test
    void dataSourceDefinition_ofAClassOfDataSources_isMade() {
        String source =
                """
                package p;
                import jakarta.annotation.sql.DataSourceDefinition;
                @DataSourceDefinition(name = "java:app/jdbc/defined", user = "sa", password = "",
                    className = "org.h2.jdbcx.JdbcDataSource", maxPoolSize = 2, maxIdleTime = 60,
                    url = "jdbc:h2:mem:defined", isolationLevel = 2)
                @jakarta.servlet.annotation.WebServlet("/defined")
                public class Defined extends jakarta.servlet.http.HttpServlet {
                    @jakarta.annotation.Resource(lookup = "java:app/jdbc/defined")
                    javax.sql.DataSource source;
                    protected void doGet(jakarta.servlet.http.HttpServletRequest q,
                            jakarta.servlet.http.HttpServletResponse r)
                            throws java.io.IOException {
                        try (var c = source.getConnection()) {
                            r.getWriter().print(c.getTransactionIsolation());
                        } catch (java.sql.SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
                """;
        Archives app = app().classes("WEB-INF/classes/", List.of(), "p.Defined", source);
        try (AppServer server = start(app)) {
            assertEquals("2", server.get("/defined").body());
        }
    }

    @Test
    void dataSourceElement_withAPooledDataSource_isMade() throws Exception {
        String element =
                "<data-source><name>java:comp/env/jdbc/xml</name>"
                        + "<class-name>org.h2.jdbcx.JdbcDataSource</class-name>"
                        + "<url>jdbc:h2:mem:element</url><user>sa</user><password></password>"
                        + "<property><name>description</name><value>d</value></property>"
                        + "<max-pool-size>1</max-pool-size></data-source>";
        try (AppServer server = start(app().text("WEB-INF/web.xml", webXml(element)))) {
            ClassLoader loader = server.deployment().webApp().context().getClassLoader();
            DataSource source = (DataSource) Naming.of(loader).lookup("java:comp/env/jdbc/xml");
            try (var connection = source.getConnection()) {
                assertTrue(connection.isValid(5));
            }
        }
    }

    @Test
    void bean_isMadeByItsFactory() {
        String bean =
                "package p; public class Bean { private int n; public void setNumber(int v) { n ="
                        + " v; } public void setText(String s) {} public String toString() {"
                        + " return \"number \" + n; } }";
        String factory =
                "package p; public class Maker implements javax.naming.spi.ObjectFactory { public"
                        + " Object getObjectInstance(Object o, javax.naming.Name n,"
                        + " javax.naming.Context c, java.util.Hashtable<?, ?> e) { return"
                        + " \"made \" + ((javax.naming.Reference) o).get(\"colour\").getContent();"
                        + " } }";
        Archives app =
                app().classes("WEB-INF/classes/", List.of(), "p.Bean", bean, "p.Maker", factory);
        ResourceSpec number = new ResourceSpec.Bean("p.Bean", Map.of("number", "7"), true, null);
        ResourceSpec colour =
                new ResourceSpec.Factory(
                        "p.Maker", "java.lang.String", Map.of("colour", "red"), true, null);
        try (AppServer server =
                start(
                        app,
                        names -> {
                            names.resource("bean/b", number, "here");
                            names.resource("bean/m", colour, "here");
                        })) {
            assertEquals("Bean number 7", look(server, "java:comp/env/bean/b"));
            assertEquals("String made red", look(server, "java:comp/env/bean/m"));
        }
    }
}
