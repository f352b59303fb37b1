package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `deploy: {sign-on: …}`: log-ins that all applications of a host know.
final class SignOnTest {
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>all</web-resource-name>
                  <url-pattern>/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>in</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
              <security-role><role-name>in</role-name></security-role>
            </web-app>
            """;

    @TempDir Path folder;

    @BeforeEach
    void applications() throws IOException {
        Files.writeString(
                folder.resolve("users.xml"),
                "<tomcat-users><user username='ada' password='secret' roles='in'/>"
                        + "</tomcat-users>");
        for (String name : new String[] {"one", "two"}) {
            Wars.with("who.jsp", name + " <%= request.getRemoteUser() %>")
                    .and("WEB-INF/web.xml", WEB_XML)
                    .folder(folder.resolve(name));
        }
    }

    private Path config(String signOn) throws IOException {
        return Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: "127.0.0.1:0"}]
                deploy: {users: users.xml%s}
                hosts:
                  - routes: {/one: {app: one}, /two: {app: two}}
                """
                        .formatted(signOn));
    }

    private MargayServer start(String signOn) throws IOException {
        return MargayServer.start(
                ConfigFile.read(config(signOn), Map.of()).get().withWork(folder.resolve("work")),
                DeployProgress.NONE);
    }

    private static HttpResponse<String> get(
            HttpClient client, MargayServer server, String path, String... fields)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.ports().getFirst() + path));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String ada() {
        byte[] pair = "ada:secret".getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @ParameterizedTest
    @CsvSource({"'', 401, ''", "', sign-on: {cookie: SIGNED}', 200, two ada"})
    void whoHasLoggedInToOneApplication_isKnownToTheOther(String signOn, int status, String body)
            throws Exception {
        try (MargayServer server = start(signOn);
                HttpClient browser =
                        HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
            assertEquals(401, get(browser, server, "/two/who.jsp").statusCode());
            HttpResponse<String> first =
                    get(browser, server, "/one/who.jsp", "Authorization", ada());
            assertEquals("one ada", first.body());
            assertEquals(
                    status == 200,
                    first.headers().allValues("Set-Cookie").stream()
                            .anyMatch(one -> one.startsWith("SIGNED=")));
            HttpResponse<String> second = get(browser, server, "/two/who.jsp");
            assertEquals(status, second.statusCode());
            assertTrue(second.body().contains(body), second.body());
        }
    }

    @Test
    void cookieAndDomain_thatCannotBe_areNamed() throws Exception {
        String problems =
                ConfigFile.read(config(", sign-on: {cookie: 'a b', domain: 'x y'}"), Map.of())
                        .problems()
                        .toString();
        assertTrue(problems.contains("not \"a b\": it cannot name a cookie"), problems);
        assertTrue(problems.contains("must be a domain, not \"x y\""), problems);
    }
}
