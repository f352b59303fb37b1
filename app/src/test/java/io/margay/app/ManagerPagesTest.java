package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/// The pages of Tomcat's manager beside its text interface, as monitors ask for them, at an address
/// that others may reach.
final class ManagerPagesTest {
    private static final String TOKEN = "a token for this test";

    @TempDir Path folder;
    private MargayServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() throws Exception {
        Path users = folder.resolve("users.xml");
        Files.writeString(
                users,
                """
                <tomcat-users>
                  <user username="status" password="secret" roles="manager-status"/>
                  <user username="jmx" password="secret" roles="manager-jmx"/>
                  <user username="script" password="secret" roles="manager-script"/>
                </tomcat-users>
                """);
        Files.createDirectories(folder.resolve("webapps"));
        Wars.with("a.txt", "a").war(folder.resolve("webapps/shop.war"));
        server =
                Margay.builder()
                        .http(0)
                        .work(folder.resolve("work"))
                        .users(users)
                        .webapps(folder.resolve("webapps"))
                        .admin("0.0.0.0:0", TOKEN)
                        .drain(Duration.ofSeconds(10))
                        .start();
        assertEquals("a", new Http(server.ports().getFirst()).get("/shop/a.txt"));
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private HttpResponse<String> get(String path, String user) throws Exception {
        String pair = user + ":" + (user.equals("token") ? TOKEN : "secret");
        String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path))
                        .timeout(Duration.ofSeconds(30))
                        .header("Authorization", "Basic " + basic)
                        .build(),
                BodyHandlers.ofString());
    }

    private String proxy(String query) throws Exception {
        HttpResponse<String> answer = get("/manager/jmxproxy/?" + query, "jmx");
        assertEquals(200, answer.statusCode());
        return answer.body();
    }

    private Element statusAsXml() {
        try {
            HttpResponse<String> answer = get("/manager/status?XML=true", "status");
            assertEquals(200, answer.statusCode());
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static long counted(Element status, String what) {
        Element requests = (Element) status.getElementsByTagName("requestInfo").item(0);
        return Long.parseLong(requests.getAttribute(what));
    }

    @Test
    void status_asXml_hasTomcatsElements() {
        Element status = statusAsXml();
        Element memory = (Element) status.getElementsByTagName("memory").item(0);
        assertTrue(Long.parseLong(memory.getAttribute("max")) > 1 << 20);
        assertTrue(status.getElementsByTagName("memorypool").getLength() > 1);
        Element connector = (Element) status.getElementsByTagName("connector").item(0);
        assertEquals(
                "\"http-nio-" + server.ports().getFirst() + "\"", connector.getAttribute("name"));
        Element threads = (Element) connector.getElementsByTagName("threadInfo").item(0);
        assertEquals("200", threads.getAttribute("maxThreads"));
        // The request before is counted once it has ended, which its client may see earlier.
        Eventually.holds(
                "the one request is counted", () -> counted(statusAsXml(), "requestCount") == 1);
        assertTrue(counted(statusAsXml(), "bytesSent") > 100);
    }

    @Test
    void status_asPage_namesConnectorsAndApplications() throws Exception {
        String connector = "http-nio-" + server.ports().getFirst();
        String page = get("/manager/status", "status").body();
        assertTrue(page.contains(connector), page);
        assertFalse(page.contains("localhost/shop"), page);
        assertTrue(get("/manager/status/all", "status").body().contains("localhost/shop"));
    }

    @Test
    void pages_areForUsersWithTheRoleThatTomcatWants() throws Exception {
        assertEquals(200, get("/manager/status", "jmx").statusCode());
        assertEquals(200, get("/manager/status", "token").statusCode());
        assertEquals(401, get("/manager/jmxproxy", "status").statusCode());
        assertEquals(401, get("/manager/jmxproxy", "script").statusCode());
        assertEquals(200, get("/manager/jmxproxy", "token").statusCode());
        assertEquals(401, get("/manager/text/list", "jmx").statusCode());
        assertEquals(401, get("/metrics", "status").statusCode());
        assertEquals(200, get("/metrics", "script").statusCode());
    }

    @Test
    void html_leadsToTheConsole() throws Exception {
        HttpResponse<String> answer = get("/manager/html", "script");
        assertEquals(302, answer.statusCode());
        assertEquals("../", answer.headers().firstValue("Location").orElseThrow());
    }

    @Test
    void jmxProxy_asksByPatternAndByAttribute() throws Exception {
        String port = String.valueOf(server.ports().getFirst());
        String found = proxy("qry=*:type=GlobalRequestProcessor,name=%22http-nio-" + port + "%22");
        assertTrue(found.startsWith("OK - Number of results: 1\r\n\r\nName: Catalina"), found);
        assertTrue(found.contains("\r\nrequestCount: 1\r\n"), found);
        String name = found.lines().filter(one -> one.startsWith("Name: ")).findFirst().orElse("");
        String bean = name.substring(6).replace("\"", "%22");
        assertEquals(
                "OK - Attribute get '" + name.substring(6) + "' - errorCount = 0\n",
                proxy("get=" + bean + "&att=errorCount"));
        String used = proxy("get=java.lang:type=Memory&att=HeapMemoryUsage&key=used");
        assertTrue(
                used.matches(
                        "OK - Attribute get 'java.lang:type=Memory' - HeapMemoryUsage"
                                + " - key 'used' = [0-9]+\n"),
                used);
    }

    @Test
    void jmxProxy_changesNothingAndShowsNoSecrets() throws Exception {
        assertTrue(proxy("set=java.lang:type=Memory&att=Verbose&val=true").startsWith("Error - "));
        assertTrue(proxy("invoke=java.lang:type=Memory&op=gc").startsWith("Error - "));
        String runtime = proxy("qry=java.lang:type=Runtime");
        assertTrue(runtime.contains("\r\nVmName: "), runtime);
        assertFalse(runtime.contains("SystemProperties"), runtime);
        assertFalse(runtime.contains("InputArguments"), runtime);
        assertTrue(proxy("get=java.lang:type=Runtime&att=SystemProperties").startsWith("Error - "));
        assertTrue(proxy("qry=::").startsWith("Error - javax.management.Malformed"));
        assertTrue(proxy("get=a:b=c&att=x").startsWith("Error - javax.management.Instance"));
    }
}
