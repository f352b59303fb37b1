package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

/// `/manager/status?XML=true` and `/manager/jmxproxy` beside those of a real Tomcat: the same names
/// in the same places, so that what reads Tomcat's reads Margay's.
final class ManagerPagesIT {
    private static final String TOKEN = "a-token-of-this-test";

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));
    private final Path manager = Path.of(System.getProperty("margay.tomcat-manager", "manager"));

    @TempDir Path folder;

    @Test
    void pages_besideTomcats_haveTheSameNames() throws Exception {
        Path context = folder.resolve("tomcat/conf/Catalina/localhost/manager.xml");
        Files.createDirectories(context.getParent());
        Path users = folder.resolve("users.xml");
        Files.writeString(
                users,
                "<tomcat-users><user username='a' password='"
                        + TOKEN
                        + "' roles='manager-status,manager-jmx'/></tomcat-users>");
        Files.writeString(
                context,
                """
                <Context docBase="%s" privileged="true">
                  <Realm className="org.apache.catalina.realm.MemoryRealm" pathname="%s"/>
                </Context>
                """
                        .formatted(manager, users));
        int admin = FreePort.next();
        String examples = home.resolve("webapps").toString();
        try (ServerProcess tomcat = ServerProcess.tomcat(home, folder.resolve("tomcat"));
                ServerProcess margay =
                        ServerProcess.margay(
                                folder,
                                Map.of("MARGAY_ADMIN_TOKEN", TOKEN),
                                "run",
                                examples,
                                "--http",
                                "0",
                                "--admin",
                                String.valueOf(admin))) {
            int theirs = tomcat.awaitTomcat();
            margay.awaitMargay();
            assertEquals(
                    elements(get(theirs, "/manager/status?XML=true")),
                    elements(get(admin, "/manager/status?XML=true")));
            for (String query :
                    List.of(
                            "*:type=GlobalRequestProcessor,name=*",
                            "*:type=ThreadPool,name=*",
                            "*:type=Manager,context=/examples,*",
                            "*:j2eeType=WebModule,name=//localhost/examples,*",
                            "*:type=Server")) {
                String path = "/manager/jmxproxy/?qry=" + query;
                Set<String> ours = attributes(get(admin, path));
                Set<String> unknown = new TreeSet<>(ours);
                unknown.removeAll(attributes(get(theirs, path)));
                assertTrue(ours.size() > 2, query + ours);
                assertEquals(Set.of(), unknown, query);
            }
            assertEquals(
                    get(theirs, "/manager/jmxproxy/?get=java.lang:type=Memory&att=Verbose"),
                    get(admin, "/manager/jmxproxy/?get=java.lang:type=Memory&att=Verbose"));
        }
    }

    /// Elements with the names of their attributes. The requests that run now, of which Tomcat has
    /// a list, are none of the server's at the admin listener.
    private static Set<String> elements(String xml) throws Exception {
        Element root =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                        .getDocumentElement();
        NodeList all = root.getElementsByTagName("*");
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            NamedNodeMap attributes = element.getAttributes();
            Set<String> own = new TreeSet<>();
            for (int k = 0; k < attributes.getLength(); k++) {
                own.add(attributes.item(k).getNodeName());
            }
            if (!element.getTagName().equals("worker")) {
                names.add(element.getParentNode().getNodeName() + "/" + element.getTagName() + own);
            }
        }
        return names;
    }

    /// The names before the colons of the lines of a bean.
    private static Set<String> attributes(String text) {
        assertTrue(text.startsWith("OK - Number of results: 1"), text);
        return text.lines()
                .skip(2)
                .filter(line -> line.contains(": "))
                .map(line -> line.substring(0, line.indexOf(": ")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String get(int port, String path) throws Exception {
        String pair = "a:" + TOKEN;
        String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .header("Authorization", "Basic " + basic)
                                    .build(),
                            BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), path);
            return answer.body();
        }
    }
}
