package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The active configuration beside the one that a reload would read, as scripts see it.
final class ConfigurationApiIT {
    private static final String TOKEN = "a-token-of-operators";

    @TempDir Path folder;
    private int admin;

    @BeforeEach
    void choose() throws IOException {
        admin = FreePort.next();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + admin + "/api/configuration" + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .header("Authorization", "Bearer " + TOKEN)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private Map<String, Object> shown(String query) throws Exception {
        HttpResponse<String> response = send("GET", query);
        assertEquals(200, response.statusCode(), response.body());
        assertFalse(response.body().contains("hunter2"), response.body());
        return JSON.std.mapFrom(response.body());
    }

    private static List<String> paths(Map<String, Object> shown, String of) {
        return ((List<?>) shown.get(of))
                .stream().map(one -> String.valueOf(((Map<?, ?>) one).get("path"))).toList();
    }

    @Test
    void file_beforeAndAfterAReload_isComparedWithoutItsSecrets() throws Exception {
        Files.createDirectories(folder.resolve("site"));
        Path file = folder.resolve("margay.yaml");
        String text =
                """
                listeners: [{ajp: 127.0.0.1:1, secret: hunter2}]
                admin: 127.0.0.1:%d
                admin-token: ${TOKEN}
                hosts: [{routes: {/: {files: site}}}]
                """
                        .formatted(admin);
        Files.writeString(file, text);
        Map<String, String> environment = Map.of("TOKEN", TOKEN);
        try (ServerProcess process =
                ServerProcess.margay(
                        folder, environment, "run", "margay.yaml", "--http", "127.0.0.1:0")) {
            int _ = process.awaitMargay();
            Map<String, Object> same = shown("");
            assertEquals("same", same.get("state"), same::toString);
            assertEquals(List.of("--http"), same.get("commandLine"));
            assertEquals(true, same.get("ownFile"));
            assertTrue(paths(same, "found").contains("hosts[#1].routes./.files"), same::toString);
            Files.writeString(file, text.replace("hunter2", "hunter22"));
            Map<String, Object> differs = shown("?find=drain&all=true");
            assertEquals("differs", differs.get("state"), differs::toString);
            assertEquals(List.of("listeners[127.0.0.1:1].secret"), paths(differs, "changes"));
            assertEquals(List.of("drain", "drain-delay"), paths(differs, "found"));
            Files.writeString(file, text + "drain: soon\n");
            Map<String, Object> wrong = shown("");
            assertEquals("wrong", wrong.get("state"));
            assertEquals(List.of("drain"), paths(wrong, "changes"));
            assertTrue(wrong.get("problems").toString().contains("drain"), wrong::toString);
            assertEquals(422, send("POST", "/reload").statusCode());
            Files.writeString(file, text + "drain: 9s\n");
            assertEquals(200, send("POST", "/reload").statusCode());
            Map<String, Object> reloaded = shown("?find=drain");
            assertEquals("same", reloaded.get("state"), reloaded::toString);
            assertTrue(reloaded.get("found").toString().contains("value=9s"), reloaded::toString);
        }
    }

    @Test
    void filesOfTomcat_areComparedAsMigrateWouldWriteThem() throws Exception {
        Path conf = Files.createDirectories(folder.resolve("base/conf"));
        Files.createDirectories(folder.resolve("base/webapps/shop"));
        Path server = conf.resolve("server.xml");
        String xml =
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="1" protocol="AJP/1.3" secret="hunter2" address="127.0.0.1"/>
                    <Connector port="2" protocol="HTTP/1.1" maxThreads="20"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps"/>
                    </Engine>
                  </Service>
                </Server>
                """;
        Files.writeString(server, xml);
        Map<String, String> environment = Map.of("MARGAY_ADMIN_TOKEN", TOKEN);
        try (ServerProcess process =
                ServerProcess.margay(
                        folder,
                        environment,
                        "tomcat",
                        "base",
                        "--http",
                        "127.0.0.1:0",
                        "--admin",
                        "127.0.0.1:" + admin)) {
            int _ = process.awaitMargay();
            Map<String, Object> same = shown("");
            assertEquals("same", same.get("state"), same::toString);
            assertEquals(false, same.get("ownFile"));
            assertTrue(paths(same, "found").toString().contains("webapps"), same::toString);
            Files.writeString(
                    server, xml.replace("<Host name=\"localhost\"", "<Host name=\"shop.example\""));
            Map<String, Object> differs = shown("");
            assertEquals("differs", differs.get("state"), differs::toString);
            assertTrue(differs.get("changes").toString().contains("shop.example"));
        }
    }
}
