package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.server.LogPlan.HandlerPlan;
import io.margay.compat.tomcat.server.LogPlan.Lines;
import io.margay.compat.tomcat.server.LogPlan.RotatingPlan;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;

/// Reads the properties of one handler that writes files: `org.apache.juli.FileHandler`,
/// `AsyncFileHandler` or the JDK's own. Confined to one reading.
final class LogFileReader {
    private static final String ONE_LINE = "org.apache.juli.OneLineFormatter";

    private static final String XML = "java.util.logging.XMLFormatter";

    private static final Outcome HONOURED =
            Outcome.honoured("of the file, from the start of \"margay tomcat\"");
    private static final Outcome UNKNOWN =
            new Outcome(Verdict.NOTED, "not a property of this handler");

    private final Path base;
    private final boolean jdk;
    private String directory = "logs";
    private String prefix = "juli.";
    private String suffix = ".log";
    private boolean daily = true;
    private int daysMax = -1;
    private String level = "ALL";
    private Charset charset = StandardCharsets.UTF_8;
    private String formatter;
    private String pattern = "%h/java%u.log";
    private long bytesMax;
    private int count = 1;
    private boolean append;

    /// @param jdk whether the handler is the JDK's
    LogFileReader(Path base, boolean jdk) {
        this.base = base;
        this.jdk = jdk;
        formatter = jdk ? XML : ONE_LINE;
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
        return switch (name) {
            case "level", "encoding", "formatter", "filter" -> takeCommon(name, value);
            default -> jdk ? takeOfJdk(name, value) : takeOfJuli(name, value);
        };
    }

    private Outcome takeCommon(String name, String value) {
        switch (name) {
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
            default -> {
                return Outcome.changed("filters are not asked: every record is written");
            }
        }
        return HONOURED;
    }

    private Outcome takeOfJuli(String name, String value) {
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
            case "bufferSize" -> {
                return new Outcome(Verdict.NOTED, "each record is written at once");
            }
            default -> {
                return UNKNOWN;
            }
        }
        return HONOURED;
    }

    private Outcome takeOfJdk(String name, String value) {
        switch (name) {
            case "pattern" -> {
                if (value.isEmpty()) {
                    return Outcome.changed("no name: the file is " + pattern);
                }
                pattern = value;
            }
            case "limit" -> {
                if (!value.matches("\\d{1,18}")) {
                    return Outcome.changed("no number: the file grows without end");
                }
                bytesMax = Long.parseLong(value);
            }
            case "count" -> {
                if (!value.matches("[1-9]\\d{0,5}")) {
                    return Outcome.changed("not a number above 0: there is one file");
                }
                count = Integer.parseInt(value);
            }
            case "append" -> append = Boolean.parseBoolean(value);
            case "maxLocks" -> {
                return new Outcome(Verdict.NOTED, "100 names are tried for a file");
            }
            default -> {
                return UNKNOWN;
            }
        }
        return HONOURED;
    }

    private Outcome formatter(String name) {
        formatter = name;
        return switch (name) {
            case ONE_LINE, "org.apache.juli.VerbatimFormatter" ->
                    Outcome.honoured("lines as Tomcat writes them");
            case "java.util.logging.SimpleFormatter", XML ->
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
    HandlerPlan plan(DateTimeFormatter time) {
        Lines lines =
                switch (formatter) {
                    case "org.apache.juli.VerbatimFormatter" -> new Lines.Verbatim();
                    case "java.util.logging.SimpleFormatter" -> new Lines.Simple();
                    case XML -> new Lines.Xml();
                    default -> new Lines.One(time);
                };
        if (jdk) {
            return new RotatingPlan(pattern, bytesMax, count, append, level, charset, lines);
        }
        return LogPlanFilePlanBuilder.builder()
                .folder(base.resolve(directory).normalize())
                .prefix(prefix)
                .suffix(suffix)
                .daily(daily)
                .daysMax(daysMax)
                .level(level)
                .charset(charset)
                .lines(lines)
                .build();
    }
}
