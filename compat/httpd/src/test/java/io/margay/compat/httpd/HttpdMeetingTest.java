package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.plan.GatewayPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests meet the lines of the sections that they fall into, and those that name their path.
final class HttpdMeetingTest {
    private static final String CONF =
            """
            Listen 8081
            DocumentRoot /srv/www
            <VirtualHost *:8081>
              ServerName shop.example
              ServerAlias *.shop.example
              ProxyPass /api http://127.0.0.1:9000/api
              Redirect permanent /old /new
              RewriteRule ^/go/(.*)$ /$1 [R]
              <Location /api/slow>
                Header set X-Slow 1
              </Location>
              <LocationMatch "\\.png$">
                Header set X-Image 1
              </LocationMatch>
              <Directory /srv/www/docs>
                Header set X-Docs 1
              </Directory>
              <FilesMatch "^a\\.html$">
                Header set X-A 1
              </FilesMatch>
            </VirtualHost>
            <VirtualHost *:8081>
              ServerName other.example
              <IfModule !mod_none.c>
                ProxyPass / http://127.0.0.1:9001/
              </IfModule>
            </VirtualHost>
            """;

    @TempDir Path folder;

    private GatewayPlan plan;

    @BeforeEach
    void read() throws IOException {
        Path file = Files.writeString(folder.resolve("httpd.conf"), CONF);
        plan = GatewayFiles.read(List.of(file), Map.of());
    }

    private String met(String host, String path) {
        return plan.meeting().of(host, path).stream()
                .map(Place::line)
                .filter(line -> line > 5)
                .sorted()
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example, /, ''",
        "shop.example, /api, 6",
        "shop.example, /apis, ''",
        "www.shop.example, /api/slow/x, 6 9 10",
        "shop.example, /old/x, 7",
        "shop.example, /go/x, 8",
        "shop.example, /a.png, 12 13",
        "shop.example, /docs/a.html, 15 16 18 19",
        "unknown.example, /api, 6",
    })
    void request_meetsTheLinesOfItsSections(String host, String path, String lines) {
        assertEquals(lines, met(host, path));
    }

    @Test
    void hosts_areToldApart_andConditionsOfTheProcessAreNone() {
        String lines = met("other.example", "/api");
        assertTrue(lines.startsWith("22 23"), lines);
        assertTrue(lines.endsWith("25"), lines);
        assertFalse(lines.contains(" 6 "), lines);
        assertFalse(
                plan.meeting().isOfRequests(new Place(folder.resolve("httpd.conf").toString(), 1)));
        List<Meeting.Example> examples = plan.meeting().examples();
        assertTrue(examples.contains(new Meeting.Example("shop.example", "/api/slow")));
        assertTrue(examples.contains(new Meeting.Example("other.example", "/")));
    }
}
