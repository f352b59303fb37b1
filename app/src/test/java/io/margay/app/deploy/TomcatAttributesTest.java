package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.testkit.Archives;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the account of a `CATALINA_BASE` calls honoured has an effect: each attribute of a context
/// is deployed and asked, with it and without, and each of a connector or an engine changes the
/// configuration.
final class TomcatAttributesTest {
    private static final Path ROOT = Path.of(System.getProperty("margay.root", ".."));
    private static final Path TABLE =
            ROOT.resolve("compat/tomcat/src/main/resources")
                    .resolve("io/margay/compat/tomcat/server/attributes.txt");
    private static final Path TRIED = ROOT.resolve("app/src/test/tomcat-attributes.txt");

    /// Names that a line of the table has, and its verdict.
    private static final Pattern HONOURED =
            Pattern.compile("([^{:]+?)(?: \\{[^}]*})?: honoured(?:\\..*)?");

    /// What no test tries yet, since it takes a directory, a second process, load or a browser; a
    /// line goes when a test has it.
    private static final Set<String> YET =
            Set.of(
                    "CredentialHandler iterations",
                    "Realm LockOutRealm cacheSize",
                    "Realm LockOutRealm lockOutTime",
                    "Valve ClusterSingleSignOn requireReauthentication",
                    "Valve CrawlerSessionManagerValve contextAware",
                    "Valve CrawlerSessionManagerValve hostAware",
                    "Valve ErrorReportValve showServerInfo",
                    "Valve LoadBalancerDrainingValve ignoreCookieName",
                    "Valve LoadBalancerDrainingValve ignoreCookieValue",
                    "Valve LoadBalancerDrainingValve redirectStatusCode",
                    "Valve SSLValve sslCipherUserKeySizeHeader",
                    "Valve SSLValve sslClientEscapedCertHeader",
                    "Valve SSLValve sslSessionIdHeader",
                    "Valve SemaphoreValve fairness",
                    "Valve SemaphoreValve interruptible",
                    "Valve SingleSignOn requireReauthentication");

    private static final Map<String, String> SHORT =
            Map.of(
                    "$store", "SSLEnabled=true keystoreFile=conf/site.p12",
                    "$trust", "clientAuth=true truststoreFile=conf/site.p12",
                    "$authority", "SSLVerifyClient=require SSLCACertificateFile=conf/site.pem",
                    "$files",
                            "SSLEnabled=true SSLCertificateFile=conf/site.pem"
                                    + " SSLCertificateKeyFile=conf/site.key",
                    "$required",
                            "certificateVerification=required" + " caCertificateFile=conf/site.pem",
                    "$pem", "certificateFile=conf/site.pem certificateKeyFile=conf/site.key");

    @TempDir Path base;

    private int made;

    @BeforeEach
    void files() throws Exception {
        base = base.toRealPath();
        Files.createDirectories(base.resolve("webapps"));
        Files.createDirectories(base.resolve("conf"));
    }

    private void write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static List<String[]> tried(boolean contexts) throws IOException {
        try (Stream<String> lines = Files.lines(TRIED)) {
            return lines.filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(line -> line.split(" ; "))
                    .filter(parts -> contexts == (parts.length > 2))
                    .toList();
        }
    }

    /// The attributes that the table calls honoured, each as `SECTION ATTRIBUTE`.
    private static TreeSet<String> honoured() throws IOException {
        TreeSet<String> all = new TreeSet<>();
        String section = "";
        for (String line : Files.readAllLines(TABLE)) {
            if (line.startsWith("[")) {
                section = line.substring(1, line.length() - 1);
            }
            Matcher matcher = HONOURED.matcher(line);
            if (matcher.matches()) {
                for (String name : matcher.group(1).split(" ")) {
                    if (!name.equals("(element)")) {
                        all.add(section + " " + name);
                    }
                }
            }
        }
        return all;
    }

    @Test
    void everyAttribute_thatIsHonoured_isTried() throws IOException {
        TreeSet<String> left = honoured();
        for (String[] row : tried(false)) {
            String name = row[0].substring(0, row[0].indexOf('='));
            left.remove(name.contains("Valve") ? "Valve " + name : name);
        }
        for (String[] row : tried(true)) {
            int section = row[0].contains(":") ? row[0].indexOf(':') : row[0].indexOf(' ');
            for (String name : row[0].substring(section + 1).strip().split(" ")) {
                left.remove(row[0].substring(0, section) + " " + name);
            }
        }
        Set<String> words = wordsOfTests();
        left.removeIf(name -> {
            String word = name.substring(name.lastIndexOf(' ') + 1).replace(".*", "");
            return word.equals("*") || words.contains(word);
        });
        assertEquals(new TreeSet<>(YET), left);
    }

