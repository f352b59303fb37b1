package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.ClientLimits;
import io.margay.compat.httpd.plan.GatewayPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What httpd's files say of the time, size and number of what clients send.
final class ClientLimitsTest {
    @TempDir Path folder;

    private GatewayPlan read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("httpd.conf"), "Listen 8080\n" + text);
        return GatewayFiles.read(List.of(file), Map.of());
    }

    private List<String> said(String text, AccountLine.Verdict verdict) throws IOException {
        return read(text).account().stream()
                .filter(line -> line.verdict() == verdict)
                .map(line -> line.place().line() + " " + line.directive())
                .toList();
    }

    @Test
    void directives_ofTheMainServer_areTheLimits() throws IOException {
        ClientLimits limits =
                read("""
                Timeout 300
                KeepAliveTimeout 65
                MaxKeepAliveRequests 500
                LimitRequestLine 16384
                LimitRequestFieldSize 65536
                LimitRequestFields 200
                RequestReadTimeout header=20-40,MinRate=500 body=30,MinRate=1000
                """)
                        .clients();
        assertEquals(
                new ClientLimits(
                        Duration.ofSeconds(300),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(65),
                        Duration.ofSeconds(30),
                        1000,
                        501,
                        16384,
                        65536,
                        200),
                limits);
    }

    @Test
    void nothing_isSaidWhereTheFilesSayNothing() throws IOException {
        assertEquals(
                new ClientLimits(null, null, null, null, null, null, null, null, null),
                read("").clients());
    }

    @Test
    void hostsThatSayMore_giveItToAll() throws IOException {
        String text =
                """
                Timeout 60
                <VirtualHost *:8080>
                  Timeout 600
                </VirtualHost>
                """;
        assertEquals(Duration.ofSeconds(600), read(text).clients().pause());
        assertEquals(List.of("2 Timeout"), said(text, AccountLine.Verdict.NOTED));
    }

    /// What is closed by a limit would be open.
    @Test
    void sizesThatOnePlaceHas_areWrong() throws IOException {
        assertEquals(
                List.of("4 LimitRequestFields", "5 LimitRequestLine", "6 LimitRequestFieldSize"),
                said(
                                """
                                Listen 8081
                                <VirtualHost *:8080>
                                  LimitRequestFields 20
                                  LimitRequestLine 500
                                  LimitRequestFieldSize 500
                                </VirtualHost>
                                """,
                                AccountLine.Verdict.WRONG)
                        .stream()
                        .sorted()
                        .toList());
    }

    @Test
    void sizes_areThoseOfTheFirstHostAtAPlace() throws IOException {
        String text =
                """
                LimitRequestFieldSize 1024
                <VirtualHost *:8080>
                  LimitRequestLine 500
                </VirtualHost>
                <VirtualHost *:8080>
                  ServerName other.example
                  LimitRequestLine 50000
                  LimitRequestFieldSize 9000
                </VirtualHost>
                """;
        ClientLimits limits = read(text).clients();
        assertEquals(500, limits.lineBytes());
        assertEquals(1024, limits.fieldBytes());
        assertEquals(List.of(), said(text, AccountLine.Verdict.WRONG));
        assertEquals(
                List.of("8 LimitRequestLine", "9 LimitRequestFieldSize"),
                said(text, AccountLine.Verdict.NOTED).stream().sorted().toList());
    }

    @Test
    void timesWithoutEnd_areThoseOfTimeout() throws IOException {
        ClientLimits limits =
                read("Timeout 90\nRequestReadTimeout header=0 body=0\nKeepAliveTimeout 1500ms\n")
                        .clients();
        assertEquals(Duration.ofSeconds(90), limits.head());
        assertEquals(0, limits.bodyRate());
        assertEquals(Duration.ofMillis(1500), limits.idle());
    }
}
