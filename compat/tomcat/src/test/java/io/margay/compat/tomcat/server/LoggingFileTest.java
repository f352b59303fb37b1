package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.margay.compat.account.AccountLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoggingFileTest {
    @TempDir Path base;

    private CatalinaBase read(String text) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), "<Server/>");
        Files.writeString(base.resolve("conf/logging.properties"), text);
        return CatalinaBase.read(base, Map.of());
    }

    private static List<String> told(CatalinaBase base) {
        return base.plan().account().stream()
                .filter(line -> line.place().file().endsWith("logging.properties"))
                .map(line ->
                        line.place().line() + " " + line.directive() + " " + line.verdict().name())
                .toList();
    }

    @Test
    void fileOfAnApplication_isReadAlike_butForWhatIsTheServers() throws IOException {
        Path file =
                Files.writeString(
                        base.resolve("own.properties"),
                        """
                        handlers = org.apache.juli.FileHandler, com.example.Own
                        org.apache.juli.FileHandler.prefix = ${who}.
                        java.util.logging.SimpleFormatter.format = %5$s
                        shop.level = FINE
                        """);
        ApplicationLog read =
                ApplicationLog.read(file, "shown", base, value -> value.replace("${who}", "shop"));
        assertEquals(Map.of("shop", "FINE"), read.plan().levels());
        assertEquals(
                "shop.",
                assertInstanceOf(
                                LogPlan.FilePlan.class,
                                read.plan().files().get("org.apache.juli.FileHandler"))
                        .prefix());
        assertEquals(
                List.of(
                        "shown:1: handlers: com.example.Own is not asked: records go to stderr",
                        "shown:3: java.util.logging.SimpleFormatter.format: is that of the server"
                                + " for all applications"),
                read.account().stream()
                        .filter(AccountLine::isFailure)
                        .map(AccountLine::toString)
                        .toList());
    }

    @Test
    void levels_ofLoggers_holdUnderTheirNamesHere() throws IOException {
        CatalinaBase read =
                read(
                        """
                        # a comment that ends with a backslash \\
                        .level = WARNING
                        com.example.shop.level=FINE
                        org.apache.catalina.core.ContainerBase.[Catalina].[localhost].level = INFO
                        org.apache.catalina.core.ContainerBase.[Catalina].[b].[/shop].level\\
                            = ALL
                        org.apache.catalina.core.ContainerBase.[Catalina].[b].[/].level = OFF
                        org.apache.catalina.session.level = FINE
                        com.example.odd.level = LOUD
                        """);
        assertEquals(
                Map.of(
                        "", "WARNING",
                        "com.example.shop", "FINE",
                        "margay.app", "INFO",
                        "margay.app.shop", "ALL",
                        "margay.app.root", "OFF"),
                read.log().levels());
        String of = "org.apache.catalina.core.ContainerBase.[Catalina].";
        assertEquals(
                List.of(
                        "2 .level HONOURED",
                        "3 com.example.shop.level HONOURED",
                        "4 " + of + "[localhost].level HONOURED",
                        "5 " + of + "[b].[/shop].level HONOURED",
                        "7 " + of + "[b].[/].level HONOURED",
                        "8 org.apache.catalina.session.level NOTED",
                        "9 com.example.odd.level NOTED"),
                told(read));
    }

    @Test
    void handlers_ofLoggers_areFilesWithTheNamesThatTheyHad() throws IOException {
        CatalinaBase read =
                read(
                        """
                        handlers = 1catalina.org.apache.juli.AsyncFileHandler, \\
                                   2shop.org.apache.juli.FileHandler
                        .handlers = 1catalina.org.apache.juli.AsyncFileHandler
                        1catalina.org.apache.juli.AsyncFileHandler.level = FINE
                        1catalina.org.apache.juli.AsyncFileHandler.directory = ${catalina.base}/log
                        1catalina.org.apache.juli.AsyncFileHandler.prefix = catalina.
                        1catalina.org.apache.juli.AsyncFileHandler.maxDays = 90
                        1catalina.org.apache.juli.AsyncFileHandler.bufferSize = 16384
                        2shop.org.apache.juli.FileHandler.rotatable = false
                        2shop.org.apache.juli.FileHandler.prefix = shop
                        2shop.org.apache.juli.FileHandler.suffix = .txt
                        2shop.org.apache.juli.FileHandler.encoding = ISO-8859-1
                        2shop.org.apache.juli.FileHandler.formatter = \
                        org.apache.juli.VerbatimFormatter
                        com.example.handlers = 2shop.org.apache.juli.FileHandler
                        com.example.useParentHandlers = true
                        org.apache.catalina.core.ContainerBase.[Catalina].[a].[/shop].handlers = \\
                            2shop.org.apache.juli.FileHandler
                        """);
        Path folder = base.toAbsolutePath().normalize();
        LogPlan log = read.log();
        LogPlan.FilePlan catalina = juli(log, "1catalina.org.apache.juli.AsyncFileHandler");
        assertEquals(folder.resolve("log"), catalina.folder());
        assertEquals(
                List.of("catalina.", ".log", true, 90, "FINE", StandardCharsets.UTF_8),
                values(catalina));
        LogPlan.FilePlan shop = juli(log, "2shop.org.apache.juli.FileHandler");
        assertEquals(folder.resolve("logs"), shop.folder());
        assertEquals(
                List.of("shop", ".txt", false, -1, "ALL", StandardCharsets.ISO_8859_1),
                values(shop));
        assertEquals(new LogPlan.Lines.Verbatim(), shop.lines());
        List<String> second = List.of("2shop.org.apache.juli.FileHandler");
        assertEquals(
                Map.of(
                        "",
                        new LogPlan.LoggerPlan(
                                List.of("1catalina.org.apache.juli.AsyncFileHandler"),
                                false,
                                false),
                        "com.example",
                        new LogPlan.LoggerPlan(second, false, true),
                        "margay.app.shop",
                        new LogPlan.LoggerPlan(second, false, false)),
                log.loggers());
        assertEquals(
                List.of("8 1catalina.org.apache.juli.AsyncFileHandler.bufferSize NOTED"),
                told(read).stream().filter(line -> !line.endsWith("HONOURED")).toList());
    }

    private static LogPlan.FilePlan juli(LogPlan log, String name) {
        return assertInstanceOf(LogPlan.FilePlan.class, log.files().get(name));
    }

    @Test
    void fileHandler_ofTheJdk_isHonoured() throws IOException {
        CatalinaBase read =
                read(
                        """
                        handlers = java.util.logging.FileHandler, 2x.java.util.logging.FileHandler
                        java.util.logging.FileHandler.pattern = ${catalina.base}/logs/app%g.log
                        java.util.logging.FileHandler.limit = 1000000
                        java.util.logging.FileHandler.count = 5
                        java.util.logging.FileHandler.append = true
                        java.util.logging.FileHandler.level = FINE
                        java.util.logging.FileHandler.encoding = ISO-8859-1
                        java.util.logging.FileHandler.formatter = java.util.logging.SimpleFormatter
                        2x.java.util.logging.FileHandler.limit = -1
                        2x.java.util.logging.FileHandler.count = 0
                        2x.java.util.logging.FileHandler.maxLocks = 3
                        2x.java.util.logging.FileHandler.directory = logs
                        """);
        LogPlan log = read.log();
        assertEquals(
                Map.of(
                        "java.util.logging.FileHandler",
                        new LogPlan.RotatingPlan(
                                base.toAbsolutePath().normalize() + "/logs/app%g.log",
                                1_000_000,
                                5,
                                true,
                                "FINE",
                                StandardCharsets.ISO_8859_1,
                                new LogPlan.Lines.Simple()),
                        "2x.java.util.logging.FileHandler",
                        new LogPlan.RotatingPlan(
                                "%h/java%u.log",
                                0,
                                1,
                                false,
                                "ALL",
                                StandardCharsets.UTF_8,
                                new LogPlan.Lines.Xml())),
                log.files());
        assertEquals(
                List.of(
                        "9 2x.java.util.logging.FileHandler.limit CHANGED",
                        "10 2x.java.util.logging.FileHandler.count CHANGED",
                        "11 2x.java.util.logging.FileHandler.maxLocks NOTED",
                        "12 2x.java.util.logging.FileHandler.directory NOTED"),
                told(read).stream().filter(line -> !line.endsWith("HONOURED")).toList());
    }

    private static List<Object> values(LogPlan.FilePlan file) {
        return List.of(
                file.prefix(),
                file.suffix(),
                file.daily(),
                file.daysMax(),
                file.level(),
                file.charset());
    }

    @Test
    void handlersAndProperties_thatAreNotHonoured_areNamedLineByLine() throws IOException {
        CatalinaBase read =
                read(
                        """
                        handlers = 1a.org.apache.juli.FileHandler, \\
                                   java.util.logging.ConsoleHandler, com.example.Gelf
                        java.util.logging.ConsoleHandler.level = FINE
                        java.util.logging.ConsoleHandler.formatter = \
                        org.apache.juli.SystemdFormatter
                        1a.org.apache.juli.FileHandler.level = LOUD
                        1a.org.apache.juli.FileHandler.maxDays = many
                        1a.org.apache.juli.FileHandler.encoding = no such
                        1a.org.apache.juli.FileHandler.formatter = com.example.Lines
                        1a.org.apache.juli.FileHandler.filter = com.example.Filter
                        com.example.Gelf.level = FINE
                        org.apache.catalina.core.ContainerBase.[C].[a].handlers = \\
                            1a.org.apache.juli.FileHandler
                        org.apache.catalina.core.ContainerBase.[C].[b].handlers = \\
                            1a.org.apache.juli.FileHandler
                        com.example.handlers = 9x.org.apache.juli.FileHandler
                        org.apache.juli.OneLineFormatter.timeFormat = {
                        config = com.example.Setup
                        """);
        assertEquals("FINE", read.log().consoleLevel());
        List<String> one = List.of("1a.org.apache.juli.FileHandler");
        assertEquals(
                Map.of(
                        "", new LogPlan.LoggerPlan(one, true, false),
                        "margay.app", new LogPlan.LoggerPlan(one, false, false)),
                read.log().loggers());
        assertEquals(
                List.of(
                        "1 handlers CHANGED",
                        "3 java.util.logging.ConsoleHandler.level HONOURED",
                        "4 java.util.logging.ConsoleHandler.formatter NOTED",
                        "5 1a.org.apache.juli.FileHandler.level CHANGED",
                        "6 1a.org.apache.juli.FileHandler.maxDays CHANGED",
                        "7 1a.org.apache.juli.FileHandler.encoding CHANGED",
                        "8 1a.org.apache.juli.FileHandler.formatter CHANGED",
                        "9 1a.org.apache.juli.FileHandler.filter CHANGED",
                        "10 com.example.Gelf.level NOTED",
                        "11 org.apache.catalina.core.ContainerBase.[C].[a].handlers HONOURED",
                        "13 org.apache.catalina.core.ContainerBase.[C].[b].handlers CHANGED",
                        "15 com.example.handlers NOTED",
                        "16 org.apache.juli.OneLineFormatter.timeFormat CHANGED",
                        "17 config CHANGED"),
                told(read));
    }
}
