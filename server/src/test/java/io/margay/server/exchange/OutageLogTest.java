package io.margay.server.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OutageLogTest {
    private static final String NAME = "io.margay.test.outage";

    private final AtomicLong now = new AtomicLong();
    private final OutageLog outage =
            new OutageLog(System.getLogger(NAME), "the directory", now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void outage_isToldOnce_andItsEndOnce() {
        try (LoggedLines lines = LoggedLines.of(NAME)) {
            outage.answered();
            for (int i = 0; i < 100; i++) {
                outage.failed(new IOException("refused"));
                pass(Duration.ofSeconds(10));
            }
            outage.answered();
            outage.answered();
            assertEquals(1, lines.count("WARNING the directory cannot be asked"), lines::toString);
            assertEquals(1, lines.count("INFO the directory answers again, after 1,000 s"));
            assertEquals(1, lines.count("INFO"));
            outage.failed(new IOException("again"));
            assertEquals(2, lines.count("WARNING"));
        }
    }

    /// A client can make a login module fail for one name, and succeed for another.
    @Test
    void outages_thatAlternate_areToldSeldom() {
        try (LoggedLines lines = LoggedLines.of(NAME)) {
            for (int i = 0; i < 1000; i++) {
                outage.failed(new IOException("refused"));
                outage.answered();
                pass(Duration.ofMillis(10));
            }
            assertEquals(1, lines.count("WARNING"), lines::toString);
            assertEquals(1, lines.count("INFO"));
        }
    }
}
