package io.margay.compat.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import io.margay.compat.account.TouchedLines;
import io.margay.compat.nginx.plan.NginxPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests meet the lines of the location that nginx would choose, and of those alone.
final class NginxMeetingTest {
    private static final String CONF =
            """
            worker_processes 2;
            events { worker_connections 100; }
            http {
              gzip on;
              upstream app { server 127.0.0.1:9000; }
              upstream rest { server 127.0.0.1:9001; }
              server {
                listen 8081;
                server_name shop.example *.shop.example;
                location / { try_files $uri @app; }
                location @app { proxy_pass http://app; }
                location /api/ {
                  proxy_pass http://rest;
                  location /api/slow/ { proxy_read_timeout 90s; }
                }
                location ^~ /img/ { expires 1h; }
                location ~* \\.(png|jpg)$ { expires 2h; }
                location = /exact { return 204; }
              }
              server {
                listen 8081 default_server;
                server_name _;
                return 404;
              }
            }
            """;

    @TempDir Path folder;

    private NginxPlan plan;

    @BeforeEach
    void read() throws IOException {
        plan = NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), CONF));
    }

    /// The lines from 9 on, which differ; those before hold for all.
    private String met(String host, String path) {
        return plan.meeting().of(host, path).stream()
                .map(Place::line)
                .filter(line -> line == 5 || line == 6 || line > 9)
                .sorted()
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example, /, 5 10 11",
        "www.shop.example, /a.html, 5 10 11",
        "shop.example, /api/x, 6 12 13",
        "shop.example, /api/slow/x, 6 12 13 14",
        "shop.example, /api/x.png, 17",
        "shop.example, /img/x.png, 16",
        "shop.example, /x.PNG, 17",
        "shop.example, /exact, 18",
        "other.example, /, 20 21 22 23",
        "'', /, 20 21 22 23",
    })
    void request_meetsTheLinesOfItsLocation(String host, String path, String lines) {
        assertEquals(lines, met(host, path));
    }

    @Test
    void linesOfTheProcess_areMetByNobody() {
        Meeting meeting = plan.meeting();
        String file = folder.resolve("nginx.conf").toString();
        assertFalse(meeting.isOfRequests(new Place(file, 1)));
        assertTrue(meeting.isOfRequests(new Place(file, 4)));
    }

    @Test
    void account_saysHowManyRequestsHaveMetEachLine() {
        TouchedLines touched = new TouchedLines(plan.account(), plan.meeting());
        for (int i = 0; i < 1_200; i++) {
            touched.add("shop.example:8081", "/api/x?n=" + i);
        }
        touched.add("Shop.Example", "/img/a.png");
        List<String> lines = touched.lines();
        assertTrue(lines.getFirst().startsWith("1,201 requests have met "), lines.getFirst());
        String all = String.join("\n", lines);
        assertTrue(all.contains("    1,201  honoured "), all);
        assertTrue(lines.stream().anyMatch(one -> one.matches(" *1,200 .*:13: proxy_pass.*")), all);
        assertTrue(lines.stream().anyMatch(one -> one.matches(" *1 .*:16: expires.*")), all);
        assertTrue(lines.stream().anyMatch(one -> one.matches(" *0 .*:17: expires.*")), all);
        assertTrue(lines.stream().anyMatch(one -> one.matches(" *– .*:1: worker_.*")), all);
    }

    @Test
    void examples_fallIntoTheSections() {
        List<Meeting.Example> examples = plan.meeting().examples();
        for (String path : List.of("/", "/api/", "/api/slow/", "/img/", "/exact")) {
            assertTrue(
                    examples.contains(new Meeting.Example("shop.example", path)),
                    examples::toString);
        }
        assertEquals(6, examples.size(), examples::toString);
    }

    @Test
    void port_choosesTheServer() throws IOException {
        String text =
                """
                http {
                  server {
                    server_name a;
                    location / { return 200; }
                  }
                  server {
                    listen [::]:443 ssl;
                    server_name a;
                    location /x { return 201; }
                  }
                }
                """;
        Meeting both = NginxFiles.read(Files.writeString(folder.resolve("a.conf"), text)).meeting();
        for (int[] row : new int[][] {{80, 4}, {443, 9}, {8080, 4}}) {
            List<Integer> lines =
                    both.at(row[0]).of("a", "/x").stream().map(Place::line).sorted().toList();
            assertTrue(lines.contains(row[1]), row[0] + " " + lines);
            assertFalse(lines.contains(13 - row[1]), row[0] + " " + lines);
        }
        assertEquals(
                List.of(1, 2),
                List.of(both.at(80).examples().size(), both.at(443).examples().size()));
    }
}
