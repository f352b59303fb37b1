package io.margay.app.shadow;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.yaml.Amounts;
import io.margay.gateway.mirror.Shadow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How a command compares two servers, and where it reports. Immutable.
final class CompareOptions {
    /// What is compared, for the helps.
    static final String COMPARED =
            Command.paragraph(
                    """
                    Clients get what OLD answers. GET and HEAD requests without content go to NEW as
                    well, and both answers are compared: status, fields, cookies without their
                    values, HTML as a tree, JSON as values, other content as bytes. Where they
                    differ, OLD gets the request again; places in which its own two answers differ
                    do not count.
                    """);

    /// What is not compared, for the helps.
    static final String SESSIONS =
            Command.paragraph(
                    """
                    Each server has its own sessions: NEW gets the cookies that it has set itself in
                    place of OLD's. A session that has sent a form, which only OLD gets, is no
                    longer compared.
                    """);

    private static final String SAMPLE = "--sample";
    private static final String LOAD = "--load";
    private static final String SHARE = "--share";
    private static final String REPORT = "--report";
    private static final String IGNORE = "--ignore";
    private static final String INCLUDE = "--include";
    private static final String CREDENTIALS = "--credentials";
    private static final String RECORD = "--record";
    private static final String QUERIES = "--record-queries";

    static final List<Option> OPTIONS =
            List.of(
                    Option.of(REPORT, "FILE", "Writes the report as one page of HTML, too."),
                    Option.of(
                            SHARE,
                            "PERCENT",
                            "How many of the GET and HEAD requests NEW gets, as in 10%. Default:"
                                    + " 100%."),
                    Option.of(
                            SAMPLE,
                            "PERCENT",
                            "How many of these OLD gets a second time, besides those whose answers"
                                    + " differ. Default: 5%."),
                    Option.of(
                            LOAD,
                            "PERCENT",
                            "How busy the processors of this machine may be: above it few requests"
                                    + " are compared, so that clients do not wait. Default: 75%; of"
                                    + " a dry run 100%, always all."),
                    Option.many(
                            IGNORE,
                            "FIELD",
                            "A field of answers that is not compared, as in Last-Modified. Date,"
                                    + " Server, ETag and similar ones never are."),
                    Option.many(
                            INCLUDE,
                            "FIELD",
                            "A field that is compared although it is not by default, such as"
                                    + " ETag."),
                    Option.flag(
                            CREDENTIALS,
                            "NEW gets Authorization, too. Otherwise requests with Authorization are"
                                    + " not compared."),
                    Option.of(
                            RECORD,
                            "FILE",
                            "Writes requests into a trace, which \"margay lab run mine --trace"
                                    + " FILE\" sends again: no content, cookies or credentials,"
                                    + " and of queries the names."),
                    Option.flag(
                            QUERIES,
                            "Values of queries are written, too, but for those that are named as"
                                    + " secrets."));

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3})?%");
    private static final double ALL = 100;

    private final String mirror;
    private final @Nullable Path trace;
    private final @Nullable Path report;

    CompareOptions(Arguments arguments) throws UsageException {
        this(arguments, null, "75%");
    }

    /// @param record a file into which requests are written, unless the command line names one
    /// @param load unless the command line says it
    CompareOptions(Arguments arguments, @Nullable Path record, String load) throws UsageException {
        trace = arguments.value(RECORD).map(Path::of).orElse(record);
        mirror =
                ("to: new, methods: [GET, HEAD], share: %s, credentials: %s,"
                                + " compare: {sample: %s, load: %s, ignore: [%s], include: [%s]%s}")
                        .formatted(
                                percent(arguments, SHARE, "100%"),
                                arguments.has(CREDENTIALS),
                                percent(arguments, SAMPLE, "5%"),
                                percent(arguments, LOAD, load),
                                names(arguments, IGNORE),
                                names(arguments, INCLUDE),
                                record(arguments, trace));
        report = arguments.value(REPORT, Path::of).orElse(null);
        Path folder = report == null ? null : report.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new UsageException("there is no folder " + folder + " for the report");
        }
    }

    private static String percent(Arguments arguments, String option, String otherwise)
            throws UsageException {
        String text = arguments.value(option).orElse(otherwise);
        if (!PERCENT.matcher(text).matches()
                || Double.parseDouble(text.substring(0, text.length() - 1)) > ALL) {
            throw new UsageException(option + " \"" + text + "\" is not valid: write it as in 10%");
        }
        return text;
    }

    /// Where requests are written; null = nowhere.
    @Nullable Path trace() {
        return trace;
    }

    private static String record(Arguments arguments, @Nullable Path trace) throws UsageException {
        if (arguments.has(QUERIES) && !arguments.has(RECORD)) {
            throw new UsageException(QUERIES + " belongs to " + RECORD);
        }
        String file = trace == null ? "" : trace.toAbsolutePath().toString();
        if (file.isEmpty()) {
            return "";
        }
        if (file.matches(".*[\"\\\\\\p{Cntrl}].*")) {
            throw new UsageException(RECORD + " \"" + file + "\" has characters it cannot have");
        }
        return ", record: \"%s\", record-queries: %s".formatted(file, arguments.has(QUERIES));
    }

    private static String names(Arguments arguments, String option) throws UsageException {
        StringBuilder names = new StringBuilder();
        for (String name : arguments.all(option)) {
            if (!NAME.matcher(name).matches()) {
                throw new UsageException(option + " \"" + name + "\" is not a name of a field");
            }
            names.append(names.isEmpty() ? "\"" : ", \"").append(name).append('"');
        }
        return names.toString();
    }

    /// A time of the command line.
    static Optional<Duration> time(Arguments arguments, String option) throws UsageException {
        return arguments.value(
                option,
                text -> {
                    try {
                        return Amounts.duration(text);
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException(
                                "write a number and its unit, as in 30m", e);
                    }
                });
    }

    /// Keys of a route that compares.
    String route() {
        return "gateway: old, mirror: {" + mirror + "}";
    }

    /// Writes the page, if it is asked for.
    void write(Shadow shadow, String title, List<Shadow.Chapter> chapters) throws IOException {
        Path file = report;
        if (file != null) {
            // Half a character, which a server may send, becomes a question mark.
            Files.write(file, shadow.page(title, chapters).getBytes(StandardCharsets.UTF_8));
        }
    }
}
