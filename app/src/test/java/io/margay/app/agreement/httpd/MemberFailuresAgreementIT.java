package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import io.margay.testkit.ScriptedPeer.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What clients get of members that fail is what they get of Apache httpd, by the protocol of the
/// member and by how it fails, but for what [#DIFFERENT] has, which stands in
/// docs/reference/gateway-compat.md.
final class MemberFailuresAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "mime",
                    "authz_core",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_http",
                    "proxy_fcgi",
                    "proxy_ajp");

    /// What httpd and Margay answer by method and member, where they differ: a member that is too
    /// slow gets its client a 504, whatever it speaks.
    private static final Map<String, String> DIFFERENT =
            Map.of(
                    "GET /ajp-is-silent/", "503 -> 504",
                    "GET /ajp-is-silent/?a=", "500 -> 504",
                    "POST /ajp-is-silent/", "500 -> 504",
                    "GET /http-is-silent/", "502 -> 504",
                    "GET /http-is-silent/?a=", "502 -> 504",
                    "POST /http-is-silent/", "502 -> 504");

    private static final String NOBODY = "refuses";
    private static final String SILENT = "is-silent";

    private static final Map<String, Script> FAILURES =
            Map.of(
                    "closes",
                    talk -> talk.some(),
                    "resets",
                    talk -> {
                        talk.some();
                        talk.reset();
                    },
                    SILENT,
                    talk -> {
                        talk.some();
                        talk.awaitEnd();
                    },
                    "says-half",
                    talk -> {
                        talk.some();
                        talk.send("HTTP/1.1 200 OK\r\nContent-Le");
                    },
                    "is-malformed",
                    talk -> {
                        talk.some();
                        talk.send("\0\1\2\3 no answer of any kind\r\n\r\n and more of it");
                    });

    private final Map<String, ScriptedPeer> members = new TreeMap<>();
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        folder = Files.createTempDirectory("margay-failures");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Map.Entry<String, Script> failure : FAILURES.entrySet()) {
            members.put(failure.getKey(), new ScriptedPeer(failure.getValue()));
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (ScriptedPeer member : members.values()) {
            member.close();
        }
        Folders.delete(folder);
    }

    @ParameterizedTest
    @CsvSource({"On, ajp fcgi http https", "Off, https"})
    void statuses_ofMembersThatFail_areThoseOfHttpd(String addHeaders, String schemes)
            throws Exception {
        Map<String, Integer> ports = new TreeMap<>();
        members.forEach((name, member) -> ports.put(name, member.port()));
        ports.put(NOBODY, FreePort.next());
        List<String> paths = new ArrayList<>();
        StringBuilder text =
                new StringBuilder(
                        "Listen 127.0.0.1:@PORT@\nServerName localhost\nSSLProxyEngine On\n"
                                + "ProxyAddHeaders "
                                + addHeaders
                                + "\n");
        for (String scheme : schemes.split(" ")) {
            for (Map.Entry<String, Integer> port : ports.entrySet()) {
                String path = "/" + scheme + "-" + port.getKey() + "/";
                paths.add(path);
                text.append(
                        "ProxyPass %s %s://127.0.0.1:%d/ retry=0 timeout=%d\n"
                                .formatted(
                                        path,
                                        scheme,
                                        port.getValue(),
                                        port.getKey().equals(SILENT) ? 1 : 20));
            }
        }
        int theirs = FreePort.next();
        Map<String, Integer> expected;
        try (HttpdProcess _ =
                HttpdProcess.startSingle(
                        Files.createDirectories(folder.resolve("httpd")),
                        MODULES,
                        text.toString().replace("@PORT@", String.valueOf(theirs)),
                        theirs)) {
            expected = ask(theirs, paths);
        }
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        text.toString().replace("@PORT@", String.valueOf(FreePort.next())));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        Map<String, Integer> found;
        try (MargayServer margay = PlanServer.start(plan, folder.resolve("work"))) {
            found = ask(margay.ports().getFirst(), paths);
        }
        Map<String, String> different = new TreeMap<>();
        expected.forEach((asked, status) -> {
            if (!status.equals(found.get(asked))) {
                different.put(asked, status + " -> " + found.get(asked));
            }
        });
        Map<String, String> known = new TreeMap<>(DIFFERENT);
        known.keySet().retainAll(expected.keySet());
        assertEquals(known, different);
    }

    /// Paths are asked at once: some answers take a second.
    private static Map<String, Integer> ask(int port, List<String> paths) throws Exception {
        Map<String, Integer> statuses = new ConcurrentSkipListMap<>();
        List<Future<?>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String path : paths) {
                asked.add(threads.submit(() -> ask(port, path, statuses)));
            }
        }
        for (Future<?> each : asked) {
            each.get();
        }
        return statuses;
    }

    private static Void ask(int port, String path, Map<String, Integer> statuses)
            throws IOException {
        statuses.put("GET " + path, status(port, "GET", path, ""));
        statuses.put("GET " + path + "?a=", status(port, "GET", path + "?a=", ""));
        statuses.put("POST " + path, status(port, "POST", path, "abc"));
        return null;
    }

    private static int status(int port, String method, String path, String content)
            throws IOException {
        InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(front)) {
            String length = content.isEmpty() ? "" : "Content-Length: " + content.length() + "\r\n";
            client.send(
                    method
                            + " "
                            + path
                            + "x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + length
                            + "\r\n"
                            + content);
            return client.response().status();
        }
    }
}
