package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayProcess;
import io.margay.app.Pem;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `margay gateway` as a process, before back ends that speak AJP13.
final class GatewayCommandIT {
    /// Where the published configurations look for the container.
    private static final int PUBLISHED_PORT = 8029;

    private static final String PUBLISHED_MOD_JK =
            """
            JkWorkersFile C:/myapp/webserver/conf/
            JkLogFile C:/myapp/logs/apache-mod_jk.log
            JkLogLevel error
            JkLogStampFormat "[%a %b %d %H:%M:%S %Y] "
            # JkOptions indicate to send SSL KEY SIZE,
            JkOptions +ForwardKeySize +ForwardURICompat -ForwardDirectories
            # JkRequestLogFormat set the request format
            #JkRequestLogFormat "%w %V %T"
            JkMount /mywebapp/get*.jsp worker2
            """;

    private static final String PUBLISHED_MOD_PROXY =
            "ProxyPassMatch \\/(mywebapp\\/get.*\\.jsp)$ ajp://localhost:8029/$1\n";

    @TempDir Path folder;

    private static RawHttpClient client(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static boolean isFree(int port) {
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return taken.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /// Both configurations of the published comparison, as they stand, one after the other.
    @Test
    void publishedConfigurations_serveAsTheyStand() throws IOException {
        assumeTrue(isFree(PUBLISHED_PORT), "another program has port 8029");
        Files.writeString(folder.resolve("jk.conf"), PUBLISHED_MOD_JK);
        Files.writeString(folder.resolve("proxy.conf"), PUBLISHED_MOD_PROXY);
        Files.writeString(
                folder.resolve("workers.properties"),
                """
                worker.list=worker2
                worker.worker2.type=ajp13
                worker.worker2.host=localhost
                worker.worker2.port=8029
                """);
        List<List<String>> commands =
                List.of(List.of("jk.conf", "workers.properties"), List.of("proxy.conf"));
        try (AnsweringServer _ = new AnsweringServer("tomcat", PUBLISHED_PORT)) {
            for (List<String> files : commands) {
                List<String> words = new ArrayList<>(List.of("gateway"));
                words.addAll(files);
                words.addAll(List.of("--http", "127.0.0.1:0"));
                try (MargayProcess margay =
                                MargayProcess.start(folder, words.toArray(String[]::new));
                        RawHttpClient client = client(margay.awaitReady())) {
                    for (int i = 0; i < 3; i++) {
                        assertEquals(
                                "answered by tomcat: /mywebapp/getTime.jsp?zone=UTC\n",
                                client.get("/mywebapp/getTime.jsp?zone=UTC").text(),
                                files::toString);
                    }
                    assertEquals(404, client.get("/mywebapp/set.jsp").status());
                }
            }
        }
    }

    /// A mount file that changes is active after its interval, and no request fails meanwhile.
    @Test
    void mountFile_thatChangesWhileServing_isReadAgain() throws IOException {
        Path map = folder.resolve("uriworkermap.properties");
        Files.writeString(map, "/*=a\n");
        Files.writeString(
                folder.resolve("httpd.conf"),
                "JkWorkersFile workers.properties\nJkMountFile uriworkermap.properties\n"
                        + "JkMountFileReload 1\n");
        try (AnsweringServer a = new AnsweringServer("a");
                AnsweringServer b = new AnsweringServer("b")) {
            Files.writeString(
                    folder.resolve("workers.properties"),
                    "worker.list=a,b\nworker.a.port="
                            + a.ajpPort()
                            + "\nworker.a.host=127.0.0.1\nworker.b.host=127.0.0.1\nworker.b.port="
                            + b.ajpPort()
                            + "\n");
            try (MargayProcess margay =
                            MargayProcess.start(
                                    folder, "gateway", "httpd.conf", "--http", "127.0.0.1:0");
                    RawHttpClient client = client(margay.awaitReady())) {
                assertEquals("answered by a: /x\n", client.get("/x").text());
                Files.writeString(map, "/*=a\n/b/*=b\n!/b/not/*=b\n");
                Files.setLastModifiedTime(map, FileTime.from(Instant.now().plusSeconds(5)));
                List<String> others = new ArrayList<>();
                Eventually.holds(
                        "leads to b",
                        () -> {
                            String text = get(client, "/b/x");
                            if (!text.startsWith("answered by ")) {
                                others.add(text);
                            }
                            return text.equals("answered by b: /b/x\n");
                        });
                assertEquals(List.of(), others);
                assertEquals("answered by a: /x\n", client.get("/x").text());
                Files.writeString(map, "/*=nobody\n");
                Files.setLastModifiedTime(map, FileTime.from(Instant.now().plusSeconds(9)));
                String complaint = margay.awaitLine(line -> line.contains("nobody"));
                assertTrue(complaint.contains("uriworkermap.properties:1"), complaint);
            }
        }
    }

    /// A host for those who show a certificate is not opened by a listener that asks for none.
    @Test
    void listener_ofTheCommandLine_forAHostThatNeedsCertificates_isRefused() throws Exception {
        String tls =
                """
                SSLEngine on
                SSLCertificateFile host.pem
                SSLCertificateKeyFile host.key
                SSLVerifyClient require
                SSLCACertificateFile host.pem
                """;
        Pem.make(folder, "host");
        int port = FreePort.next();
        String listen = "Listen 127.0.0.1:" + port + "\n";
        Files.writeString(folder.resolve("main.conf"), listen + tls);
        Files.writeString(
                folder.resolve("host.conf"),
                listen
                        + "<VirtualHost *:"
                        + port
                        + ">\nServerName a.example\n"
                        + tls
                        + "</VirtualHost>\n");
        for (String[] options :
                new String[][] {
                    {"main.conf", "--http", "127.0.0.1:0"},
                    {
                        "main.conf",
                        "--https",
                        "127.0.0.1:0",
                        "--cert",
                        "host.pem",
                        "--key",
                        "host.key"
                    },
                    {"host.conf", "--http", "127.0.0.1:" + port}
                }) {
            List<String> words = new ArrayList<>(List.of("gateway"));
            words.addAll(List.of(options));
            try (MargayProcess margay = MargayProcess.start(folder, words.toArray(String[]::new))) {
                assertEquals(1, margay.awaitExit(), margay.toString());
                assertTrue(margay.toString().contains("SSLVerifyClient"), margay.toString());
            }
        }
        try (MargayProcess margay =
                MargayProcess.start(folder, "gateway", "host.conf", "--http", "127.0.0.1:0")) {
            assertTrue(margay.awaitReady() > 0);
        }
    }

    private static String get(RawHttpClient client, String target) {
        try {
            return client.get(target).text();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
