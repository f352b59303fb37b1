package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.sample.ClientServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners at Unix sockets, with curl and the gateway for clients.
final class UnixSocketTest {
    private static final String LOCAL = "127.0.0.1 0 http";

    @TempDir Path folder;

    private MargayConfig config() throws IOException {
        Wars.with("a.txt", "a")
                .servlet(ClientServlet.class, "/client")
                .war(folder.resolve("a.war"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners:
                  - {http: "unix:%1$s/native.sock", transport: native, socket-mode: 666}
                  - {http: "unix:%1$s/nio.sock", transport: nio}
                  - {http: "unix:%1$s/blocking.sock", transport: blocking}
                  - {ajp: "unix:%1$s/ajp.sock", secret: s3cret}
                  - {http: "unix:%1$s/proxy.sock", proxy-protocol: [127.0.0.1]}
                admin: "unix:%1$s/admin.sock"
                hosts:
                  - access-log: {file: access.log, format: "%%h %%p %%U"}
                    access: {require: [{from: [203.0.113.0/24, 127.0.0.0/8]}]}
                    routes: {/: {app: a.war}}
                work: work
                """
                        .formatted(folder));
        return read(file);
    }

    private static MargayConfig read(Path file) {
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return read.get();
    }

    private MargayConfig gateway() throws IOException {
        return read(
                Files.writeString(
                        folder.resolve("gateway.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - {name: ajp.example, routes: {/: {gateway: ajp}}}
                          - {name: http.example, routes: {/: {gateway: http}}}
                        upstreams:
                          ajp: {members: [{url: "ajp+unix:%1$s/ajp.sock", secret: s3cret}]}
                          http: {members: [{url: "http+unix:%1$s/nio.sock"}]}
                        work: gateway
                        """
                                .formatted(folder)));
    }

    private static String curl(String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-s", "--max-time", "30"));
        command.addAll(List.of(options));
        Process curl = new ProcessBuilder(command).start();
        String text = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return text.strip();
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void requests_byUnixSockets_comeFromThisMachine() throws Exception {
        try (MargayServer server = MargayServer.start(config(), DeployProgress.NONE);
                MargayServer front = MargayServer.start(gateway(), DeployProgress.NONE)) {
            String socket = "--unix-socket";
            String url = "http://a.example/client";
            for (String name : List.of("native.sock", "nio.sock", "blocking.sock")) {
                for (String version : List.of("--http1.1", "--http2-prior-knowledge")) {
                    assertEquals(LOCAL, curl(version, socket, file(name), url), name + version);
                }
            }
            String tcp = "http://127.0.0.1:" + front.ports().getFirst() + "/client";
            for (String host : List.of("ajp.example", "http.example")) {
                String said = curl("-H", "Host: " + host, tcp);
                assertTrue(said.startsWith("127.0.0.1 "), host + ": " + said);
            }
            assertTrue(proxied("203.0.113.9").endsWith("203.0.113.9 4711 http"));
            assertTrue(proxied("198.51.100.1").startsWith("HTTP/1.1 403 "));
            assertEquals("rw-rw-rw-", permissions("native.sock"));
            assertEquals("rw-rw----", permissions("nio.sock"));
            String metrics = curl(socket, file("admin.sock"), "http://localhost/metrics");
            assertTrue(metrics.contains("\"http:" + file("nio.sock") + "\""), metrics);
            Path log = folder.resolve("access.log");
            Eventually.holds("logged", () -> lines(log).contains("203.0.113.9 80 /client"));
            assertTrue(lines(log).contains("127.0.0.1 0 /client"), lines(log).toString());
            assertTrue(
                    server.lines().contains("http at unix:" + file("nio.sock") + " (nio)"),
                    server.lines().toString());
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertFalse(left.anyMatch(each -> each.toString().endsWith(".sock")));
        }
    }

    private String permissions(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }

    /// The answer to a request of a client that a load balancer tells.
    private String proxied(String client) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open(UnixDomainSocketAddress.of(file("proxy.sock")))) {
            String request =
                    "PROXY TCP4 "
                            + client
                            + " 10.0.0.1 4711 80\r\n"
                            + "GET /client HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(channel).readAllBytes()).strip();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void reload_movesASocket_andLeavesTheOthers() throws Exception {
        String yaml =
                "listeners: [{http: \"unix:%s\", socket-mode: %s}]\n"
                        + "hosts: [{routes: {/: {files: .}}}]\nwork: work\n";
        Files.writeString(folder.resolve("a.txt"), "a");
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, yaml.formatted(file("one.sock"), "600"));
        MargayConfig first = read(file);
        try (MargayServer server = MargayServer.start(first, DeployProgress.NONE)) {
            Files.writeString(file, yaml.formatted(file("one.sock"), "660"));
            server.reload(read(file));
            assertEquals("rw-rw----", permissions("one.sock"));
            assertEquals("a", curl("--unix-socket", file("one.sock"), "http://x/a.txt"));
            Files.writeString(file, yaml.formatted(file("two.sock"), "660"));
            server.reload(read(file));
            assertEquals("a", curl("--unix-socket", file("two.sock"), "http://x/a.txt"));
            assertFalse(Files.exists(folder.resolve("one.sock")));
        }
    }

    @Test
    void keys_areWrittenAndReadAgain_andWrongOnesAreTold() throws Exception {
        MargayConfig config = config();
        Path copy = Files.writeString(folder.resolve("copy.yaml"), ConfigWriter.write(config));
        assertEquals(config.listeners(), read(copy).listeners());
        assertWrong("{http: 'unix:run/a.sock'}", "absolute path of a Unix socket");
        assertWrong(
                "{http: 'unix:/%s'}".formatted("x".repeat(107)), "absolute path of a Unix socket");
        assertWrong("{http: 8080, socket-mode: 660}", "\"socket-mode\" belongs to a Unix socket");
        assertWrong("{http: 'unix:/a', socket-mode: 888}", "permissions, as in 660");
        assertWrong("{http: 'unix:/a'}, {http: 'unix:/a'}", "is in line 1 already");
    }

    private void assertWrong(String listeners, String why) throws IOException {
        Path file = folder.resolve("wrong.yaml");
        Files.writeString(
                file, "listeners: [" + listeners + "]\nhosts: [{routes: {/: {files: .}}}]");
        String problems = ConfigFile.read(file, Map.of()).problems().toString();
        assertTrue(problems.contains(why), problems);
    }
}
