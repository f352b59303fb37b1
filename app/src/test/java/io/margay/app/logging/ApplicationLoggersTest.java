package io.margay.app.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.server.ApplicationLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loggers as an application's own file has them; which application a thread is of needs a process
/// (`ApplicationLogsIT`).
final class ApplicationLoggersTest {
    private static final String FILES =
            """
            handlers = 1one.org.apache.juli.FileHandler, 2two.org.apache.juli.FileHandler,\
             java.util.logging.ConsoleHandler
            .handlers = 1one.org.apache.juli.FileHandler, java.util.logging.ConsoleHandler
            1one.org.apache.juli.FileHandler.prefix = one
            1one.org.apache.juli.FileHandler.rotatable = false
            2two.org.apache.juli.FileHandler.prefix = ${app}
            2two.org.apache.juli.FileHandler.rotatable = false
            """;

    @TempDir Path base;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private ApplicationLoggers loggers;

    /// Writes the level and the message.
    private static final class Plain extends Formatter {
        @Override
        public String format(LogRecord record) {
            return record.getLevel() + " " + formatMessage(record) + "\n";
        }
    }

    private void loggers(String text) throws IOException {
        Path file = Files.writeString(base.resolve("logging.properties"), text);
        ApplicationLog read =
                ApplicationLog.read(file, "shown", base, value -> value.replace("${app}", "two"));
        loggers =
                new ApplicationLoggers(
                        read.plan(),
                        new ToStream(
                                new PrintStream(written, true, StandardCharsets.UTF_8),
                                new Plain(),
                                Level.WARNING));
    }

    @AfterEach
    void end() {
        loggers.end(null);
    }

    /// What `Logger.getLogger` does.
    private Logger logger(String name) {
        Logger known = loggers.get(name);
        if (known != null) {
            return known;
        }
        Logger made = new Logger(name, null) {};
        assertTrue(loggers.add(made));
        assertFalse(loggers.add(new Logger(name, null) {}));
        return made;
    }

    private String console() {
        return written.toString(StandardCharsets.UTF_8);
    }

    /// The messages in a file.
    private List<String> file(String name) throws IOException {
        Path file = base.resolve("logs").resolve(name);
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                        .toList()
                : List.of();
    }

    @Test
    void records_goToTheHandlersOfTheirLoggers_orOfThoseAbove() throws IOException {
        loggers(
                FILES
                        + """
                        shop.level = FINE
                        shop.orders.handlers = 2two.org.apache.juli.FileHandler
                        shop.both.handlers = 2two.org.apache.juli.FileHandler
                        shop.both.useParentHandlers = true
                        """);
        logger("shop.Cart").fine("cart");
        logger("shop.Cart").finer("no");
        logger("shop.orders.Order").info("order");
        logger("shop.both.One").info("both");
        logger("other").fine("no");
        logger("other").info("other");
        assertEquals(List.of("cart", "both", "other"), file("one.log"));
        assertEquals(List.of("order", "both"), file("two.log"));
        assertEquals("INFO both\nINFO other\n", console(), "the console has INFO and above");
    }

    @Test
    void consoleHandler_hasItsOwnLevel_notThatOfTheServer() throws IOException {
        loggers(
                """
                handlers = java.util.logging.ConsoleHandler
                .level = ALL
                java.util.logging.ConsoleHandler.level = FINER
                """);
        logger("a.b").finer("fine");
        logger("a.b").finest("no");
        assertEquals("FINER fine\n", console());
    }

    @Test
    void logger_thatIsMadeLater_isPutBetweenThoseAboveAndBelow() throws IOException {
        loggers(FILES);
        Logger below = logger("a.b.c");
        Logger beside = logger("a.bc");
        assertEquals("", below.getParent().getName());
        Logger between = logger("a.b");
        assertSame(between, below.getParent());
        Logger above = logger("a");
        assertSame(between, below.getParent());
        assertSame(above, between.getParent());
        assertSame(above, beside.getParent());
        assertSame(loggers.get(""), above.getParent());
        assertTrue(loggers.names().containsAll(List.of("", "a", "a.b", "a.b.c", "a.bc")));
    }

    @Test
    void withoutHandlers_nothingIsWritten_asInTomcat() throws IOException {
        loggers(".level = FINE");
        logger("a").warning("no");
        assertEquals("", console());
        assertTrue(logger("a").isLoggable(Level.FINE));
    }

    @Test
    void whatIsLogged_afterTheEnd_goesWhereTheServersRecordsGo() throws IOException {
        loggers(FILES + "a.handlers = 2two.org.apache.juli.FileHandler\n");
        Logger logger = logger("a.b");
        Logger server = new Logger("server", null) {};
        ByteArrayOutputStream later = new ByteArrayOutputStream();
        server.addHandler(
                new ToStream(
                        new PrintStream(later, true, StandardCharsets.UTF_8),
                        new Plain(),
                        Level.ALL));
        loggers.end(server);
        logger.info("late");
        assertEquals("INFO late\n", later.toString(StandardCharsets.UTF_8));
        assertEquals(List.of(), file("one.log"));
        assertEquals(List.of(), file("two.log"));
    }

    @Test
    void logger_thatNobodyHolds_isForgotten_unlessTheFileNamesIt() throws IOException {
        loggers(FILES + "kept.level = FINE\n");
        for (int i = 0; i < 1_000; i++) {
            assertTrue(loggers.add(new Logger("x." + i, null) {}));
        }
        for (int i = 0; i < 50 && loggers.names().size() > 100; i++) {
            System.gc();
        }
        assertTrue(loggers.names().size() <= 100, loggers.names()::toString);
        assertEquals(Level.FINE, logger("kept").getLevel());
        assertNull(loggers.get("x.0"));
    }
}
