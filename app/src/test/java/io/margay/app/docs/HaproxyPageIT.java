package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.agreement.nginx.EchoMember;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of the page for users of HAProxy: HAProxy and Margay are started from what stands
/// there, in front of the same members, and asked the same.
final class HaproxyPageIT {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final String PAGE = "from-haproxy.md";
    private static final String LOGIN =
            "Authorization: Basic "
                    + Base64.getEncoder()
                            .encodeToString("ada:sesame".getBytes(StandardCharsets.UTF_8));

    /// Fields of an answer that are compared.
    private static final List<String> FIELDS =
            List.of("location", "strict-transport-security", "x-member", "x-powered-by");

    /// What each example is asked: a path and perhaps fields, in the order of the page.
    private static final List<List<String>> REQUESTS =
            List.of(
                    List.of("/", "/a", "/b?x=1", "/c"),
                    List.of(
                            "/",
                            "/api",
                            "/api/x",
                            "/apix",
                            "/x|Host: static.example",
                            "/api/|Host: STATIC.example:81"),
                    List.of("/", "/a/b?c=d", "/|Host: other.example"),
                    List.of("/", "/a", "/b", "/c"),
                    List.of("/", "/admin", "/admin/x", "/administrator", "/x/admin"),
                    Collections.nCopies(24, "/"),
                    List.of("/", "/|X-Debug: 1", "/|X-Env: test"),
                    List.of("/", "/|" + LOGIN, "/|Authorization: Basic YWRhOm5v"),
                    List.of("/", "/a", "/b", "/c"),
                    List.of("/", "/ping", "/pingx", "/old", "/old?a=b", "/gone/", "/gone/x"));

    @TempDir static Path folder;

    private static final Map<String, EchoMember> MEMBERS = new LinkedHashMap<>();
    private static Pem pem;

    /// @param number of the section, from 1
    private record Example(int number, String haproxy, String yaml) {
        @Override
        public String toString() {
            return "example " + number;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        for (String address : List.of("10.0.0.5:8080", "10.0.0.6:8080", "10.0.0.7:8080")) {
            MEMBERS.put(
                    address, new EchoMember("X-Member: " + address + "\r\nX-Powered-By: e\r\n"));
        }
        pem = Pem.make(folder, "shop");
        Files.write(
                folder.resolve("shop-and-key.pem"),
                Stream.of(pem.cert(), pem.key()).flatMap(HaproxyPageIT::lines).toList());
    }

