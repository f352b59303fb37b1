package io.margay.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `margay lab run`: what was typed, as options of a run. Confined to the main thread.
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Starts the servers of each PRESET, loads them in turn, and prints CPU time per"
                    + " request, requests per second, latency and memory with verdicts; writes"
                    + " result.json and report.html.",
            ""
        })
final class RunCommand implements Callable<Integer> {
    /// Where results go says nothing about what was measured.
    private static final List<String> LEFT_OUT = List.of("--out", "--debug");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets both
    private Supplier<Lab> lab;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "PRESET", arity = "0..*", description = "As \"lab list\" names them.")
    private List<String> presets = List.of();

    @Option(names = "--quick", description = "A rough answer within two minutes.")
    private boolean quick;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description =
                    "Fits all of it into so many minutes: as many and as long rounds as they"
                            + " allow.")
    private double minutes;

    @Option(
            names = "--servers",
            paramLabel = "NAME",
            split = ",",
            description =
                    "These instead of the preset's; ratios refer to the preset's reference or,"
                            + " without it, to the first.")
    private List<String> servers = List.of();

    @Option(
            names = "--scenarios",
            paramLabel = "ID",
            split = ",",
            description = "Only these of the preset.")
    private List<String> scenarios = List.of();

    @Option(
            names = "--before",
            paramLabel = "COMMIT",
            description =
                    "A commit, or the folder of another checkout, that is built and measured"
                            + " as the server \"before\".")
    private String before = "";

    @Option(
            names = "--app",
            paramLabel = "FILE",
            description = "A WAR or unpacked application, for mine.")
    private String app = "";

    @Option(names = "--path", paramLabel = "/PATH", description = "What to ask it for. Default: /.")
    private String path = "/";

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description =
                    "Another build of --app: both are measured in turn, and the command fails if"
                            + " FILE is worse.")
    private String against = "";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "Requests to send in place of --path: what \"margay shadow --record\" has"
                            + " written, an access log, or a HAR of a browser. GET and HEAD alone,"
                            + " without cookies and credentials.")
    private String trace = "";

    @Option(
            names = "--speed",
            paramLabel = "N",
            description =
                    "How many times as fast as they came, as in 4; max: as fast as they are"
                            + " answered. Default: 1.")
    private String speed = "1";

    @Option(names = "--expect", paramLabel = "TEXT", description = "What each answer must contain.")
    private String expect = "";

    @Option(
            names = "--launches",
            paramLabel = "N",
            description = "How often servers are restarted.")
    private int launches;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds per start, instead of until two agree.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N", description = "Length of a round.")
    private double seconds;

    @Option(names = "--warmup", paramLabel = "N", description = "Seconds of warm-up at most.")
    private double warmUp = -1;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description =
                    "Processors of the servers. Default: 1; the load has the second in any"
                            + " case.")
    private int cores = 1;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "First of the ports to use. Default: free ones from 18200 on.")
    private int port;

    @Option(names = "--seed", paramLabel = "N", description = "Of the resampling for intervals.")
    private long seed = LabOptions.SEED;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go. Default: lab-runs/PRESET-TIME.")
    private String out = "";

    @Override
    public Integer call() {
        range("--minutes", minutes, 0.5, 10_000);
        range("--launches", launches, 1, 100);
        range("--rounds", rounds, 1, 1000);
        range("--seconds", seconds, 0.2, 3600);
        range("--warmup", warmUp, 0, 3600);
        range("--cores", cores, 1, Runtime.getRuntime().availableProcessors());
        range("--port", port, 1, 65_000);
        LabOptions options =
                LabOptionsBuilder.builder()
                        .presets(presets)
                        .servers(servers)
                        .scenarios(scenarios)
                        .before(before)
                        .quick(quick)
                        .minutes(minutes)
                        .launches(launches)
                        .rounds(rounds)
                        .seconds(seconds)
                        .warmUp(warmUp)
                        .cores(cores)
                        .port(port)
                        .out(out)
                        .own(new LabOptions.Own(app, against, path, expect, trace, speed()))
                        .seed(seed)
                        .command(command())
                        .build();
        return lab.get().run(options) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /// 0 = as fast as they are answered.
    private double speed() {
        if (speed.equals("max")) {
            return 0;
        }
        String number = speed.endsWith("x") ? speed.substring(0, speed.length() - 1) : speed;
        if (!number.matches("[0-9]{1,4}(\\.[0-9]{1,3})?") || Double.parseDouble(number) <= 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--speed must be max or a number above 0, as in 4, not " + speed);
        }
        return Double.parseDouble(number);
    }

    private void range(String option, double value, double least, double most) {
        boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
        if (given && !(value >= least && value <= most)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s must be a number from %s to %s, not %s"
                            .formatted(option, plain(least), plain(most), plain(value)));
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    /// What was typed, as it can be typed again.
    private String command() {
        List<String> words = new ArrayList<>(List.of("./margay", "lab", "run"));
        words.addAll(presets);
        for (CommandLine.Model.OptionSpec option :
                spec.commandLine().getParseResult().matchedOptions()) {
            if (!LEFT_OUT.contains(option.longestName())) {
                words.add(option.longestName());
                if (option.arity().max() > 0) {
                    words.add(String.join(",", option.originalStringValues()));
                }
            }
        }
        return String.join(" ", words);
    }
}
