package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that stand for a name without its endings: what is never one of them, and where the search
/// for them ends. What is chosen is compared with httpd elsewhere.
@Tag("slow")
final class VariantsTest {
    @TempDir Path folder;

    private Path www;
    private int port;
    private MargayServer server;

    @BeforeEach
    void serve() throws Exception {
        www = Files.createDirectories(folder.resolve("www"));
        port = FreePort.next();
        Path conf = folder.resolve("httpd.conf");
        Files.writeString(
                conf,
                """
                Listen %d
                DocumentRoot "%s"
                <Directory "%s">
                  Require all granted
                  Options MultiViews
                  AddHandler application/x-httpd-php .php
                  %s
                  <Files "closed.*">
                    Require all denied
                  </Files>
                </Directory>
                """
                        .formatted(port, www, www, languages()));
        server =
                PlanServer.start(
                        GatewayFiles.read(List.of(conf), Map.of()), folder.resolve("work"));
    }

    private static String languages() {
        return IntStream.rangeClosed(0, 200)
                .mapToObj(i -> "AddLanguage x-l" + i + " .l" + i)
                .collect(Collectors.joining("\n"));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private void write(String name) throws IOException {
        Files.writeString(www.resolve(name), name);
    }

    private String get(String path) throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            RawHttpClient.Response response = client.get(path);
            return response.status() == 200 ? response.text() : String.valueOf(response.status());
        }
    }

    @Test
    void programsThatDoNotRun_closedFilesAndTypeMaps_areNoVariants() throws IOException {
        for (String name : List.of("only.php", "closed.html", "map.var", "both.php", "both.html")) {
            write(name);
        }
        assertEquals("404", get("/only"));
        assertEquals("404", get("/closed"));
        assertEquals("404", get("/map"));
        assertEquals("both.html", get("/both"));
        assertEquals("404", get("/both.php"));
        assertEquals("403", get("/closed.html"));
    }

    @Test
    void nameWithMoreVariantsThanAreCompared_isNotFound() throws IOException {
        for (int i = 0; i < 200; i++) {
            write("many.html.l" + i);
        }
        assertTrue(get("/many").startsWith("many.html.l"));
        write("many.html.l200");
        assertEquals("404", get("/many"));
    }

    @Test
    void folderWithMoreNamesThanAreLookedAt_hasNoVariants() throws IOException {
        write("page.html");
        for (int i = 1; i < 10_000; i++) {
            Files.createFile(www.resolve("f" + i));
        }
        assertEquals("page.html", get("/page"));
        Files.createFile(www.resolve("f0"));
        assertEquals("404", get("/page"));
        assertEquals("page.html", get("/page.html"));
    }
}
