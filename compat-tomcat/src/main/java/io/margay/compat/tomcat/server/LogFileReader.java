package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.server.LogPlan.FilePlan;
import io.margay.compat.tomcat.server.LogPlan.Lines;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;

/// Reads the properties of one handler that writes a file, `org.apache.juli.FileHandler` or
/// `AsyncFileHandler`. Confined to one reading.
final class LogFileReader {
    private static final String ONE_LINE = "org.apache.juli.OneLineFormatter";

    private final Path base;
    private String directory = "logs";
    private String prefix = "juli.";
    private String suffix = ".log";
    private boolean daily = true;
    private int daysMax = -1;
    private String level = "ALL";
    private Charset charset = StandardCharsets.UTF_8;
    private String formatter = ONE_LINE;

    LogFileReader(Path base) {
        this.base = base;
    }

    /// What becomes of a property.
    record Outcome(Verdict verdict, String text) {
        static Outcome honoured(String text) {
            return new Outcome(Verdict.HONOURED, text);
        }

        static Outcome changed(String text) {
            return new Outcome(Verdict.CHANGED, text);
        }
    }

    /// Takes a property.
    ///
    /// @param name without that of the handler
    Outcome take(String name, String value) {
        switch (name) {
            case "directory" -> directory = value;
            case "prefix" -> prefix = value;
            case "suffix" -> suffix = value;
            case "rotatable" -> daily = Boolean.parseBoolean(value);
            case "maxDays" -> {
                if (!value.matches("-?\\d{1,6}")) {
                    return Outcome.changed("no number: no file is deleted");
                }
                daysMax = Integer.parseInt(value);
            }
            case "level" -> {
                if (!LoggingFile.isLevel(value)) {
                    return Outcome.changed("no level: every record is written");
                }
                level = value;
            }
            case "encoding" -> {
                if (!isCharset(value)) {
                    return Outcome.changed("no encoding: the file is in UTF-8");
                }
                charset = Charset.forName(value);
            }
            case "formatter" -> {
                return formatter(value);
            }
            case "bufferSize" -> {
                return new Outcome(Verdict.NOTED, "each record is written at once");
            }
            case "filter" -> {
                return Outcome.changed("filters are not asked: every record is written");
            }
            default -> {
                return new Outcome(Verdict.NOTED, "not a property of this handler");
            }
        }
        return Outcome.honoured("of the file, from the start of \"margay tomcat\"");
    }

    private Outcome formatter(String name) {
        formatter = name;
        return switch (name) {
            case ONE_LINE, "org.apache.juli.VerbatimFormatter" ->
                    Outcome.honoured("lines as Tomcat writes them");
            case "java.util.logging.SimpleFormatter", "java.util.logging.XMLFormatter" ->
                    Outcome.honoured("lines as the JDK writes them");
            default -> Outcome.changed(name + " is not known: lines are those of " + ONE_LINE);
        };
    }

    private static boolean isCharset(String name) {
        try {
            return Charset.isSupported(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// The file that is written.
    ///
    /// @param time how lines of Tomcat's show the time
    FilePlan plan(DateTimeFormatter time) {
        Lines lines =
                switch (formatter) {
                    case "org.apache.juli.VerbatimFormatter" -> new Lines.Verbatim();
                    case "java.util.logging.SimpleFormatter" -> new Lines.Simple();
                    case "java.util.logging.XMLFormatter" -> new Lines.Xml();
                    default -> new Lines.One(time);
                };
        return new FilePlan(
                base.resolve(directory).normalize(),
                prefix,
                suffix,
                daily,
                daysMax,
                level,
                charset,
                lines);
    }
}
