package io.margay.lab;

import io.margay.lab.servers.NearestName;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The program of the lab, `./margay lab`: finds the action, and turns how it ended into an exit
/// code. Confined to the main thread.
@Command(
        name = "margay lab",
        description = "Measures servers side by side.",
        synopsisSubcommandLabel = "ACTION",
        subcommands = {
            RunCommand.class,
            StartCommand.class,
            WarmUpCommand.class,
            ApplicationsCommand.class,
            PressureCommand.class,
            ProfileCommand.class,
            HandshakesCommand.class,
            TrialsCommand.class,
            ToolsCommand.class,
            ClusterCommand.class
        },
        footer = {
            "",
            "A server is KIND or KIND:VARIANT; FRONT/BACK is a front end with a server behind it,"
                    + " BACK*2 two of them. The preset \"mine\" measures your own application:"
                    + " --app, --path, --trace. Ctrl-C keeps what was measured and stops every"
                    + " server.",
            "",
            "Examples:",
            "  margay lab list",
            "  margay lab run heartbeat --quick",
            "  margay lab run ab --before main --minutes 20",
            "  margay lab run mine --app shop.war --path /list --servers margay:nio,tomcat:nio",
            "  margay lab run mine --app old.war --against new.war --trace access.log",
            "  margay lab compare before.json after.json",
            "  margay lab cluster",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage."
        })
public final class Main implements Runnable, Supplier<Lab> {
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final Path home;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "This help.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Shows stack traces with errors; also MARGAY_DEBUG=1.")
    private boolean debug;

    private Main(PrintStream out, PrintStream err, Map<String, String> environment, Path home) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.home = home;
    }

    /// Runs an action and ends the JVM with its exit code.
    public static void main(String[] args) {
        String home = System.getProperty("margay.home", ".");
        int code =
                run(
                        List.of(args),
                        System.out,
                        System.err,
                        System.getenv(),
                        Path.of(home).toAbsolutePath().normalize());
        System.out.flush();
        System.exit(code);
    }

    /// Runs an action.
    ///
    /// @param home the checkout or the unpacked distribution of Margay
    /// @return the exit code
    static int run(
            List<String> words,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            Path home) {
        Main main = new Main(out, err, environment, home);
        return new CommandLine(main)
                .setOut(new PrintWriter(out, true, out.charset()))
                .setErr(new PrintWriter(err, true, err.charset()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, _) -> main.wrong(e))
                .setExecutionExceptionHandler((e, line, _) -> main.failed(e, line))
                .execute(words.toArray(String[]::new));
    }

    private int wrong(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            List<String> known = new ArrayList<>(e.getCommandLine().getSubcommands().keySet());
            known.addAll(e.getCommandLine().getCommandSpec().optionsMap().keySet());
            return wrong(e.getMessage() + NearestName.hint(word, known), e.getCommandLine());
        }
        return wrong(String.valueOf(e.getMessage()), e.getCommandLine());
    }

    private int wrong(String message, CommandLine line) {
        err.println("margay: " + message);
        err.printf("\"%s --help\" says what is possible.%n", line.getCommandSpec().qualifiedName());
        return CommandLine.ExitCode.USAGE;
    }

    private int failed(Exception e, CommandLine line) {
        if (debug || "1".equals(environment.get("MARGAY_DEBUG"))) {
            e.printStackTrace(err);
        }
        if (!(e instanceof LabException known)) {
            err.println("margay: internal error: " + e);
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (known.isUsage()) {
            return wrong(String.valueOf(e.getMessage()), line);
        }
        String.valueOf(e.getMessage()).lines().forEach(it -> err.println("margay: " + it));
        return CommandLine.ExitCode.SOFTWARE;
    }

    /// No action was named.
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "\"lab\" needs one of " + String.join(", ", spec.subcommands().keySet()));
    }

    /// The lab that an action works in.
    @Override
    public Lab get() {
        return new Lab(out, err, isTerminal(), home, environment);
    }

    /// Whether stderr is a terminal, as far as Linux tells.
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Command(description = "Prints the presets, and which servers can run here.")
    int list() {
        get().list();
        return CommandLine.ExitCode.OK;
    }

    @Command(description = "Sets two results side by side.")
    int compare(
            @Parameters(paramLabel = "A.json") Path first,
            @Parameters(paramLabel = "B.json") Path second) {
        get().compare(first, second);
        return CommandLine.ExitCode.OK;
    }

    @Command(description = "Draws the report of a result again.")
    int report(@Parameters(paramLabel = "A.json") Path file) {
        get().report(file);
        return CommandLine.ExitCode.OK;
    }

    @Command(
            description =
                    "Writes the page of figures and its drawings to a folder, from runs of"
                            + " different presets.")
    int publish(
            @Parameters(paramLabel = "DIR") Path folder,
            @Parameters(paramLabel = "RUN", arity = "1..*") List<Path> runs,
            @Option(
                            names = "--readme",
                            paramLabel = "FILE",
                            description =
                                    "Puts the main comparisons between the marks of this page.")
                    @Nullable Path readme) {
        get().publish(folder, runs, Optional.ofNullable(readme));
        return CommandLine.ExitCode.OK;
    }
}
