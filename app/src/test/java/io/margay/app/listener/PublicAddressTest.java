package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners whose clients use another address, since a front end stands before them that does not
/// say so.
final class PublicAddressTest {
    private static final String PAGE =
            "<%= request.getScheme() %> <%= request.isSecure() %> <%= request.getServerName() %>"
                    + " <%= request.getServerPort() %> <%= request.getHeader(\"Host\") %>";

    @TempDir Path folder;

    private MargayConfig config(String listeners) throws IOException {
        Wars.with("index.jsp", "any " + PAGE).folder(folder.resolve("any"));
        Wars.with("index.jsp", "shop " + PAGE).folder(folder.resolve("shop"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [%s]
                hosts:
                  - {routes: {/: {app: any}}}
                  - {name: shop.example, routes: {/: {app: shop}}}
                work: work
                """
                        .formatted(listeners));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return read.get();
    }

    private static String curl(MargayServer server, int listener, String... options)
            throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-sk", "--max-time", "30"));
        command.addAll(Arrays.asList(options).subList(0, options.length - 1));
        int port = server.ports().get(listener);
        command.add(options[options.length - 1].replace(":0", ":" + port));
        Process curl = new ProcessBuilder(command).start();
        String text = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return text.strip().replace(":" + port, ":0");
    }

    @Test
    void requests_areTakenToBeForTheAddress_andTheirFieldsStay() throws Exception {
        Pem pem = Pem.make(folder, "site");
        String listeners =
                """
                {http: 127.0.0.1:0, scheme: https, proxy-name: shop.example, proxy-port: 8443},
                {http: 127.0.0.1:0, scheme: https, secure: false},
                {http: 127.0.0.1:0, secure: true, proxy-port: 81},
                {https: 127.0.0.1:0, scheme: http, proxy-name: shop.example,
                 certificates: [{cert: %s, key: %s}]}
                """
                        .formatted(pem.cert(), pem.key());
        try (MargayServer server = MargayServer.start(config(listeners), DeployProgress.NONE)) {
            String url = "http://127.0.0.1:0/";
            for (String version : List.of("--http1.1", "--http2-prior-knowledge")) {
                assertEquals(
                        "shop https true shop.example 8443 127.0.0.1:0",
                        curl(server, 0, version, url));
                assertEquals(
                        "any https false shop.com 443 shop.com",
                        curl(server, 1, version, "-H", "Host: shop.com", url));
                assertEquals(
                        "any http true 127.0.0.1 81 127.0.0.1:0", curl(server, 2, version, url));
            }
            for (String version : List.of("--http1.1", "--http2")) {
                // The name of the handshake is that of the request, not that of the address.
                assertTrue(
                        curl(server, 3, version, "https://localhost:0/")
                                .startsWith("shop https true shop.example"),
                        version);
            }
        }
    }

    @Test
    void address_writtenAndReadAgain_isTheSame() throws IOException {
        MargayConfig config =
                config(
                        "{http: 127.0.0.1:0, scheme: https, proxy-name: a.example,"
                                + " proxy-port: 443},"
                                + " {http: 127.0.0.1:0, scheme: https, secure: false},"
                                + " {http: 127.0.0.1:0, secure: true}");
        Path copy = Files.writeString(folder.resolve("copy.yaml"), ConfigWriter.write(config));
        assertEquals(config.listeners(), ConfigFile.read(copy, Map.of()).get().listeners());
    }

    @Test
    void address_thatIsNone_isAProblem() throws IOException {
        Path file = folder.resolve("wrong.yaml");
        for (String wrong : List.of("proxy-name: 'a b'", "proxy-name: 'a:1'", "scheme: 'a b'")) {
            Files.writeString(
                    file, "listeners: [{http: 0, " + wrong + "}]\nhosts: []\nwork: work\n");
            assertTrue(!ConfigFile.read(file, Map.of()).problems().isEmpty(), wrong);
        }
    }
}
