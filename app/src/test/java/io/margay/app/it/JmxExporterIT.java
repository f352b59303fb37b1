package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// jmx_exporter's Java agent in `./margay`, with rules that were written for Tomcat: what it gives
/// are the counters of the requests that were made.
final class JmxExporterIT {
    /// The rules that are in use for Tomcat, by the names of its MBeans.
    private static final String RULES =
            """
            lowercaseOutputLabelNames: true
            lowercaseOutputName: true
            rules:
              - pattern: 'Catalina<type=GlobalRequestProcessor, \
            name=\\"(\\w+-\\w+)-(\\d+)\\"><>(\\w+):'
                name: tomcat_$3_total
                labels: {port: "$2", protocol: "$1"}
                type: COUNTER
              - pattern: 'Catalina<type=ThreadPool, \
            name="(\\w+-\\w+)-(\\d+)"><>(\\w+(?:Count|Busy|Threads)):'
                name: tomcat_threadpool_$3
                labels: {port: "$2", protocol: "$1"}
                type: GAUGE
              - pattern: 'Catalina<j2eeType=Servlet, \
            WebModule=//([-\\w+&@#/%?=~|!:.,;]*[-\\w+&@#/%=~|]), name=([-\\w+/$%~|!.]*), \
            J2EEApplication=none, J2EEServer=none>\
            <>(requestCount|maxTime|processingTime|errorCount):'
                name: tomcat_servlet_$3_total
                labels: {module: "$1", servlet: "$2"}
                type: COUNTER
              - pattern: 'Catalina<type=Manager, \
            host=([-\\w.]+), context=([-\\w+/$%~.]*)><>(\\w+Sessions|sessionCounter):'
                name: tomcat_session_$3
                labels: {host: "$1", context: "$2"}
                type: GAUGE
            """;

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));
    private final Path agent = Path.of(System.getProperty("margay.jmx-exporter", "agent.jar"));

    @TempDir Path folder;

    @Test
    void scrape_givesTheCountersOfRealTraffic_asTomcats() throws Exception {
        assertTrue(Files.exists(agent), agent + " is copied by the build");
        int exporter = FreePort.next();
        Path rules = Files.writeString(folder.resolve("rules.yml"), RULES);
        Map<String, String> options =
                Map.of("MARGAY_JAVA_OPTS", "-javaagent:" + agent + "=" + exporter + ":" + rules);
        Path script = ServerProcess.checkout().resolve("margay");
        String examples = home.resolve("webapps").toString();
        try (ServerProcess margay =
                ServerProcess.script(script, folder, options, "run", examples, "--http", "0")) {
            int port = margay.awaitMargay();
            String jsp = "{module=\"localhost/examples\",servlet=\"jsp\"}";
            // Requests are counted once they are shown.
            await(margay, exporter, "tomcat_servlet_requestcount_total" + jsp, 0);
            for (int i = 0; i < 20; i++) {
                assertTrue(get(port, "/examples/jsp/jsp2/el/basic-arithmetic.jsp").length() > 500);
            }
            get(port, "/examples/servlets/servlet/SessionExample");
            String labels = "{port=\"" + port + "\",protocol=\"http-nio\"}";
            Map<String, Double> found =
                    await(margay, exporter, "tomcat_requestcount_total" + labels, 21);
            assertEquals(21.0, found.get("tomcat_requestcount_total" + labels));
            assertTrue(found.get("tomcat_bytessent_total" + labels) > 20 * 500, found::toString);
            assertEquals(0.0, found.get("tomcat_errorcount_total" + labels));
            assertEquals(200.0, found.get("tomcat_threadpool_maxthreads" + labels));
            assertEquals(20.0, found.get("tomcat_servlet_requestcount_total" + jsp));
            assertTrue(found.get("tomcat_servlet_processingtime_total" + jsp) > 0);
            String session = "{context=\"/examples\",host=\"localhost\"}";
            assertTrue(found.get("tomcat_session_sessioncounter" + session) >= 1, found::toString);
            assertEquals(0, margay.terminate(), margay.toString());
        }
    }

    /// What the exporter shows, once it shows that much of one thing.
    private static Map<String, Double> await(
            ServerProcess margay, int exporter, String name, double least) throws Exception {
        Map<String, Double> found = Map.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (found.getOrDefault(name, -1.0) < least) {
            assertTrue(System.nanoTime() < end, () -> name + " is not seen: " + margay);
            LockSupport.parkNanos(50_000_000L);
            found = values(get(exporter, "/metrics"));
        }
        return found;
    }

    /// The values of a text of Prometheus's format by name and labels.
    private static Map<String, Double> values(String text) {
        Map<String, Double> values = new TreeMap<>();
        text.lines()
                .filter(line -> line.startsWith("tomcat_"))
                .forEach(line -> {
                    int blank = line.lastIndexOf(' ');
                    values.put(
                            line.substring(0, blank).replace(",}", "}"),
                            Double.parseDouble(line.substring(blank + 1)));
                });
        return values;
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        }
    }
}
