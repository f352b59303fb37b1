package io.margay.compat.tomcat.server;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `conf/logging.properties` says. Immutable.
///
/// @param levels of loggers in words of `java.util.logging`, by their names here; that of all
///   loggers under an empty name
/// @param files the handlers that write files, by their names
/// @param loggers the handlers of loggers, by the names of the loggers here; empty = all records go
///   to stderr
/// @param consoleLevel of what goes to stderr, as `levels`
/// @param simpleFormat of lines of `java.util.logging.SimpleFormatter`; null = the JDK's own
public record LogPlan(
        Map<String, String> levels,
        Map<String, HandlerPlan> files,
        Map<String, LoggerPlan> loggers,
        String consoleLevel,
        @Nullable String simpleFormat) {
    /// That of a base without the file.
    static final LogPlan NONE = new LogPlan(Map.of(), Map.of(), Map.of(), "INFO", null);

    public LogPlan {
        levels = Map.copyOf(levels);
        files = Map.copyOf(files);
        loggers = Map.copyOf(loggers);
    }

    /// Where the records of a logger go.
    ///
    /// @param files names of handlers
    /// @param console whether they go to stderr, too
    /// @param parents whether they go to the handlers of the logger above it, too
    public record LoggerPlan(List<String> files, boolean console, boolean parents) {
        public LoggerPlan {
            files = List.copyOf(files);
        }
    }

    /// How a record becomes a line.
    public sealed interface Lines {
        /// Those of `org.apache.juli.OneLineFormatter`.
        record One(DateTimeFormatter time) implements Lines {}

        /// Those of `org.apache.juli.VerbatimFormatter`: the message alone.
        record Verbatim() implements Lines {}

        /// Those of `java.util.logging.SimpleFormatter`.
        record Simple() implements Lines {}

        /// Those of `java.util.logging.XMLFormatter`.
        record Xml() implements Lines {}
    }

    /// A handler that writes files.
    public sealed interface HandlerPlan {}

    /// One of juli's, `org.apache.juli.FileHandler` or `AsyncFileHandler`.
    ///
    /// @param daily whether each day has a file of its own, with the date between prefix and suffix
    /// @param daysMax files of days longer ago are deleted; below 0 = none is
    @RecordBuilder
    public record FilePlan(
            Path folder,
            String prefix,
            String suffix,
            boolean daily,
            int daysMax,
            String level,
            Charset charset,
            Lines lines)
            implements HandlerPlan {}

    /// One of the JDK's, `java.util.logging.FileHandler`.
    ///
    /// @param pattern of the names of files, as that class describes it
    /// @param bytesMax after which another file is begun; 0 = never
    /// @param count how many files there are at most
    /// @param append whether a file that is there is written on
    public record RotatingPlan(
            String pattern,
            long bytesMax,
            int count,
            boolean append,
            String level,
            Charset charset,
            Lines lines)
            implements HandlerPlan {}
}
