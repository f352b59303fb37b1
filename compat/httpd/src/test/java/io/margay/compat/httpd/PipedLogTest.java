package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.plan.HostPlan.LogPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Logs that httpd writes to a program.
final class PipedLogTest {
    @TempDir Path folder;

    private GatewayPlan read(String log) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        "Listen 8080\nCustomLog " + log + " combined\n");
        return GatewayFiles.read(List.of(file), Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    |/usr/bin/rotatelogs -l /logs/access.%Y%m%d 86400; /logs/access.%Y%m%d
                    ||bin/rotatelogs -L /logs/link -f /logs/a_%H 3600 60; /logs/a_%H
                    |$/usr/sbin/rotatelogs /logs/access_log 86400; /logs/access_log.%Y-%m-%d
                    |rotatelogs /logs/access_log 3600; /logs/access_log.%Y-%m-%d-%H
                    |rotatelogs /logs/access_log 5M; /logs/access_log
                    | /usr/sbin/cronolog -l /logs/link /logs/%Y/access.log; /logs/%Y/access.log
                    """)
    void logs_toProgramsThatRotate_areWrittenWithoutThem(String command, String file)
            throws IOException {
        assertEquals(
                file,
                read("\"" + command + "\"").hosts().getFirst().logs().getFirst().file().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    |rotatelogs /logs/access_log 5M; /logs/access_log; 5242880
                    |rotatelogs -n 4 /logs/access_log 100K; /logs/access_log; 102400
                    |rotatelogs /logs/access_log 86400 1G; /logs/access_log.%Y-%m-%d; 1073741824
                    |rotatelogs /logs/a.%H 3600 512B 60; /logs/a.%H; 512
                    |rotatelogs /logs/access_log 86400; /logs/access_log.%Y-%m-%d; 0
                    """)
    void logs_toRotatelogsBySize_areRotatedBySize(String command, String file, long bytes)
            throws IOException {
        LogPlan log = read("\"" + command + "\"").hosts().getFirst().logs().getFirst();
        assertEquals(file, log.file().toString());
        assertEquals(bytes, log.rotateBytes());
    }

    @Test
    void logs_toOtherPrograms_areNamed() throws IOException {
        GatewayPlan plan = read("\"|/usr/bin/logger -t access\"");
        assertEquals(List.of(), plan.hosts().getFirst().logs());
        assertEquals(
                List.of("CustomLog"),
                plan.failures().stream().map(AccountLine::directive).toList());
    }
}
