package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tomcat behind the gateway, by AJP13, HTTP/1.1 and HTTP/2: what Tomcat answers directly it
/// answers through the gateway.
final class TomcatGatewayIT {
    private static final String SECRET = "s3cret";

    /// Requests whose answers tell of the front end, each with the reason.
    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    "GET /examples/servlets/servlet/RequestHeaderExample"
                            + " [Accept: application/json]",
                    "shows every field of the request, with Via",
                    "GET /examples/servlets/servlet/RequestHeaderExample [X-Example: <b>&]",
                    "shows every field of the request, with Via",
                    "GET /examples/servlets/trailers/response",
                    "AJP13 has no trailers, and the servlet insists on them");

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void tomcat_behindTheGateway_answersAsItself() throws Exception {
        assertTrue(Files.isDirectory(home), home + " is unpacked by the build");
        PageList list =
                PageList.read(ServerProcess.checkout().resolve("examples/tomcat-pages.txt")).few();
        String ajp =
                "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"AJP/1.3\" secret=\""
                        + SECRET
                        + "\"/>";
        try (ServerProcess tomcat = ServerProcess.tomcat(home, folder.resolve("tomcat"), ajp)) {
            int http = tomcat.awaitTomcat();
            for (String url :
                    List.of(
                            "ajp://127.0.0.1:" + tomcat.tomcatAjpPort(),
                            "http://127.0.0.1:" + http)) {
                try (ServerProcess process = gateway(url);
                        AskedServer direct = new AskedServer(list, http);
                        AskedServer through = new AskedServer(list, process.awaitMargay())) {
                    Map<String, String> differences =
                            PageComparison.differences(list, direct, through);
                    TreeSet<String> unexpected = new TreeSet<>();
                    differences.forEach((page, difference) -> {
                        if (!EXCEPTIONS.containsKey(page)) {
                            unexpected.add(url + ": " + page + difference);
                        }
                    });
                    assertEquals("", String.join("\n", unexpected));
                    int gateway = process.awaitMargay();
                    content(gateway);
                    load(gateway);
                    assertEquals(0, process.terminate(), process.toString());
                }
            }
            try (ServerProcess process = gateway("h2c://127.0.0.1:" + http)) {
                content(process.awaitMargay());
                load(process.awaitMargay());
            }
        }
    }

    private ServerProcess gateway(String url) throws IOException {
        Path file = folder.resolve("gateway.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: tomcat}}}]
                upstreams:
                  tomcat: {members: [{url: "%s", secret: %s, route: t1, pings: [prepost]}]}
                work: work
                """
                        .formatted(url, SECRET));
        return ServerProcess.margay(folder, "run", file.toString());
    }

    private static RawHttpClient client(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// Content both ways, of either framing.
    private void content(int gateway) throws IOException {
        Path image = home.resolve("webapps/examples/jsp/jsp2/jspx/textRotate.jpg");
        try (RawHttpClient client = client(gateway)) {
            assertArrayEquals(
                    Files.readAllBytes(image),
                    client.get("/examples/jsp/jsp2/jspx/textRotate.jpg").body());
            String counter = "/examples/servlets/nonblocking/bytecounter HTTP/1.1\r\nHost: a\r\n";
            byte[] megabyte = new byte[1_000_000];
            client.send("POST " + counter + "Content-Length: 1000000\r\n\r\n").send(megabyte);
            String text = client.response().text();
            assertTrue(text.contains("1000000"), text);
            client.send("POST " + counter + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 10; i++) {
                client.send("186a0\r\n").send(megabyte, 0, 100_000).send("\r\n");
            }
            text = client.send("0\r\n\r\n").response().text();
            assertTrue(text.contains("1000000"), text);
        }
    }

    /// A thousand requests of four kinds, by eight clients at once.
    private static void load(int gateway) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(executor.submit(() -> requests(gateway)));
            }
            for (Future<Integer> client : clients) {
                assertEquals(125, client.get());
            }
        }
    }

    private static final String HEAD = "HEAD /examples/index.html HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final String POST =
            "POST /examples/servlets/servlet/RequestParamExample HTTP/1.1\r\nHost: a\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: 11\r\n\r\nfirstname=a";

    private static int requests(int gateway) throws IOException {
        int good = 0;
        try (RawHttpClient client = client(gateway)) {
            for (int i = 0; i < 125; i++) {
                RawHttpClient.Response response =
                        switch (i % 4) {
                            case 0 -> client.get("/examples/servlets/servlet/HelloWorldExample");
                            case 1 -> client.get("/examples/servlets/images/code.gif");
                            case 2 -> client.send(HEAD).response(true);
                            default -> client.send(POST).response();
                        };
                good += response.status() == 200 ? 1 : 0;
            }
        }
        return good;
    }
}
