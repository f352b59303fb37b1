package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.JmxMode;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.Eventually;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What JMX shows of servers, by Tomcat's names.
final class JmxTest {
    private final MBeanServer mbeans = ManagementFactory.getPlatformMBeanServer();
    private final List<MargayServer> servers = new ArrayList<>();

    @TempDir Path folder;

    @BeforeEach
    void application() throws Exception {
        Files.createDirectories(folder.resolve("webapps"));
        Wars.with("a.txt", "a")
                .servlet(CountServlet.class, "/count")
                .war(folder.resolve("webapps/shop.war"));
    }

    @AfterEach
    void stop() {
        servers.forEach(MargayServer::close);
    }

    private MargayConfig config(String work, String more) throws Exception {
        Path file = folder.resolve(work + ".yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                work: %s
                %s
                hosts: [{webapps: webapps}]
                """
                        .formatted(work, more));
        return ConfigFile.read(file, Map.of()).get();
    }

    private MargayServer start(MargayConfig config) {
        MargayServer server = MargayServer.start(config, DeployProgress.NONE);
        servers.add(server);
        return server;
    }

    /// The domain of the server with that port; waits until all of it is registered, which happens
    /// on another thread, one MBean after another.
    private String domain(int port) {
        ObjectName pattern = name("*:type=GlobalRequestProcessor,name=\"http-nio-" + port + "\"");
        Eventually.holds(pattern.toString(), () -> !mbeans.queryNames(pattern, null).isEmpty());
        String domain = mbeans.queryNames(pattern, null).iterator().next().getDomain();
        ObjectName last = name(servlet(domain, "default"));
        Eventually.holds(last.toString(), () -> mbeans.isRegistered(last));
        return domain;
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestsSessionsAndThreads_areReadUnderTomcatsNames() throws Exception {
        MargayServer server = start(config("one", "jmx: on"));
        int port = server.ports().getFirst();
        String domain = domain(port);
        Http http = new Http(port);
        http.get("/shop/count");
        http.get("/shop/a.txt");
        assertEquals(404, http.status("/shop/none"));
        ObjectName requests =
                name(domain + ":type=GlobalRequestProcessor,name=\"http-nio-" + port + "\"");
        Eventually.holds("three requests", () -> read(requests, "requestCount").equals(3));
        assertEquals(1, read(requests, "errorCount"));
        ObjectName meters = name(domain + ":type=Meters");
        assertEquals(
                1.0,
                read(meters, "margay_requests{listener=\"http:" + port + "\",status=\"4xx\"}"));
        assertEquals(1.0, read(meters, "margay_serving"));
        assertTrue((long) read(requests, "bytesSent") > 300);
        assertTrue((long) read(requests, "bytesReceived") > 60);
        assertTrue((long) read(requests, "processingTime") >= (long) read(requests, "maxTime"));
        ObjectName threads = name(domain + ":type=ThreadPool,name=\"http-nio-" + port + "\"");
        assertEquals(200, read(threads, "maxThreads"));
        assertEquals(port, read(threads, "port"));
        assertTrue((int) read(threads, "currentThreadCount") > 0);
        assertTrue((long) read(threads, "connectionCount") > 0);
        ObjectName sessions = name(domain + ":type=Manager,host=localhost,context=/shop");
        assertEquals(1, read(sessions, "activeSessions"));
        assertEquals(1L, read(sessions, "sessionCounter"));
        assertEquals(0, read(sessions, "rejectedSessions"));
        ObjectName module = name(module(domain));
        assertEquals("STARTED", read(module, "stateName"));
        assertEquals(3, read(module, "requestCount"));
        assertEquals(
                "Margay/" + ServerVersion.number(),
                read(name(domain + ":type=Server"), "serverInfo"));
        assertThrows(
                AttributeNotFoundException.class,
                () -> mbeans.setAttribute(threads, new Attribute("maxThreads", 1)));
    }

    @Test
    void connectorHostAndServlets_areReadUnderTomcatsNames() throws Exception {
        MargayServer server = start(config("one", "jmx: on"));
        int port = server.ports().getFirst();
        String domain = domain(port);
        ObjectName connector = name(domain + ":type=Connector,port=" + port);
        Eventually.holds("registered", () -> mbeans.isRegistered(connector));
        assertEquals(port, read(connector, "localPort"));
        assertEquals("HTTP/1.1", read(connector, "protocol"));
        assertEquals("http", read(connector, "scheme"));
        assertEquals(false, read(connector, "secure"));
        assertEquals("STARTED", read(connector, "stateName"));
        ObjectName host = name(domain + ":type=Host,host=localhost");
        Eventually.holds("registered", () -> mbeans.isRegistered(host));
        assertEquals("localhost", read(host, "name"));

        ObjectName count = name(servlet(domain, CountServlet.class.getName()));
        Eventually.holds("registered", () -> mbeans.isRegistered(count));
        assertEquals(0, read(count, "requestCount"));
        assertEquals(Long.MAX_VALUE, read(count, "minTime"));
        assertEquals(0L, read(count, "loadTime"));
        Http http = new Http(port);
        http.get("/shop/count");
        http.get("/shop/count");
        HttpRequest wrong =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/shop/count"))
                        .DELETE()
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertEquals(405, client.send(wrong, BodyHandlers.discarding()).statusCode());
        }
        Eventually.holds("three requests", () -> read(count, "requestCount").equals(3));
        assertEquals(1, read(count, "errorCount"));
        assertTrue((long) read(count, "processingTime") >= (long) read(count, "maxTime"));
        assertTrue((long) read(count, "maxTime") >= (long) read(count, "minTime"));
        assertTrue((long) read(count, "loadTime") >= (int) read(count, "classLoadTime"));
        ObjectName files = name(servlet(domain, "default"));
        for (int i = 0; i < 3; i++) {
            http.get("/shop/a.txt"); // From memory at last, without a thread of the pool.
        }
        Eventually.holds("three files", () -> read(files, "requestCount").equals(3));
        assertEquals(0, read(files, "errorCount"));
    }

    private static String servlet(String domain, String name) {
        return domain
                + ":j2eeType=Servlet,WebModule=//localhost/shop,name="
                + name
                + ",J2EEApplication=none,J2EEServer=none";
    }

    private static String module(String domain) {
        return domain
                + ":j2eeType=WebModule,name=//localhost/shop,J2EEApplication=none,J2EEServer=none";
    }

    private Object read(ObjectName bean, String attribute) {
        try {
            return mbeans.getAttribute(bean, attribute);
        } catch (Exception e) {
            throw new AssertionError(bean + " " + attribute, e);
        }
    }

    @Test
    void applicationsThatComeAndGo_areRegisteredAndUnregistered() throws Exception {
        MargayConfig config = config("one", "jmx: on");
        MargayServer server = start(config);
        String domain = domain(server.ports().getFirst());
        assertTrue(mbeans.isRegistered(name(module(domain))));
        Files.delete(folder.resolve("webapps/shop.war"));
        Wars.with("a.txt", "b").war(folder.resolve("webapps/other.war"));
        server.reload(config);
        assertFalse(mbeans.isRegistered(name(module(domain))));
        assertTrue(
                mbeans.isRegistered(name(domain + ":type=Manager,host=localhost,context=/other")));
        server.close();
        assertEquals(Set.of(), mbeans.queryNames(name(domain + ":*"), null));
    }

    @Test
    void twoServersOfOneJvm_haveDomainsOfTheirOwn() throws Exception {
        MargayServer one = start(config("one", "jmx: on"));
        String first = domain(one.ports().getFirst());
        MargayServer other = start(config("two", "jmx: auto"));
        String second = domain(other.ports().getFirst());
        assertEquals(first + "-1", second);
        Eventually.holds("registered", () -> mbeans.isRegistered(name(module(second))));
        one.close();
        assertTrue(mbeans.isRegistered(name(module(second))), "the other goes on");
    }

    @Test
    void off_showsNothing() throws Exception {
        MargayServer server = start(config("one", "jmx: off"));
        server.jmx().follow(server.config().jmx());
        ObjectName pattern =
                name(
                        "*:type=GlobalRequestProcessor,name=\"http-nio-"
                                + server.ports().getFirst()
                                + "\"");
        assertEquals(Set.of(), mbeans.queryNames(pattern, null));
        assertEquals(JmxMode.OFF, server.config().jmx());
    }
}
