package io.margay.app;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.yaml.Nearest;
import io.margay.lab.Lab;
import io.margay.lab.LabException;
import io.margay.lab.LabOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `margay lab`: measures servers side by side.
final class LabCommand {
    private static final List<String> VERBS =
            List.of("list", "run", "compare", "report", "publish");

    static final Command COMMAND =
            new Command(
                    "lab",
                    "measures servers side by side",
                    "ACTION [NAME...]",
                    List.of(
                            Command.paragraph(
                                    """
                                    "list" prints the presets, and which servers can run here. "run
                                    PRESET..." starts the servers of a preset, loads them in turn,
                                    and prints CPU time per request, requests per second, latency
                                    and memory with verdicts; it writes result.json and
                                    report.html. "compare A.json B.json" sets two results side by
                                    side. "report A.json" draws one again. "publish DIR RUN..."
                                    copies runs without machine paths to a folder, with an index.
                                    """),
                            Command.paragraph(
                                    """
                                    A server is KIND or KIND:VARIANT; FRONT/BACK is a front end
                                    with a server behind it, BACK*2 two of them. The preset "mine"
                                    measures your own application: --app, --path. Ctrl-C keeps what
                                    was measured and stops every server.
                                    """)),
                    List.of(
                            Option.flag("--quick", "A rough answer within two minutes."),
                            Option.of(
                                    "--minutes",
                                    "N",
                                    "Fits all of it into so many minutes: as many and as long"
                                            + " rounds as they allow."),
                            Option.of(
                                    "--servers",
                                    "A,B,...",
                                    "These instead of the preset's; ratios refer to the preset's"
                                            + " reference or, without it, to the first."),
                            Option.of("--scenarios", "A,B,...", "Only these of the preset."),
                            Option.of(
                                    "--before",
                                    "COMMIT",
                                    "A commit, or the folder of another checkout, that is built"
                                            + " and measured as the server \"before\"."),
                            Option.of("--app", "FILE", "A WAR or unpacked application, for mine."),
                            Option.of("--path", "/PATH", "What to ask it for. Default: /."),
                            Option.of("--expect", "TEXT", "What each answer must contain."),
                            Option.of("--launches", "N", "How often servers are started anew."),
                            Option.of(
                                    "--rounds",
                                    "N",
                                    "Rounds per start, instead of until two" + " agree."),
                            Option.of("--seconds", "N", "Length of a round."),
                            Option.of("--warmup", "N", "Seconds of warm-up at most."),
                            Option.of(
                                    "--port",
                                    "PORT",
                                    "First of the ports to use. Default: free"
                                            + " ones from 18200 on."),
                            Option.of("--seed", "N", "Of the resampling for intervals."),
                            Option.of(
                                    "--out",
                                    "DIR",
                                    "Where results go. Default: lab-runs/PRESET-TIME."),
                            Option.flag(
                                    "--debug",
                                    "Shows stack traces with errors; also MARGAY_DEBUG=1."),
                            Option.flag("--help", "This help.")),
                    List.of(
                            new Example("margay lab list", "What there is."),
                            new Example("margay lab run heartbeat --quick", "A first look."),
                            new Example(
                                    "margay lab run mine --app shop.war --path /list"
                                            + " --servers margay:nio,tomcat:nio",
                                    "Your own application on two servers."),
                            new Example(
                                    "margay lab run ab --before main --minutes 20",
                                    "This checkout beside the branch main."),
                            new Example(
                                    "margay lab compare before.json after.json",
                                    "What a change has brought.")));

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    LabCommand(
            Arguments arguments,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        this.arguments = arguments;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    int run() throws UsageException {
        List<String> operands = arguments.operands();
        if (operands.isEmpty()) {
            throw new UsageException("\"lab\" needs one of " + String.join(", ", VERBS));
        }
        String verb = operands.getFirst();
        List<String> rest = operands.subList(1, operands.size());
        String home = System.getProperty("margay.home");
        Lab lab =
                new Lab(
                        out,
                        err,
                        Terminal.isTerminal(),
                        Path.of(home == null ? "." : home).toAbsolutePath().normalize(),
                        environment);
        try {
            return switch (verb) {
                case "list" -> {
                    files(verb, rest, 0);
                    lab.list();
                    yield Main.DONE;
                }
                case "run" -> lab.run(options(rest)) ? Main.DONE : Main.FAILED;
                case "compare" -> {
                    List<Path> files = files(verb, rest, 2);
                    lab.compare(files.getFirst(), files.getLast());
                    yield Main.DONE;
                }
                case "report" -> {
                    lab.report(files(verb, rest, 1).getFirst());
                    yield Main.DONE;
                }
                case "publish" -> {
                    if (rest.size() < 2) {
                        throw new UsageException("\"lab publish\" takes a folder and runs");
                    }
                    List<Path> paths = rest.stream().map(Path::of).toList();
                    lab.publish(paths.getFirst(), paths.subList(1, paths.size()));
                    yield Main.DONE;
                }
                default ->
                        throw new UsageException(
                                "\"lab\" has no \"" + verb + "\"" + Nearest.hint(verb, VERBS));
            };
        } catch (LabException e) {
            if (e.isUsage()) {
                throw new UsageException(String.valueOf(e.getMessage()));
            }
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static List<Path> files(String verb, List<String> rest, int count)
            throws UsageException {
        if (rest.size() != count) {
            throw new UsageException(
                    "\"lab " + verb + "\" takes " + (count == 0 ? "nothing" : count + " file(s)"));
        }
        return rest.stream().map(Path::of).toList();
    }

    private LabOptions options(List<String> presets) throws UsageException {
        return new LabOptions(
                presets,
                names("--servers"),
                names("--scenarios"),
                arguments.value("--before").orElse(""),
                arguments.has("--quick"),
                number("--minutes", 0, 0.5, 10_000),
                (int) number("--launches", 0, 1, 100),
                (int) number("--rounds", 0, 1, 1000),
                number("--seconds", 0, 0.2, 3600),
                number("--warmup", -1, 0, 3600),
                (int) number("--port", 0, 1, 65000),
                arguments.value("--out").orElse(""),
                arguments.value("--app").orElse(""),
                arguments.value("--path").orElse("/"),
                arguments.value("--expect").orElse(""),
                (long) number("--seed", LabOptions.SEED, 0, 1e15),
                command());
    }

    /// What was typed, as it can be typed again.
    private String command() {
        StringBuilder line = new StringBuilder("./margay lab");
        for (String operand : arguments.operands()) {
            line.append(' ').append(operand);
        }
        for (Option option : COMMAND.options()) {
            boolean where = option.name().equals("--out") || option.name().equals("--debug");
            if (arguments.has(option.name()) && !where) {
                line.append(' ').append(option.name());
                arguments
                        .value(option.name())
                        .filter(value -> !value.isEmpty())
                        .ifPresent(value -> line.append(' ').append(value));
            }
        }
        return line.toString();
    }

    private List<String> names(String option) {
        return arguments.value(option).map(value -> List.of(value.split(","))).orElse(List.of());
    }

    private double number(String option, double otherwise, double least, double most)
            throws UsageException {
        Optional<String> value = arguments.value(option);
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.get().matches("[0-9]{1,15}(\\.[0-9]{1,6})?")) {
            double number = Double.parseDouble(value.get());
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new UsageException(
                "%s must be a number from %s to %s, not \"%s\""
                        .formatted(option, plain(least), plain(most), value.get()));
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }
}
