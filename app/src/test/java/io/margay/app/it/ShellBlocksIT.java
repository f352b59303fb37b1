package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Wars;
import io.margay.app.docs.ShellBlocks;
import io.margay.app.docs.ShellBlocks.Page;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the documents have people type works as it stands, in a folder that holds what they speak
/// of. Each page has a network of its own, for they name ports.
final class ShellBlocksIT {
    private static final long SECONDS_MAX = 300;

    @TempDir Path folder;

    static List<Page> pages() throws IOException {
        return ShellBlocks.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commands_ofAPage_work(Page page) throws Exception {
        String unshare = Program.of("unshare");
        String ip = Program.of("ip");
        for (String program : List.of("curl", "htpasswd", "openssl", "redis-server")) {
            if (page.script().contains("\n" + program + " ")) {
                Program.of(program);
            }
        }
        prepare();
        String begin;
        try (InputStream in = ShellBlocksIT.class.getResourceAsStream("shell-blocks.sh")) {
            assertTrue(in != null, "shell-blocks.sh is missing");
            begin = new String(in.readAllBytes());
        }
        Path script = folder.resolve("typed.sh");
        Files.writeString(script, begin + page.script());
        Path out = folder.resolve("typed.log");
        ProcessBuilder builder =
                new ProcessBuilder(
                                unshare,
                                "--map-root-user",
                                "--net",
                                "sh",
                                "-c",
                                ip + " link set lo up && exec bash typed.sh")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MARGAY"));
        builder.environment().put("MARGAY", ServerProcess.checkout().resolve("margay").toString());
        builder.environment().put("MARGAY_NO_BUILD", "1");
        builder.environment().put("MARGAY_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MARGAY_JAVA_OPTS", ServerProcess.JAVA_OPTIONS);
        ServerProcess.CACHE.ifPresentOrElse(
                cache -> builder.environment().put("MARGAY_CACHE_DIR", cache),
                () -> builder.environment().put("MARGAY_NO_CACHE", "1"));
        Process process = builder.start();
        boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertTrue(ended, () -> "not ended: " + read(out));
        assertEquals(0, process.exitValue(), () -> read(out) + read(folder.resolve("server.log")));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// What the documents speak of as there already: an application, a base of Tomcat's, files of
    /// httpd's.
    private void prepare() throws IOException {
        Path application = folder.resolve("shop.war");
        Wars.with("index.jsp", "Hello").war(application);
        Wars.with("index.jsp", "<%@ page import=\"javax.servlet.http.Cookie\" %>Hello")
                .war(folder.resolve("shop-javax.war"));
        Files.writeString(
                folder.resolve("margay.yaml"),
                "listeners: [{http: 8080}]\nhosts: [{routes: {/: {app: shop.war}}}]\n");
        Files.createDirectories(folder.resolve("webapps"));
        Files.copy(application, folder.resolve("webapps/shop.war"));
        Files.createDirectories(folder.resolve("base/conf"));
        Files.createDirectories(folder.resolve("base/webapps"));
        Files.copy(application, folder.resolve("base/webapps/shop.war"));
        Files.writeString(
                folder.resolve("base/conf/server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="8080" protocol="HTTP/1.1"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps"/>
                    </Engine>
                  </Service>
                </Server>
                """);
        Files.createDirectories(folder.resolve("www"));
        Files.writeString(folder.resolve("www/index.html"), "httpd's");
        String plain =
                "ServerName localhost\nListen 80\nDocumentRoot %s\n"
                                .formatted(folder.resolve("www"))
                        + "<Directory %s>\n  Require all granted\n</Directory>\n"
                                .formatted(folder.resolve("www"));
        Files.writeString(folder.resolve("apache2.conf"), plain);
        Files.writeString(
                folder.resolve("nginx.conf"),
                "events {}\nhttp { server { listen 80; root %s; } }\n"
                        .formatted(folder.resolve("www")));
        Files.writeString(
                folder.resolve("httpd.conf"),
                plain + "JkWorkersFile workers.properties\nJkMountFile uriworkermap.properties\n");
        Files.writeString(
                folder.resolve("workers.properties"),
                """
                worker.list=shop
                worker.shop.type=ajp13
                worker.shop.host=127.0.0.1
                worker.shop.port=8009
                """);
        Files.writeString(folder.resolve("uriworkermap.properties"), "/shop/*=shop\n");
    }
}
