package io.margay.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;

/// What Micrometer observes of requests (`http.server.requests`), beside the same application on
/// Tomcat.
@Tag("slow")
final class ObservationsTest {
    private static final List<String> REQUESTS =
            List.of(
                    "GET /hello",
                    "GET /hello",
                    "POST /hello",
                    "GET /nothing",
                    "GET /away",
                    "GET /fail",
                    "GET /long",
                    "HEAD /hello");

    /// Each meter of requests with its keys, and how many it has counted.
    private static Set<String> observed(String server, String... properties) throws Exception {
        try (var context =
                        BootRun.run(TestApplication.class, WebApplicationType.SERVLET, properties);
                HttpClient client = HttpClient.newHttpClient()) {
            String name =
                    ((WebServerApplicationContext) context).getWebServer().getClass().getName();
            assertTrue(name.endsWith("." + server), name);
            for (String each : REQUESTS) {
                String[] words = each.split(" ");
                URI uri = URI.create("http://127.0.0.1:" + BootRun.port(context) + words[1]);
                HttpResponse<String> _ =
                        client.send(
                                HttpRequest.newBuilder(uri)
                                        .method(words[0], HttpRequest.BodyPublishers.noBody())
                                        .build(),
                                BodyHandlers.ofString());
            }
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            Eventually.holds(
                    "all are counted",
                    () ->
                            timers(registry).stream().mapToLong(Timer::count).sum()
                                    == REQUESTS.size());
            return timers(registry).stream()
                    .map(one -> one.getId().getTags() + " " + one.count())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Collection<Timer> timers(MeterRegistry registry) {
        return registry.find("http.server.requests").timers();
    }

    @Test
    void requests_haveTheKeysAndCountsThatTheyHaveOnTomcat() throws Exception {
        Set<String> margays = observed("MargayWebServer");
        Set<String> tomcats =
                observed(
                        "TomcatWebServer",
                        "spring.autoconfigure.exclude="
                                + MargayServletWebServerAutoConfiguration.class.getName());
        assertEquals(tomcats, margays);
        String found = margays.toString();
        for (String value : List.of("uri=/hello)", "status=405)", "outcome=SERVER_ERROR)")) {
            assertTrue(found.contains(value), found);
        }
    }
}
