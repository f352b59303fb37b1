package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import java.io.IOException;
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
                read.logLevels());
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
    void handlers_areNamedLineByLine_andTheirLevelsAreNotThoseOfLoggers() throws IOException {
        CatalinaBase read =
                read(
                        """
                        handlers = 1catalina.org.apache.juli.AsyncFileHandler, \\
                                   java.util.logging.ConsoleHandler
                        .handlers = com.example.Gelf
                        1catalina.org.apache.juli.AsyncFileHandler.level = FINE
                        1catalina.org.apache.juli.AsyncFileHandler.directory = ${catalina.base}/logs
                        com.example.Gelf.level = FINE
                        config = com.example.Setup
                        """);
        assertEquals(Map.of(), read.logLevels());
        assertEquals(
                List.of(
                        "1 handlers NOTED",
                        "3 .handlers CHANGED",
                        "4 1catalina.org.apache.juli.AsyncFileHandler.level NOTED",
                        "5 1catalina.org.apache.juli.AsyncFileHandler.directory NOTED",
                        "6 com.example.Gelf.level NOTED",
                        "7 config CHANGED"),
                told(read));
        assertEquals(
                2,
                read.plan().account().stream()
                        .filter(AccountLine::isFailure)
                        .filter(line -> line.verdict() == Verdict.CHANGED)
                        .count());
    }
}