    @AfterAll
    static void stop() throws IOException {
        for (EchoMember member : MEMBERS.values()) {
            member.close();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<Example> examples() throws IOException {
        Document page =
                Document.all().stream()
                        .filter(one -> one.file().endsWith(PAGE))
                        .findFirst()
                        .orElseThrow();
        List<String> theirs = blocks(page, "haproxy");
        List<String> ours = blocks(page, "yaml");
        assertEquals(theirs.size(), ours.size());
        List<Example> examples = new ArrayList<>();
        for (int i = 0; i < theirs.size(); i++) {
            examples.add(new Example(i + 1, theirs.get(i), ours.get(i)));
        }
        return examples;
    }

    private static List<String> blocks(Document page, String language) {
        return page.blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(block -> String.join("\n", block.lines()) + "\n")
                .toList();
    }

    @Test
    void examples_ofThePage_areTen() throws IOException {
        assertEquals(10, examples().size());
        assertEquals(10, REQUESTS.size());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_ofThePage_doesWhatHaproxyDoes(Example example) throws Exception {
        int theirs = FreePort.next();
        int ours = FreePort.next();
        Path conf =
                Files.writeString(
                        folder.resolve("haproxy.cfg"),
                        "defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n"
                                + "  timeout server 30s\n"
                                + text(example.haproxy, theirs));
        String yaml = text(example.yaml, ours);
        if (!yaml.contains("listeners:")) {
            yaml += "listeners: [{http: \"127.0.0.1:" + ours + "\"}]\n";
        }
        if (yaml.contains("staff.htpasswd")) {
            String hash = example.haproxy.replaceFirst("(?s).*user ada password (\\S+).*", "$1");
            Files.writeString(folder.resolve("staff.htpasswd"), "ada:" + hash + "\n");
        }
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        Process haproxy = haproxy(conf, theirs);
        try (MargayServer server =
                MargayServer.start(
                        read.get().withWork(folder.resolve("work")).withDrain(Duration.ZERO),
                        DeployProgress.NONE)) {
            assertTrue(server.ports().contains(ours));
            List<String> requests = REQUESTS.get(example.number - 1);
            boolean told = example.haproxy.contains("forwardfor");
            assertEquals(ask(requests, theirs, told), ask(requests, ours, told));
        } finally {
            haproxy.destroy();
            haproxy.onExit().orTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).join();
        }
    }

    /// What stands on the page, with ports and members of this test.
    private static String text(String text, int port) throws IOException {
        String made = text;
        for (Map.Entry<String, EchoMember> member : MEMBERS.entrySet()) {
            made = made.replace(member.getKey(), "127.0.0.1:" + member.getValue().port());
        }
        return made.replace("10.0.0.9:8080", "127.0.0.1:1")
                .replace("bind :8080", "bind 127.0.0.1:" + port)
                .replace("bind :8443", "bind 127.0.0.1:" + FreePort.next())
                .replace("\"*:8080\"", "\"127.0.0.1:" + port + "\"")
                .replace("\"*:8443\"", "\"127.0.0.1:0\"")
                .replace("shop-and-key.pem", folder.resolve("shop-and-key.pem").toString())
                .replace("cert: shop.pem", "cert: " + pem.cert())
                .replace("key: shop.key", "key: " + pem.key());
    }

    private static Process haproxy(Path conf, int port) throws IOException {
        Path output = folder.resolve("haproxy.txt");
        Process process =
                new ProcessBuilder(Program.of("haproxy"), "-db", "-f", conf.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address(port), TIMEOUT_MILLIS);
                return process;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - until > 0) {
                    process.destroy();
                    throw new IOException(Files.readString(output), e);
                }
                Thread.onSpinWait();
            }
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// The answers to one browser, which keeps cookies.
    ///
    /// @param told whether it counts that members are told the client's address
    private static String ask(List<String> requests, int port, boolean told) throws IOException {
        List<String> answers = new ArrayList<>();
        String cookie = "";
        for (String request : requests) {
            String path = request.replaceFirst("\\|.*", "");
            String fields = request.substring(path.length()).replaceFirst("^\\|", "");
            StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\n");
            head.append(fields.startsWith("Host:") ? "" : "Host: shop.example\r\n");
            head.append(fields).append(fields.isEmpty() ? "" : "\r\n").append(cookie);
            try (RawHttpClient client = RawHttpClient.connect(address(port))) {
                RawHttpClient.Response response =
                        client.timeout(TIMEOUT_MILLIS).send(head + "\r\n").response(false);
                String set = response.field("set-cookie");
                if (set != null) {
                    cookie = "Cookie: " + set.replaceFirst(";.*", "") + "\r\n";
                }
                answers.add(path + " " + shown(response, told));
            }
        }
        return String.join("\n", answers);
    }

    private static String shown(RawHttpClient.Response response, boolean told) {
        StringBuilder text = new StringBuilder().append(response.status());
        for (String name : FIELDS) {
            String value = response.field(name);
            text.append(value == null ? "" : " " + name + "=" + value);
        }
        String body = new String(response.body(), StandardCharsets.ISO_8859_1);
        if (response.status() == 200) {
            body.lines()
                    // Margay tells members more, and the cookie differs, as the page says.
                    .filter(line ->
                            !line.matches("(?:x-forwarded-(?:host|proto|server)|cookie):.*"))
                    .filter(line -> told || !line.startsWith("x-forwarded-for"))
                    .forEach(line -> text.append("\n  ").append(line));
        }
        return text.toString();
    }
}