    /// What stands in the sources of the tests that name attributes, but for this one.
    private static Set<String> wordsOfTests() throws IOException {
        Set<String> words = new HashSet<>();
        for (String module : List.of("app", "compat/tomcat")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    if (!file.endsWith("TomcatAttributesTest.java")) {
                        words.addAll(List.of(Files.readString(file).split("\\W+")));
                    }
                }
            }
        }
        return words;
    }

    // Of servers

    private TomcatPlan plan(String element, Map<String, String> attributes) throws IOException {
        String pair = "certificateFile='conf/site.pem' certificateKeyFile='conf/site.key'";
        String certificate =
                element.equals("Certificate")
                        ? "<Certificate " + written(attributes) + "/>"
                        : "<Certificate " + pair + "/>";
        boolean own = attributes.keySet().stream().anyMatch(name -> isOfCertificate(name));
        String hosts =
                "<SSLHostConfig %s>%s</SSLHostConfig>"
                        .formatted(
                                element.equals("SSLHostConfig") ? written(attributes) : "",
                                element.equals("SSLHostConfig") && own ? "" : certificate);
        boolean two = attributes.containsKey("two") || attributes.containsKey("hostName");
        if (two) {
            hosts +=
                    "<SSLHostConfig hostName='c.example'><Certificate"
                            + " certificateFile='conf/other.pem'"
                            + " certificateKeyFile='conf/other.key'/>"
                            + "</SSLHostConfig>";
        }
        boolean tls = element.equals("SSLHostConfig") || element.equals("Certificate") || two;
        String connector =
                switch (element) {
                    case "Connector" -> written(attributes);
                    case "Executor" -> "executor='pool'";
                    default -> tls ? "SSLEnabled='true'" : "";
                };
        Map<String, String> pool = new TreeMap<>(Map.of("name", "pool", "maxThreads", "55"));
        pool.putAll(element.equals("Executor") ? attributes : Map.of());
        Map<String, String> host = new TreeMap<>(Map.of("name", "localhost", "appBase", "webapps"));
        host.putAll(element.equals("Host") ? attributes : Map.of());
        write(
                "conf/server.xml",
                """
                <Server %s><Service name="Catalina">
                  <Executor %s/>
                  <Connector %s>%s</Connector>
                  <Engine name="Catalina" %s>
                    <Host %s>%s</Host>
                    <Host name="other.example" appBase="webapps"/>
                  </Engine>
                </Service></Server>
                """
                        .formatted(
                                element.equals("Server") ? written(attributes) : "port='-1'",
                                written(pool),
                                connector,
                                tls ? hosts : "",
                                element.equals("Engine")
                                        ? written(attributes)
                                        : "defaultHost='localhost'",
                                written(host),
                                element.endsWith("Valve")
                                        ? "<Valve className='org.apache.catalina.valves.%s' %s/>"
                                                .formatted(element, written(attributes))
                                        : ""));
        return CatalinaBase.read(base, Map.of()).plan();
    }

    private static boolean isOfCertificate(String name) {
        return name.matches("certificate(File|Key.*|Chain.*)");
    }

    private static String written(Map<String, String> attributes) {
        StringBuilder text = new StringBuilder();
        attributes.forEach((name, value) ->
                text.append(' ').append(name).append("='").append(value).append('\''));
        return text.toString();
    }

    private static Map<String, String> attributes(String text) {
        String all = text;
        for (Map.Entry<String, String> one : SHORT.entrySet()) {
            all = all.replace(one.getKey(), one.getValue());
        }
        Map<String, String> attributes = new TreeMap<>();
        for (String one : all.strip().split(" ")) {
            String[] pair = one.split("=", 2);
            attributes.put(pair[0], pair.length > 1 ? pair[1] : "");
        }
        attributes.remove("");
        return attributes;
    }

    /// What a server would do, as far as its files say.
    private static List<Object> read(TomcatPlan plan) {
        return List.of(
                plan.connectors(),
                plan.hosts(),
                plan.route(),
                plan.paths(),
                plan.numbers(),
                plan.deployment(),
                TomcatConfig.of(plan),
                String.valueOf(plan.compression()),
                ConfigWriter.write(TomcatConfig.of(plan)));
    }

    @Test
    void attributesOfServers_changeTheConfiguration() throws Exception {
        Pem _ = Pem.make(base.resolve("conf"), "site");
        Pem _ = Pem.make(base.resolve("conf"), "other");
        write("conf/password", "another\n");
        write(
                "conf/authorities/0a1b2c3d.0",
                Files.readString(base.resolve("conf").resolve("site.pem")));
        write("conf/descriptors/x.xml", "<Context docBase='" + base + "'/>");
        TreeSet<String> without = new TreeSet<>();
        for (String[] row : tried(false)) {
            int name = row[0].indexOf(' ');
            String element = row[0].substring(0, name);
            Map<String, String> before = attributes(row.length > 1 ? row[1] : "");
            Map<String, String> after = new TreeMap<>(before);
            after.putAll(attributes(row[0].substring(name + 1)));
            if (read(plan(element, before)).equals(read(plan(element, after)))) {
                without.add(row[0]);
            }
        }
        assertEquals("", String.join("\n", without), "these say nothing");
    }

    // Of contexts

    private static final String SAY =
            """
            <%@ page import="javax.naming.*" %><%!
            static String look(String name) {
                try {
                    Object found = new InitialContext().lookup("java:comp/env/" + name);
                    return found + " " + found.getClass().getName();
                } catch (NamingException e) {
                    return "none";
                }
            }
            %>p=<%= application.getInitParameter("p") %> q=<%= application.getInitParameter("q") %>
            e=<%= look("e") %> f=<%= look("f") %> linked=<%= look("linked") %>
            cross=<%= application.getContext("/neighbour") != null %> which=<%= p.Which.text() %>
            one=<%= application.getResource("/one.txt") != null %>
            two=<%= application.getResource("/two.txt") != null %>
            remote=<%= request.getRemoteAddr() %>
            """;

    private static final String TAGS =
            """
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
              <tlib-version>1</tlib-version><short-name>t</short-name><uri>urn:%s</uri>
              <function><name>text</name><function-class>java.lang.Integer</function-class>
                <function-signature>java.lang.String toString(int)</function-signature></function>
            </taglib>
            """;

    private static final String TAGGED = "<%%@ taglib prefix='t' uri='urn:%s' %%>tag=${t:text(7)}";

    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <context-param><param-name>q</param-name><param-value>web</param-value>
              </context-param>
              <env-entry><env-entry-name>f</env-entry-name>
                <env-entry-type>java.lang.String</env-entry-type>
                <env-entry-value>web</env-entry-value></env-entry>
              <security-constraint>
                <web-resource-collection><web-resource-name>in</web-resource-name>
                  <url-pattern>/in/*</url-pattern></web-resource-collection>
                <auth-constraint><role-name>in</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
              <security-role><role-name>in</role-name></security-role>
            </web-app>
            """;

    private Archives jar(String name) {
        return Archives.in(base)
                .text("META-INF/resources/" + name + ".txt", name)
                .text("META-INF/" + name + ".tld", TAGS.formatted(name));
    }

    private static String which(String says) {
        return "package p; public class Which { public static String text() { return \""
                + says
                + "\"; } }";
    }

    private void application() throws Exception {
        Path scratch = Files.createDirectories(base.resolve("scratch"));
        Path files =
                Archives.in(scratch).text("in/jarred.txt", "jarred").to(base.resolve("files.jar"));
        Path _ =
                Archives.in(scratch)
                        .bytes("WEB-INF/lib/files.jar", Files.readAllBytes(files))
                        .to(base.resolve("files.war"));
        write("files/more.txt", "more");
        write("other/index.html", "other");
        Path _ =
                Archives.in(scratch)
                        .classes("", List.of(), "p.Which", which("shared"))
                        .text("META-INF/resources/shared.txt", "shared")
                        .to(base.resolve("lib/shared.jar"));
        Path _ =
                Archives.in(scratch)
                        .classes("WEB-INF/classes/", List.of(), "p.Which", which("own"))
                        .bytes("WEB-INF/lib/one.jar", jar("one").toBytes())
                        .bytes("WEB-INF/lib/two.jar", jar("two").toBytes())
                        .text("WEB-INF/classes/META-INF/classes.tld", TAGS.formatted("classes"))
                        .text("WEB-INF/web.xml", WEB_XML)
                        .text("WEB-INF/rewrite.config", "RewriteRule ^/old$ /index.html")
                        .text("WEB-INF/other.config", "RewriteRule ^/older$ /index.html")
                        .text("index.html", "index")
                        .text("in/index.html", "inside")
                        .text("say.jsp", SAY)
                        .text("session.jsp", "<%@ page session='true' %><%= session.getId() %>")
                        .text("parts.jsp", "parts=<%= request.getParts().size() %>")
                        .text("one.jsp", TAGGED.formatted("one"))
                        .text("tagged.jsp", TAGGED.formatted("classes"))
                        .toFolder(base.resolve("application"));
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ada' password='secret' roles='in'/>"
                        + "</tomcat-users>");
        write(
                "conf/server.xml",
                """
                <Server port="-1">
                  <GlobalNamingResources>
                    <Environment name="g" type="java.lang.String" value="global"/>
                    <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase"
                              factory="org.apache.catalina.users.MemoryUserDatabaseFactory"
                              pathname="conf/tomcat-users.xml" />
                  </GlobalNamingResources>
                  <Service name="Catalina">
                  <Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Realm className="org.apache.catalina.realm.UserDatabaseRealm"
                           resourceName="UserDatabase"/>
                    <Host name="localhost" appBase="webapps"/>
                  </Engine>
                </Service></Server>
                """);
    }

    /// Deploys the application with a context; returns its name.
    private String deployed(String context) throws IOException {
        String name = "c" + made++;
        String text = context.replace("$base", base.toString());
        write(
                "conf/Catalina/localhost/" + name + ".xml",
                text.contains("docBase")
                        ? text
                        : text.replaceFirst(
                                "<Context", "<Context docBase='" + base + "/application'"));
        return name;
    }

    /// Statuses, contents and cookies of what is asked.
    private String answers(int port, String context, String ask) throws Exception {
        String[] words = ask.split(" ", 2);
        String more = words.length > 1 ? words[1] : "";
        StringBuilder text = new StringBuilder();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String path : words[0].split(",")) {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + port + "/" + context + path));
                if (more.equals("POST")) {
                    request.header("Content-Type", "multipart/form-data; boundary=b")
                            .POST(
                                    BodyPublishers.ofString(
                                            "--b\r\nContent-Disposition: form-data; name=\"a\""
                                                    + "\r\n\r\nx\r\n--b--\r\n"));
                } else if (more.contains(": ")) {
                    request.header(more.split(": ")[0], more.split(": ")[1]);
                }
                HttpResponse<String> response =
                        client.send(request.build(), BodyHandlers.ofString());
                text.append(response.statusCode())
                        .append(' ')
                        .append(response.body().strip().replaceAll("\\s+", " "))
                        .append(' ')
                        .append(String.join(" ", response.headers().allValues("set-cookie")))
                        .append(' ');
            }
        }
        return text.toString();
    }

    @Test
    void attributesOfContexts_haveAnEffectThatCanBeAsked() throws Exception {
        application();
        for (String name : List.of("plain", "neighbour")) {
            write(
                    "conf/Catalina/localhost/" + name + ".xml",
                    "<Context docBase='" + base + "/application'/>");
        }
        List<String[]> rows = tried(true);
        List<String> with = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (String[] row : rows) {
            with.add(deployed(row[1]));
            without.add(row.length > 4 ? deployed(row[4]) : "plain");
        }
        TreeSet<String> wrong = new TreeSet<>();
        TomcatPlan plan = CatalinaBase.read(base, Map.of()).plan();
        try (MargayServer server =
                MargayServer.start(
                        TomcatConfig.of(plan).withWork(base.resolve("work")),
                        DeployProgress.NONE)) {
            int port = server.ports().getFirst();
            for (int i = 0; i < rows.size(); i++) {
                String[] row = rows.get(i);
                Pattern expected = Pattern.compile(row[3], Pattern.DOTALL);
                String said = answers(port, with.get(i), row[2]);
                if (expected.matcher(answers(port, without.get(i), row[2])).find()) {
                    wrong.add(row[0] + ": the same without");
                }
                if (!expected.matcher(said).find()) {
                    wrong.add(row[0] + ": " + said);
                }
            }
        }
        assertEquals("", String.join("\n", wrong));
    }
}
