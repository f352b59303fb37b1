package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.CorpusFile;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sends the same requests to Apache httpd with mod_jk and mod_proxy and to Margay, both with the
/// same configuration of the corpus and before the same back ends: statuses, redirections and the
/// back end that answers agree, and what it was asked for.
///
/// Where the two are to differ, the configuration says so in its section `differs`.
final class HttpdAgreementIT {
    private static final Path CORPUS =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/compat");
    private static final int AT_LEAST = 15;
    private static final int TIMEOUT_MILLIS = 10_000;

    /// Not to be had here: TLS, php-fpm, WebSocket, back ends that speak HTTP/2, pages of the
    /// server about itself, mod_auth_openidc.
    private static final Set<String> WITHOUT_HTTPD =
            Set.of(
                    "tls-sites",
                    "php",
                    "websocket",
                    "proxy-http2",
                    "jk-status",
                    "status-pages",
                    "debian-site",
                    "access-openid");

    private static final Pattern REQUEST =
            Pattern.compile("(?:([A-Z]+) )?(?:\\[([^]]+)] )?(?:https?://([^/]+))?(/\\S*) => .+");

    private static AnsweringServer first;
    private static AnsweringServer second;

    @BeforeAll
    static void startBackEnds() throws IOException {
        first = new AnsweringServer("a");
        second = new AnsweringServer("b");
    }

    @AfterAll
    static void stopBackEnds() {
        first.close();
        second.close();
    }

    /// Those whose names `-Dmargay.corpus=REGEX` takes; all unless it is given.
    static List<CorpusFile> corpus() {
        return CorpusFile.all(CORPUS).stream()
                .filter(file -> file.name().matches(System.getProperty("margay.corpus", ".*")))
                .filter(file -> file.has("httpd.conf") && file.has("routes"))
                .filter(file ->
                        file.text("httpd.conf").contains("Listen @LISTEN@")
                                || file.text("httpd.conf").contains("Listen ${port}"))
                .filter(file ->
                        file.lines("account", Map.of()).stream()
                                .noneMatch(line -> line.startsWith("wrong")))
                .filter(file -> !WITHOUT_HTTPD.contains(file.name().substring(3)))
                .filter(file -> !file.name().endsWith("-changed"))
                .toList();
    }

    @Test
    void corpus_hasEnoughForHttpd() {
        boolean all = System.getProperty("margay.corpus") == null;
        assertTrue(!all || corpus().size() >= AT_LEAST, () -> corpus().toString());
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void requests_toHttpdAndToMargay_areAnsweredAlike(CorpusFile file) throws Exception {
        Path folder = Files.createTempDirectory("margay-httpd");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        int httpdPort = FreePort.next();
        Map<String, String> values = values(httpdPort, folder.resolve("httpd"));
        List<String> requests = file.lines("routes", values);
        List<String> differs = file.lines("differs", values);
        try (HttpdProcess _ = CorpusHttpd.start(file, folder.resolve("httpd"), values, httpdPort);
                MargayServer margay = margay(file, folder.resolve("margay"))) {
            int port = margay.ports().getFirst();
            List<String> ofHttpd = new ArrayList<>();
            List<String> ofMargay = new ArrayList<>();
            for (String line : requests) {
                Matcher matcher = REQUEST.matcher(line);
                assertTrue(matcher.matches(), line);
                String request = line.substring(0, line.indexOf(" => "));
                boolean compared =
                        differs.stream().noneMatch(known -> known.startsWith(request + " "));
                String httpd = ask(httpdPort, matcher, file.lines("compare", values));
                String own = ask(port, matcher, file.lines("compare", values));
                if (compared) {
                    ofHttpd.add(request + " => " + httpd);
                    ofMargay.add(request + " => " + own);
                } else {
                    assertTrue(!httpd.equals(own), () -> request + " does not differ: " + own);
                }
            }
            assertEquals(String.join("\n", ofHttpd), String.join("\n", ofMargay));
        } finally {
            Folders.delete(folder);
        }
    }

    private static Map<String, String> values(int port, Path folder) {
        return new HashMap<>(
                Map.of(
                        "LISTEN", String.valueOf(port),
                        "A_AJP", String.valueOf(first.ajpPort()),
                        "B_AJP", String.valueOf(second.ajpPort()),
                        "A_HTTP", String.valueOf(first.httpPort()),
                        "B_HTTP", String.valueOf(second.httpPort()),
                        "DIR", folder.toString(),
                        "DIRNAME", folder.toString()));
    }

    private static MargayServer margay(CorpusFile file, Path folder) throws IOException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        GatewayPlan plan = GatewayFiles.read(file.write(folder, values(port, folder)), Map.of());
        return PlanServer.start(plan, folder.resolve("work"));
    }

    /// Status, `Location`, and the content where a back end has answered.
    ///
    /// @param compare names of fields that are to agree, or `body`, or `shown`: which of the files
    ///   is shown for an error
    private static String ask(int port, Matcher request, List<String> compare) throws IOException {
        String host = request.group(3) == null ? "localhost" : request.group(3);
        String field = request.group(2) == null ? "" : request.group(2) + "\r\n";
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String text =
                    (request.group(1) == null ? "GET" : request.group(1))
                            + " "
                            + request.group(4)
                            + " HTTP/1.1\r\nHost: "
                            + host
                            + "\r\n"
                            + field
                            + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = Integer.parseInt(answer.substring(9, 12));
            Matcher location = Pattern.compile("\r\nLocation: (.*)\r\n").matcher(answer);
            String result = String.valueOf(status);
            if (location.find()) {
                result += " " + location.group(1);
            }
            result += fields(answer, compare);
            if (compare.contains("body") && status >= 400) {
                return result + answer.substring(answer.indexOf("\r\n\r\n") + 2);
            }
            if (compare.contains("shown") && status >= 400) {
                Matcher shown = Pattern.compile("\r\n\r\n(htdocs/.*)").matcher(answer);
                return result + (shown.find() ? " " + shown.group(1) : "");
            }
            int content = answer.indexOf(AnsweringServer.MARK);
            if (content >= 0) {
                result += " " + answer.substring(content).lines().findFirst().orElse("");
            } else if (status == 200) {
                result += " a file";
            }
            return result;
        }
    }

    private static String fields(String answer, List<String> compare) {
        StringBuilder found = new StringBuilder();
        for (String name : compare) {
            Matcher field =
                    Pattern.compile("(?i)\r\n" + Pattern.quote(name) + ": *(.*)").matcher(answer);
            while (field.find()) {
                found.append(' ').append(name).append(": ").append(field.group(1).strip());
            }
        }
        return found.toString();
    }
}
