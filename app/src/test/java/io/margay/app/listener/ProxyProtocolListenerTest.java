package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.Wars;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Eventually;
import io.margay.testkit.program.Program;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners behind load balancers that speak the PROXY protocol: applications, access rules and
/// logs see the client that is told.
@Tag("slow")
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
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-sk", "--max-time", "30"));
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
    void details_thatAreTold_areSeenByApplicationsAndLogs() throws Exception {
        MargayConfig config = config("{http: 127.0.0.1:0, proxy-protocol: [127.0.0.0/8]}");
        Path page = folder.resolve("any/index.jsp");
        Files.writeString(
                page,
                "<%= request.getAttribute(\"io.margay.proxy.authority\") %>"
                        + " <%= request.getAttribute(\"io.margay.proxy.alpn\") %>"
                        + " <%= java.util.Collections.list(request.getAttributeNames()).contains("
                        + "\"io.margay.proxy.unique-id\") %>");
        Path file = folder.resolve("margay.yaml");
        String yaml = Files.readString(file).replace("%{remote}p", "%{PROXY_UNIQUE_ID}x");
        Files.writeString(file, yaml);
        try (MargayServer server =
                MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
            String told =
                    OVER_TLS.replace("001b", "0029")
                            .replace("20000c", "020001 61 010002 6832 050002 6964 20000c");
            byte[] header = HexFormat.of().parseHex(told.replace(" ", ""));
            String answer = ask(server, header);
            assertTrue(answer.endsWith("a h2 true"), answer);
            assertTrue(ask(server, "203.0.113.9").endsWith("null null false"));
            Path log = folder.resolve("access.log");
            String lines = "203.0.113.7 id\n203.0.113.9 -\n";
            Eventually.holds("the log names the connection", () -> text(log).equals(lines));
        }
        assertTrue(config.listeners().getFirst().proxyProtocol().except().isEmpty());
    }

    @Test
    void listeners_ofHttpd_takeHeadersFromAllButThoseExcepted() throws Exception {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        Listen 127.0.0.1:81
                        Listen 82
                        Listen 83
                        RemoteIPProxyProtocolExceptions 10.1 192.0.2.0/255.255.255.0 ::1
                        <VirtualHost *:82>
                          ServerName a.example
                          RemoteIPProxyProtocol On
                        </VirtualHost>
                        <VirtualHost *:82>
                          ServerName b.example
                        </VirtualHost>
                        <VirtualHost *:83>
                          RemoteIPProxyProtocol On
                        </VirtualHost>
                        <VirtualHost *:83>
                          RemoteIPProxyProtocol Off
                        </VirtualHost>
                        """);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertFalse(plan.isWrong(), () -> plan.account().toString());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        ListenerSettings.Senders senders =
                new ListenerSettings.Senders(
                        List.of("0.0.0.0/0", "::/0"),
                        List.of("10.1.0.0/16", "192.0.2.0/24", "0:0:0:0:0:0:0:1/128"));
        assertEquals(
                List.of(ListenerSettings.Senders.NONE, senders, ListenerSettings.Senders.NONE),
                config.listeners().stream().map(ListenerSettings::proxyProtocol).toList());
        MargayConfig moved =
                GatewayConfig.of(plan, List.of(Endpoint.parse("1"), Endpoint.parse("2")));
        assertEquals(senders, moved.listeners().getLast().proxyProtocol());
        Files.writeString(
                conf,
                """
                RemoteIPProxyProtocol On
                Listen 81
                Listen 82
                <VirtualHost *:82>
                  RemoteIPProxyProtocol Off
                </VirtualHost>
                """);
        assertEquals(
                List.of(false, true),
                GatewayFiles.read(List.of(conf), Map.of()).listeners().stream()
                        .map(listener -> listener.withoutHeader() == null)
                        .toList(),
                "Off wins");
        Files.writeString(
                conf,
                """
                Listen 82
                <VirtualHost 127.0.0.1:82>
                  RemoteIPProxyProtocol On
                </VirtualHost>
                """);
        assertTrue(GatewayFiles.read(List.of(conf), Map.of()).isWrong(), "for one address alone");
    }

    @Test
    void clients_thatAreExcepted_sendNoHeader() throws Exception {
        MargayConfig config =
                config(
                        "{http: 127.0.0.1:0, proxy-protocol: [0.0.0.0/0],"
                                + " proxy-protocol-except: [127.0.0.1]}");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertEquals("127.0.0.1 true http false", curl(server, 0, "http://127.0.0.1:0/"));
            // All at once: a line that names no path ends a connection without a response.
            String header = "PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n";
            String all = ask(server, (header + "GET / HTTP/1.1\r\n").getBytes());
            assertTrue(all.startsWith("HTTP/1.1 400 "), all);
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
                config(
                        "{http: 127.0.0.1:0, proxy-protocol: [10.0.0.0/8, 2001:db8::/32],"
                                + " proxy-protocol-except: [10.0.0.9]}");
        Path copy = Files.writeString(folder.resolve("copy.yaml"), ConfigWriter.write(config));
        assertEquals(config.listeners(), ConfigFile.read(copy, Map.of()).get().listeners());
        Path wrong = folder.resolve("wrong.yaml");
        for (String networks : List.of("[]", "[10.0.0.0/33]", "[everybody]", "true")) {
            Files.writeString(
                    wrong, "listeners: [{http: 0, proxy-protocol: " + networks + "}]\nhosts: []\n");
            assertTrue(!ConfigFile.read(wrong, Map.of()).problems().isEmpty(), networks);
        }
        Files.writeString(
                wrong, "listeners: [{http: 0, proxy-protocol-except: [10.0.0.1]}]\nhosts: []\n");
        assertTrue(
                ConfigFile.read(wrong, Map.of())
                        .problems()
                        .toString()
                        .contains("belongs to \"proxy-protocol\""));
    }
}
