package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners behind load balancers that speak the PROXY protocol: applications, access rules and
/// logs see the client that is told.
final class ProxyProtocolListenerTest {
    private static final String PAGE =
            "<%= request.getRemoteAddr() %> <%= request.getRemotePort() > 0 %>"
                    + " <%= request.getScheme() %> <%= request.isSecure() %>";

    /// Of a client that speaks TLS 1.3 to its load balancer, which passes clear text on.
    private static final String OVER_TLS =
            "0d0a0d0a000d0a515549540a2111001b cb007107 0a000001 d431 01bb"
                    + " 20000c 01 00000000 210004 544c5331";

    @TempDir Path folder;

    private MargayConfig config(String listeners) throws IOException {
        Wars.with("index.jsp", PAGE).folder(folder.resolve("any"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [%s]
                hosts:
                  - access-log: {file: access.log, format: "%%h %%{remote}p"}
                    access: {require: [{from: [203.0.113.0/24, 127.0.0.0/8]}]}
                    routes: {/: {app: any}}
                work: work
                """
                        .formatted(listeners));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return read.get();
    }

    private static String curl(MargayServer server, int listener, String... options)
            throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-sk", "--max-time", "30"));
        command.addAll(Arrays.asList(options).subList(0, options.length - 1));
        int port = server.ports().get(listener);
        command.add(options[options.length - 1].replace(":0", ":" + port));
        Process curl = new ProcessBuilder(command).start();
        String text = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return text.strip();
    }

    /// The answer to a request behind a header.
    private static String ask(MargayServer server, byte[] header) throws IOException {
        int port = server.ports().getFirst();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(header);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes());
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String ask(MargayServer server, String client) throws IOException {
        return ask(server, ("PROXY TCP4 " + client + " 10.0.0.1 4711 80\r\n").getBytes());
    }

    @Test
    void curl_withAHeader_isServed_byEveryProtocol() throws Exception {
        Pem pem = Pem.make(folder, "site");
        String listeners =
                """
                {http: 127.0.0.1:0, proxy-protocol: [127.0.0.1]},
                {https: 127.0.0.1:0, proxy-protocol: [127.0.0.1],
                 certificates: [{cert: %s, key: %s}]}
                """
                        .formatted(pem.cert(), pem.key());
        try (MargayServer server = MargayServer.start(config(listeners), DeployProgress.NONE)) {
            String header = "--haproxy-protocol";
            String plain = "http://127.0.0.1:0/";
            String secure = "https://127.0.0.1:0/";
            for (String version : List.of("--http1.1", "--http2-prior-knowledge")) {
                assertEquals("127.0.0.1 true http false", curl(server, 0, header, version, plain));
            }
            for (String version : List.of("--http1.1", "--http2")) {
                assertEquals("127.0.0.1 true https true", curl(server, 1, header, version, secure));
            }
        }
    }

    @Test
    void clients_thatAreTold_areSeenByApplicationsRulesLogsAndMetrics() throws Exception {
        MargayConfig config = config("{http: 127.0.0.1:0, proxy-protocol: [127.0.0.0/8]}");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            String known = ask(server, "203.0.113.9");
            assertTrue(known.endsWith("203.0.113.9 true http false"), known);
            assertTrue(ask(server, "198.51.100.1").startsWith("HTTP/1.1 403 "));
            String secure = ask(server, HexFormat.of().parseHex(OVER_TLS.replace(" ", "")));
            assertTrue(secure.endsWith("203.0.113.7 true https true"), secure);
            Path log = folder.resolve("access.log");
            Eventually.holds(
                    "the log names the clients",
                    () ->
                            text(log)
                                    .equals(
                                            "203.0.113.9 4711\n198.51.100.1 4711\n"
                                                    + "203.0.113.7 54321\n"));
        }
    }

    @Test
    void strangers_areNotServed() throws Exception {
        MargayConfig config = config("{http: 127.0.0.1:0, proxy-protocol: [10.0.0.0/8]}");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertThrows(SocketException.class, () -> ask(server, "203.0.113.9"));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void loadBalancers_writtenAndReadAgain_areTheSame() throws IOException {
        MargayConfig config =
                config("{http: 127.0.0.1:0, proxy-protocol: [10.0.0.0/8, 2001:db8::/32]}");
        Path copy = Files.writeString(folder.resolve("copy.yaml"), ConfigWriter.write(config));
        assertEquals(config.listeners(), ConfigFile.read(copy, Map.of()).get().listeners());
        Path wrong = folder.resolve("wrong.yaml");
        for (String networks : List.of("[]", "[10.0.0.0/33]", "[everybody]", "true")) {
            Files.writeString(
                    wrong, "listeners: [{http: 0, proxy-protocol: " + networks + "}]\nhosts: []\n");
            assertTrue(!ConfigFile.read(wrong, Map.of()).problems().isEmpty(), networks);
        }
    }
}
