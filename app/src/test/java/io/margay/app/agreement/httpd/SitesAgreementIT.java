package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.account.AccountLine;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole sites, as those have them who run httpd: served by Apache httpd and by Margay from the
/// same files, and asked the same. Those of which the account says that something is wrong are not
/// served, which `SitesTest` looks at. `compare` names fields of responses; requests that are
/// answered otherwise are listed in `differs`, as [SiteDifference] reads them: each is one that the
/// account names, or Margay is the stricter.
final class SitesAgreementIT {
    private static final Path SITES =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/sites");
    private static final int TIMEOUT_MILLIS = 10_000;

    private static final Pattern REQUEST =
            Pattern.compile("(?:([A-Z]+) )?(?:\\[([^]]+)] )?http://([^/]+)(/\\S*)");

    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "mime",
                    "dir",
                    "alias",
                    "env",
                    "setenvif",
                    "headers",
                    "expires",
                    "filter",
                    "deflate",
                    "rewrite",
                    "negotiation",
                    "reqtimeout",
                    "remoteip",
                    "macro",
                    "authn_core",
                    "authn_file",
                    "auth_basic",
                    "authz_user",
                    "authz_core",
                    "authz_host",
                    "access_compat",
                    "allowmethods",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_http",
                    "proxy_ajp",
                    "proxy_fcgi",
                    "slotmem_shm",
                    "proxy_balancer",
                    "lbmethod_byrequests",
                    "jk");

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

    static List<CorpusFile> sites() {
        return CorpusFile.all(SITES).stream().filter(site -> site.has("requests")).toList();
    }

    @ParameterizedTest
    @MethodSource("sites")
    void site_ofHttpd_isServedAlike(CorpusFile site) throws Exception {
        Path folder = Files.createTempDirectory("margay-site");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        int httpdPort = FreePort.next();
        Path ofHttpd = folder.resolve("httpd");
        Map<String, String> values = values(httpdPort, ofHttpd);
        try (HttpdProcess _ = httpd(site, ofHttpd, values, httpdPort);
                MargayServer margay = margay(site, folder.resolve("margay"))) {
            int port = margay.ports().getFirst();
            List<String> named = named(site, folder.resolve("check"));
            List<String> expected = new ArrayList<>();
            List<String> found = new ArrayList<>();
            for (String request : site.lines("requests", values)) {
                String theirs = request + " => " + ask(httpdPort, request, site);
                String ours = request + " => " + ask(port, request, site);
                SiteDifference differs = SiteDifference.of(request, site.lines("differs", values));
                if (differs == null) {
                    expected.add(theirs);
                    found.add(ours);
                } else {
                    assertNotEquals(theirs, ours);
                    String answer = ours.substring(request.length() + 4);
                    String httpds = theirs.substring(request.length() + 4);
                    assertTrue(
                            differs.isAccepted(httpds, answer, named, folder),
                            () ->
                                    differs
                                            + ": "
                                            + theirs
                                            + ", here "
                                            + answer
                                            + ", named "
                                            + named);
                }
            }
            assertEquals(String.join("\n", expected), String.join("\n", found));
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
                        "DIR", folder.toString()));
    }

    private static HttpdProcess httpd(
            CorpusFile site, Path folder, Map<String, String> values, int port) throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        boolean _ = site.write(folder, values).isEmpty();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                Files.setPosixFilePermissions(
                        path,
                        PosixFilePermissions.fromString(
                                Files.isDirectory(path) ? "rwxrwxrwx" : "rw-rw-rw-"));
            }
        }
        return HttpdProcess.start(folder, MODULES, "Include httpd.conf\n", port);
    }

    private static MargayServer margay(CorpusFile site, Path folder) throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        int port = FreePort.next();
        GatewayPlan plan = GatewayFiles.read(site.write(folder, values(port, folder)), Map.of());
        assertTrue(!plan.isWrong(), () -> plan.failures().toString());
        return PlanServer.start(plan, folder.resolve("work"));
    }

    /// The directives that `check` names.
    private static List<String> named(CorpusFile site, Path folder) throws IOException {
        GatewayPlan plan = GatewayFiles.read(site.write(folder, values(80, folder)), Map.of());
        return plan.failures().stream().map(AccountLine::directive).toList();
    }

    /// Status, `Location`, the fields that are compared, and the content but for pages of errors.
    private static String ask(int port, String line, CorpusFile site) throws IOException {
        Matcher request = REQUEST.matcher(line);
        assertTrue(request.matches(), line);
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String text =
                    (request.group(1) == null ? "GET" : request.group(1))
                            + " "
                            + request.group(4)
                            + " HTTP/1.1\r\nHost: "
                            + request.group(3)
                            + "\r\n"
                            + (request.group(2) == null ? "" : request.group(2) + "\r\n")
                            + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = Integer.parseInt(answer.substring(9, 12));
            Matcher location = Pattern.compile("(?i)\r\nLocation: (.*)\r\n").matcher(answer);
            String result = "" + status;
            if (location.find()) {
                result += " " + resolved(location.group(1), request.group(3));
            }
            result += fields(answer, site.lines("compare", Map.of()));
            return status == 200 ? result + " " + content(answer) : result;
        }
    }

    /// A path of the host that was asked stands for its URL.
    private static String resolved(String location, String host) {
        String origin = "http://" + host + "/";
        return location.startsWith(origin) ? location.substring(origin.length() - 1) : location;
    }

    /// Of the fields with these names all lines, those of a name in their order.
    private static String fields(String answer, List<String> names) {
        return answer.substring(0, answer.indexOf("\r\n\r\n"))
                .lines()
                .skip(1)
                .filter(line -> names.stream().anyMatch(line.split(":")[0]::equalsIgnoreCase))
                .sorted(
                        Comparator.comparing(
                                line -> line.split(":")[0], String.CASE_INSENSITIVE_ORDER))
                .map(line -> " [" + line + "]")
                .collect(Collectors.joining());
    }

    private static String content(String answer) {
        String content = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        int mark = content.indexOf(AnsweringServer.MARK);
        String text = mark < 0 ? content : content.substring(mark);
        return text.lines().filter(line -> line.length() > 4).findFirst().orElse("");
    }
}
