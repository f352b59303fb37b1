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
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Characters that no URI has, and that clients send nevertheless.
final class RelaxedCharactersTest {
    @TempDir Path folder;

    private MargayConfig config(int back, String listener) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0%s}]
                hosts:
                  - access: {sections: [{path: "/a|b", require: [{everybody: false}]}]}
                    backslashes: slash
                    routes: {/: {gateway: back}}
                upstreams:
                  back: {members: [{url: "http://127.0.0.1:%d"}]}
                work: work
                """
                        .formatted(listener, back));
        return ConfigFile.read(file, Map.of()).get();
    }

    private static String ask(MargayServer server, String target) throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            return told(client.get(target).text());
        }
    }

    private static String overHttp2(MargayServer server, String target) throws Exception {
        String url = "http://127.0.0.1:" + server.ports().getFirst() + target;
        Process curl =
                new ProcessBuilder(
                                Program.of("curl"),
                                "-sg",
                                "--path-as-is",
                                "--max-time",
                                "10",
                                "--http2-prior-knowledge",
                                url)
                        .start();
        String text = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return told(text);
    }

    /// The status of an error, or what the peer was asked for.
    private static String told(String text) {
        return text.startsWith(AnsweringServer.MARK)
                ? text.replaceFirst(".*?: ", "").replaceFirst(" \\[.*", "").strip()
                : text.substring(0, 3);
    }

    @Test
    void targets_withSuchCharacters_areRefusedUnlessTheListenerLetsThemIn() throws Exception {
        String relaxed = ", relaxed-path-chars: '|{}', relaxed-query-chars: '|<>\"\\'";
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server =
                        MargayServer.start(config(back.httpPort(), relaxed), DeployProgress.NONE)) {
            Map<String, String> expected =
                    Map.of(
                            "/x|y{z}", "/x%7Cy%7Bz%7D",
                            "/x?q=a|b\"<c>", "/x?q=a%7Cb%22%3Cc%3E",
                            "/x?q=\\", "/x?q=%5C",
                            "/x^y", "400",
                            "/x?q={1}", "400",
                            "/x\\y", "400",
                            "/a|b/c", "403",
                            "/a%7Cb/c", "403");
            for (Map.Entry<String, String> one : expected.entrySet()) {
                assertEquals(one.getValue(), ask(server, one.getKey()), one.getKey());
                assertEquals(one.getValue(), overHttp2(server, one.getKey()), one.getKey());
            }
        }
        String backslash = ", relaxed-path-chars: '\\'";
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server =
                        MargayServer.start(
                                config(back.httpPort(), backslash), DeployProgress.NONE)) {
            assertEquals("/x/y", ask(server, "/x\\y"));
            assertEquals("403", ask(server, "/a%7Cb\\c"));
        }
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server =
                        MargayServer.start(config(back.httpPort(), ""), DeployProgress.NONE)) {
            for (String target : List.of("/x|y", "/x?q=|", "/x?q={", "/x\\y")) {
                assertEquals("400", ask(server, target), target);
                assertEquals("400", overHttp2(server, target), target);
            }
        }
    }

    @Test
    void characters_writtenAndReadAgain_areTheSame() throws IOException {
        MargayConfig config = config(1, ", relaxed-query-chars: '|{}\"'");
        String written = ConfigWriter.write(config);
        assertTrue(written.contains("relaxed-query-chars"), written);
        Path copy = Files.writeString(folder.resolve("copy.yaml"), written);
        assertEquals(
                config.listeners().getFirst().characters(),
                ConfigFile.read(copy, Map.of()).get().listeners().getFirst().characters());
    }
}
