package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.app.process.ControlSocket;
import io.margay.app.sample.LengthServlet;
import io.margay.app.sample.ListeningEndpoint;
import io.margay.app.upgrade.ProcessUpgradeIT;
import io.margay.testkit.Eventually;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that speaks HTTP/3, asked by curl (`make http3`).
@Timeout(240)
final class Http3Soak {
    /// As many as the best of others has.
    private static final int H3SPEC_FAILURES_MAX = 8;

    private static final int LARGE_BYTES = 1_500_000;

    @TempDir Path folder;
    private TestCertificate certificate;
    private final byte[] large = new byte[LARGE_BYTES];

    @BeforeEach
    void files() throws IOException {
        certificate = TestCertificate.in(folder);
        new Random(3).nextBytes(large);
        Path www = Files.createDirectories(folder.resolve("www"));
        Files.writeString(www.resolve("small.txt"), "a small file\n");
        Files.write(www.resolve("large.bin"), large);
    }

    private AnsweringServer behind;

    @AfterEach
    void stop() {
        if (behind != null) {
            behind.close();
        }
    }

    private Path configuration(String transport) throws IOException {
        behind = new AnsweringServer("the member");
        Path app = folder.resolve("app.war");
        Wars.with("index.html", "an application")
                .servlet(LengthServlet.class, "/length")
                .type(ListeningEndpoint.class)
                .war(app);
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners:
                  - https: 127.0.0.1:0
                    transport: %s
                    certificates: [{cert: %s, key: %s}]
                    http3: true
                hosts:
                  - routes:
                      /*: {files: %s}
                      /app/*: {app: %s}
                      /member/*: {gateway: back}
                upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
                work: work
                """
                        .formatted(
                                transport,
                                certificate.cert(),
                                certificate.key(),
                                folder.resolve("www"),
                                app,
                                behind.httpPort()));
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void curl_getsFilesServletsAndWhatMembersAnswer(String transport) throws Exception {
        Http3Programs programs = Http3Programs.get();
        Path file = configuration(transport);
        try (MargayProcess margay =
                MargayProcess.startBy(folder, programs.loader(), "run", file.toString())) {
            String url = "https://localhost:" + margay.awaitReady();
            Path trusted = certificate.cert();
            assertEquals(
                    "a small file\n200 3",
                    text(
                            programs.curl(
                                    trusted,
                                    "-w",
                                    "%{http_code} %{http_version}",
                                    url + "/small.txt")));
            assertArrayEquals(large, programs.curl(trusted, url + "/large.bin"));
            assertEquals(
                    "404",
                    text(
                            programs.curl(
                                    trusted,
                                    "-o",
                                    folder.resolve("page").toString(),
                                    "-w",
                                    "%{http_code}",
                                    url + "/missing")));
            CRC32 sum = new CRC32();
            sum.update(large);
            assertEquals(
                    "HTTP/3.0 h3 true " + LARGE_BYTES + " " + sum.getValue(),
                    text(programs.curl(
                                    trusted,
                                    "--data-binary",
                                    "@" + folder.resolve("www/large.bin"),
                                    url + "/app/length"))
                            .strip());
            String member = text(programs.curl(trusted, url + "/member/page"));
            assertTrue(member.startsWith(AnsweringServer.MARK + "the member"), member);
            many(programs, url + "/large.bin");
            String overTcp = overTcp(url + "/small.txt");
            assertTrue(
                    overTcp.contains(
                            "alt-svc: h3=\":" + url.substring(url.lastIndexOf(':') + 1) + "\""),
                    overTcp);
            margay.signal("TERM");
            assertEquals(0, margay.awaitExit(), margay::toString);
        }
    }

    /// Clients that go on with their connections, and new ones, while processes take over from each
    /// other: the process before ends what it has begun.
    @Test
    void upgrades_loseNoRequest_andEndNoDownload() throws Exception {
        Http3Programs programs = Http3Programs.get();
        Path file = configuration("native");
        Path work = folder.resolve("work");
        long last = 0;
        try (MargayProcess margay =
                MargayProcess.startBy(folder, programs.loader(), "run", file.toString())) {
            String url = "https://localhost:" + margay.awaitReady();
            Path trusted = certificate.cert();
            CompletableFuture<byte[]> slow =
                    later(() -> programs.curl(trusted, "--limit-rate", "250k", url + "/large.bin"));
            String[] words = {"-o", "/dev/null", "-w", "%{http_code}\\n", "--rate", "50/s"};
            List<CompletableFuture<byte[]>> clients = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                List<String> all = new ArrayList<>(List.of(words));
                all.add(url + "/app/length?[1-300]");
                clients.add(later(() -> programs.curl(trusted, all.toArray(new String[0]))));
            }
            for (int i = 0; i < 2; i++) {
                ControlSocket.Answer answer = ControlSocket.ask(work, "upgrade");
                assertTrue(answer.done(), () -> answer + " " + margay);
                last = ProcessUpgradeIT.successor(answer.lines().getFirst());
                assertEquals("a small file\n", text(programs.curl(trusted, url + "/small.txt")));
            }
            assertArrayEquals(large, slow.get(60, TimeUnit.SECONDS));
            for (CompletableFuture<byte[]> each : clients) {
                assertEquals("200\n".repeat(300), text(each.get(120, TimeUnit.SECONDS)));
            }
            assertEquals(0, margay.awaitEnd(), margay::toString);
        } finally {
            ProcessHandle.of(last).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /// A reload that adds, changes and removes a listener lets the connections of others go on.
    @Test
    void reload_thatChangesAnotherListener_endsNoDownload() throws Exception {
        Http3Programs programs = Http3Programs.get();
        Path file = configuration("native");
        String before = Files.readString(file);
        try (MargayProcess margay =
                MargayProcess.startBy(folder, programs.loader(), "run", file.toString())) {
            String url = "https://localhost:" + margay.awaitReady();
            Path trusted = certificate.cert();
            Path out = folder.resolve("slow.bin");
            String[] words = {"--limit-rate", "300k", "-o", out.toString(), url + "/large.bin"};
            CompletableFuture<byte[]> slow = later(() -> programs.curl(trusted, words));
            Eventually.holds("it has begun", () -> out.toFile().length() > 0);
            for (String added : List.of("backlog: 9", "backlog: 10", "")) {
                String more = added.isEmpty() ? "" : "  - {http: 127.0.0.1:0, " + added + "}\n";
                Files.writeString(file, before.replace("hosts:", more + "hosts:"));
                ControlSocket.Answer answer = ControlSocket.ask(folder.resolve("work"), "reload");
                assertTrue(answer.done(), () -> answer + " " + margay);
                assertEquals("a small file\n", text(programs.curl(trusted, url + "/small.txt")));
            }
            assertFalse(slow.isDone(), "the download was over before");
            slow.get(60, TimeUnit.SECONDS);
            assertArrayEquals(large, Files.readAllBytes(out));
        }
    }

    private static CompletableFuture<byte[]> later(Callable<byte[]> task) {
        CompletableFuture<byte[]> made = new CompletableFuture<>();
        Thread _ =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                made.complete(task.call());
                            } catch (Exception | AssertionError e) {
                                made.completeExceptionally(e);
                            }
                        });
        return made;
    }

    /// What a program has said, and how it ended.
    private record Said(String text, int exit) {}

    /// Has a program ask a server, which goes on.
    ///
    /// @param report file in `target` that gets what it says
    /// @param command for the server's port
    private Said asked(String report, Function<String, List<String>> command) throws Exception {
        Http3Programs programs = Http3Programs.get();
        Path file = configuration("nio");
        try (MargayProcess margay =
                MargayProcess.startBy(folder, programs.loader(), "run", file.toString())) {
            Process asks =
                    new ProcessBuilder(command.apply(String.valueOf(margay.awaitReady())))
                            .redirectErrorStream(true)
                            .start();
            String said = text(asks.getInputStream().readAllBytes());
            Files.writeString(Path.of("target", report), said);
            int exit = asks.waitFor();
            assertTrue(margay.isAlive(), margay::toString);
            return new Said(said, exit);
        }
    }

    /// Each case that quic-go's client tries (`make quic-go`).
    @Test
    void quicGo_hasEachCasePass() throws Exception {
        String client = System.getProperty("margay.quic-go");
        assumeTrue(client != null, "make quic-go builds the client");
        String trusted = certificate.cert().toString();
        Said said =
                asked("quic-go.txt", port -> List.of(client, "https://localhost:" + port, trusted));
        assertEquals(0, said.exit, said.text);
        assertTrue(said.text.endsWith("failed: 0\n"), said.text);
    }

    /// Each case that a client of aioquic tries (`make aioquic`).
    @Test
    void aioquic_hasEachCasePass() throws Exception {
        String python = System.getProperty("margay.aioquic");
        assumeTrue(python != null, "make aioquic installs it");
        String cases = Path.of("src", "test", "aioquic", "cases.py").toString();
        String large = String.valueOf(LARGE_BYTES);
        Said said = asked("aioquic.txt", port -> List.of(python, cases, port, large));
        assertTrue(said.text.endsWith("failed: 0\n"), said.text);
    }

    /// The cases of h3spec, each of which breaks a rule on a connection of its own (`make h3spec`).
    /// Some fail now and then because its packets overtake each other.
    @Test
    void h3spec_findsLittle() throws Exception {
        String program = System.getProperty("margay.h3spec");
        assumeTrue(program != null, "make h3spec fetches it");
        Said said = asked("h3spec.txt", port -> List.of(program, "127.0.0.1", port));
        Matcher sum = Pattern.compile("(\\d+) examples, (\\d+) failures?").matcher(said.text);
        assertTrue(sum.find(), said.text);
        assertEquals("45", sum.group(1));
        assertTrue(Integer.parseInt(sum.group(2)) <= H3SPEC_FAILURES_MAX, said.text);
    }

    /// Many requests on one connection at a time.
    private void many(Http3Programs programs, String url) throws Exception {
        List<String> words = new ArrayList<>(List.of("-Z", "-w", "%{http_code}\\n"));
        for (int i = 0; i < 20; i++) {
            words.addAll(List.of("-o", folder.resolve("got-" + i).toString(), url));
        }
        String statuses = text(programs.curl(certificate.cert(), words.toArray(new String[0])));
        assertEquals("200\n".repeat(20), statuses);
        for (int i = 0; i < 20; i++) {
            assertArrayEquals(large, Files.readAllBytes(folder.resolve("got-" + i)));
        }
    }

    private String overTcp(String url) throws Exception {
        Process process =
                new ProcessBuilder(
                                "curl",
                                "-sSi",
                                "--http2",
                                "--max-time",
                                "30",
                                "--cacert",
                                certificate.cert().toString(),
                                url)
                        .redirectErrorStream(true)
                        .start();
        return text(process.getInputStream().readAllBytes());
    }

    private static String text(byte[] octets) {
        return new String(octets, StandardCharsets.UTF_8);
    }
}
