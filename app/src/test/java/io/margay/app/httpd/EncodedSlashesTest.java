package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Paths that servers disagree about, as hosts and routes read them: rules, access, constraints,
/// files, applications and peers see one path.
final class EncodedSlashesTest {
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>private</web-resource-name>
                  <url-pattern>/private/*</url-pattern>
                </web-resource-collection>
                <auth-constraint/>
              </security-constraint>
            </web-app>
            """;

    private static final String HOST =
            """
                rules:
                  - {prefix: /files/closed, refuse: 403}
                  - {regex: "^/ruled/(.*)$", to: back, target: "/$1"}
                access:
                  sections:
                    - {path: /files/private, require: [{everybody: false}]}
                    - {path: /back/private, require: [{everybody: false}]}
                routes:
                  /app: {app: app}
                  /files: {files: files}
                  /back: {gateway: back}
            """;

    /// Host, path, and what the client gets.
    private static final String REQUESTS =
            """
            strict /app/open%2Fx.txt 400
            strict /files/open%2Fx.txt 400
            strict /back/a%2Fb 400
            strict /app/open%5Cx.txt 400
            missing /files/open%2Fx.txt 404
            missing /app/open%2Fx.txt 404
            missing /back/a%2Fb 404
            decode /app/open%2Fx.txt open
            decode /app%2Fopen/x.txt open
            decode /app/private/x.txt 403
            decode /app/private%2Fx.txt 403
            decode /app%2Fprivate%2fx.txt 403
            decode /app/%2Fprivate/x.txt 403
            decode /app/private%5Cx.txt 403
            decode /app/open%5Cx.txt open
            decode /app/WEB-INF%2Fweb.xml 404
            decode /app%2FWEB-INF/web.xml 404
            decode /app/open%2F..%2Fprivate/x.txt 400
            decode /app/open%5C..%5Cprivate/x.txt 400
            decode /files/open%2Fx.txt open
            decode /files/private%2Fx.txt 403
            decode /files%2Fprivate/x.txt 403
            decode /files%5Cprivate/x.txt 403
            decode /files/closed%2Fx.txt 403
            decode /files%2Fclosed/x.txt 403
            decode /back/a%2Fb answered by back: /back/a/b
            decode /back/private%2Fb 403
            decode /ruled/a%2Fb answered by back: /a/b
            pass /app/open%2Fx.txt 404
            pass /app/private%2Fx.txt 404
            pass /files/open%2Fx.txt 404
            pass /back/a%2Fb answered by back: /back/a%2Fb
            pass /back/a%2fb answered by back: /back/a%2fb
            pass /back/./a%2Fb 400
            pass /back//a%2Fb%252F answered by back: /back/a%2Fb%252F
            pass /back/private%2Fb 403
            pass /back/..%2Fprivate 400
            pass /ruled/a%2Fb%252Fc answered by back: /a%2Fb%252Fc
            mixed /a%2Fb answered by back: /a%2Fb
            mixed /secret%2Fb 403
            mixed /app/open%2Fx.txt open
            mixed /app/private%2Fx.txt 403
            mixed /app%2Fopen%2Fx.txt 400
            mixed /files/open%2Fx.txt 400
            """;

    @TempDir Path folder;

    private Path file(int back) throws IOException {
        for (String name : new String[] {"app", "files"}) {
            for (String below : new String[] {"open", "private", "closed"}) {
                Path made = Files.createDirectories(folder.resolve(name).resolve(below));
                Files.writeString(made.resolve("x.txt"), below);
            }
        }
        Path descriptor = Files.createDirectories(folder.resolve("app/WEB-INF"));
        Files.writeString(descriptor.resolve("web.xml"), WEB_XML);
        Path file = folder.resolve("margay.yaml");
        String text =
                "listeners: [{http: 127.0.0.1:0}]\nhosts:\n"
                        + "  - name: strict.example\n"
                        + HOST
                        + "  - name: decode.example\n    encoded-slashes: decode\n"
                        + "    backslashes: slash\n"
                        + HOST
                        + "  - name: pass.example\n    encoded-slashes: passthrough\n"
                        + HOST
                        + "  - name: missing.example\n    encoded-slashes: not-found\n"
                        + HOST
                        + """
                          - name: mixed.example
                            access:
                              sections:
                                - {path: /app/private, require: [{everybody: false}]}
                                - {path: /secret, require: [{everybody: false}]}
                            routes:
                              /: {gateway: back, encoded-slashes: passthrough}
                              /app: {app: app, encoded-slashes: decode}
                              /files: {files: files}
                        upstreams:
                          back: {members: [{url: "http://127.0.0.1:%d"}]}
                        work: work
                        """
                                .formatted(back);
        return Files.writeString(file, text);
    }

    private static String ask(RawHttpClient client, String host, String path) throws IOException {
        client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + ".example\r\n\r\n");
        RawHttpClient.Response response = client.response();
        return response.status() == 200
                ? response.text().replaceFirst(" \\[.*", "").strip()
                : String.valueOf(response.status());
    }

    @Test
    void paths_withEncodedSlashes_areReadAsTheirHostsSay() throws IOException {
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server =
                        MargayServer.start(
                                ConfigFile.read(file(back.httpPort()), Map.of()).get(),
                                DeployProgress.NONE);
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            StringBuilder found = new StringBuilder();
            for (String line : REQUESTS.lines().toList()) {
                String[] words = line.split(" ", 3);
                String answer = ask(client, words[0], words[1]);
                found.append(words[0] + " " + words[1] + " " + answer + "\n");
            }
            assertEquals(REQUESTS, found.toString());
        }
    }

    @Test
    void reading_writtenAndReadAgain_isTheSame() throws IOException {
        MargayConfig config = ConfigFile.read(file(1), Map.of()).get();
        String written = ConfigWriter.write(config);
        assertTrue(written.contains("    encoded-slashes: passthrough\n"), written);
        Path copy = Files.writeString(folder.resolve("copy.yaml"), written);
        MargayConfig again = ConfigFile.read(copy, Map.of()).get();
        for (int i = 0; i < 4; i++) {
            assertEquals(config.hosts().get(i).paths(), again.hosts().get(i).paths());
        }
    }
}
