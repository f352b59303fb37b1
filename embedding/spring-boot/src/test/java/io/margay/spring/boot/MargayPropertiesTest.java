package io.margay.spring.boot;

import static io.margay.spring.boot.BootRun.port;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/// The properties `server.margay.*`, and what is measured of the server.
@Tag("slow")
final class MargayPropertiesTest {
    private static final int TRIES_MAX = 1000;

    private final HttpClient client = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext run(String... properties) {
        return BootRun.run(TestApplication.class, WebApplicationType.SERVLET, properties);
    }

    private String get(ConfigurableApplicationContext context, String path) throws Exception {
        return BootRun.get(client, "http://127.0.0.1:" + port(context) + path).body();
    }

    private static int status(ConfigurableApplicationContext context, String target)
            throws Exception {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", port(context));
        try (RawHttpClient raw = RawHttpClient.connect(address)) {
            return raw.get(target).status();
        }
    }

    @Test
    void characters_thatNoUriHas_areLetInWhereAsked() throws Exception {
        try (var strict = run()) {
            assertEquals(400, status(strict, "/parameters?a={b|c}"));
            assertEquals(400, status(strict, "/hello{"));
        }
        try (var relaxed =
                run(
                        "server.margay.relaxed-query-chars={,|,}",
                        "server.margay.relaxed-path-chars={")) {
            assertEquals(200, status(relaxed, "/parameters?a={b|c}"));
            assertEquals(404, status(relaxed, "/hello{"));
            assertEquals(400, status(relaxed, "/hello|"));
        }
    }

    @Test
    void redirects_areAbsolute_unlessAskedOtherwise() throws Exception {
        try (var context = run()) {
            String root = "http://127.0.0.1:" + port(context);
            assertEquals(root + "/hello", location(context));
        }
        try (var context = run("server.margay.use-relative-redirects=true")) {
            assertEquals("/hello", location(context));
        }
    }

    private String location(ConfigurableApplicationContext context) throws Exception {
        return BootRun.get(client, "http://127.0.0.1:" + port(context) + "/away")
                .headers()
                .firstValue("location")
                .orElseThrow();
    }

    @Test
    void parameters_aboveTheLimit_areRefused() throws Exception {
        try (var context = run("server.margay.max-parameter-count=2")) {
            assertEquals("2", get(context, "/parameters?a=1&b=2"));
            assertTrue(status(context, "/parameters?a=1&b=2&c=3") >= 400);
        }
    }

    @Test
    void meters_areAsOfOtherServers() throws Exception {
        try (var context =
                run(
                        "server.margay.max-sessions=1",
                        "server.margay.max-connections=77",
                        "server.margay.threads.max=33",
                        "management.endpoints.web.exposure.include=health,metrics",
                        "management.endpoint.health.show-details=always")) {
            assertEquals(200, status(context, "/cookies"));
            assertTrue(status(context, "/cookies") >= 500);
            assertMeter(context, "sessions.active.current", "1.0");
            assertMeter(context, "sessions.created", "1.0");
            assertMeter(context, "sessions.rejected", "1.0");
            assertMeter(context, "threads.busy", "1.0");
            assertMeter(context, "threads.config.max", "33.0");
            assertMeter(context, "connections.config.max", "77.0");
            assertMeter(context, "connections.current", "1.0");
            assertMeter(context, "requests.active", "1.0");
            String requests = get(context, "/actuator/metrics/margay.global.request");
            assertTrue(requests.contains("\"TOTAL_TIME\""), requests);
            String health = get(context, "/actuator/health/margay");
            assertTrue(health.contains("\"status\":\"UP\""), health);
            assertTrue(health.contains("\"ports\":[" + port(context) + "]"), health);
        }
    }

    @Test
    void meters_likeTomcat_haveItsNamesAndItsTag() throws Exception {
        try (var context =
                run(
                        "server.margay.tomcat-meters=true",
                        "server.margay.threads.max=33",
                        "management.endpoints.web.exposure.include=metrics")) {
            String tag = "?tag=name:http-nio-" + port(context);
            String threads = get(context, "/actuator/metrics/tomcat.threads.config.max" + tag);
            assertTrue(threads.contains("\"value\":33.0"), threads);
            String requests = get(context, "/actuator/metrics/tomcat.global.request" + tag);
            assertTrue(requests.contains("\"TOTAL_TIME\""), requests);
            String sessions = get(context, "/actuator/metrics/tomcat.sessions.active.current");
            assertTrue(sessions.contains("\"availableTags\":[]"), sessions);
            assertEquals(404, status(context, "/actuator/metrics/margay.threads.busy"));
        }
    }

    private void assertMeter(ConfigurableApplicationContext context, String name, String value)
            throws Exception {
        String meter = get(context, "/actuator/metrics/margay." + name);
        // The thread of the request before may not have ended it yet, though it is answered.
        for (int i = 0; i < TRIES_MAX && !meter.contains("\"value\":" + value); i++) {
            meter = get(context, "/actuator/metrics/margay." + name);
        }
        assertTrue(meter.contains("\"value\":" + value), meter);
    }

    /// Through the port of the management, whose server is another.
    @Test
    void health_whenTheServerDoesNotListen_isDown() throws Exception {
        try (var context = run("management.server.port=0")) {
            String uri =
                    "http://127.0.0.1:"
                            + context.getEnvironment().getProperty("local.management.port")
                            + "/actuator/health";
            assertEquals(200, BootRun.get(client, uri).statusCode());
            ((org.springframework.boot.web.server.context.WebServerApplicationContext) context)
                    .getWebServer()
                    .stop();
            assertEquals(503, BootRun.get(client, uri).statusCode());
        }
    }
}
