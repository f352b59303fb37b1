package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Help;
import io.margay.app.cli.UsageException;
import io.margay.app.config.StartException;
import io.margay.app.docs.DocsCommand;
import io.margay.app.logging.LoggersByApplication;
import io.margay.app.logging.Logging;
import io.margay.app.sight.SightCommand;
import io.margay.app.upgrade.Predecessor;
import io.margay.app.yaml.Nearest;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The program: finds the command, and turns how it ended into an exit code.
public final class Main {
    static {
        // Before the first logger of any command, unless somebody has chosen another one.
        String chosen = "java.util.logging.manager";
        if (System.getProperty(chosen) == null) {
            System.setProperty(chosen, LoggersByApplication.class.getName());
        }
    }

    private static final String SUMMARY = "web server and Jakarta Servlet container";
    static final List<Command> COMMANDS =
            List.of(
                    RunCommand.COMMAND,
                    GatewayCommand.COMMAND,
                    TomcatCommand.COMMAND,
                    ShortCommand.PROXY,
                    ShortCommand.FILES,
                    ShortCommand.SHADOW,
                    ShortCommand.MOVE,
                    CheckCommand.COMMAND,
                    MigrateCommand.COMMAND,
                    ConvertCommand.COMMAND,
                    ControlCommand.RELOAD,
                    ControlCommand.UPGRADE,
                    ControlCommand.STOP,
                    ControlCommand.STATUS,
                    SightCommand.TOP,
                    SightCommand.REQUESTS,
                    SightCommand.EXPLAIN,
                    ControlCommand.ACME,
                    ControlCommand.PURGE,
                    CacheCommand.COMMAND,
                    LabCommand.COMMAND,
                    ShortCommand.DOCS,
                    VersionCommand.COMMAND);

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;

    Main(PrintStream out, PrintStream err, Map<String, String> environment) {
        this.out = out;
        this.err = err;
        this.environment = environment;
    }

    /// Runs a command and ends the JVM with its exit code.
    public static void main(String[] args) {
        int code = new Main(System.out, System.err, System.getenv()).run(List.of(args));
        System.out.flush();
        System.exit(code);
    }

    /// @return the exit code
    int run(List<String> words) {
        boolean debug = words.contains("--debug") || "1".equals(environment.get("MARGAY_DEBUG"));
        try {
            return dispatch(words, debug);
        } catch (UsageException e) {
            PrintStream console = console(words);
            Logging.failure(console, String.valueOf(e.getMessage()));
            console.println(
                    "\"margay"
                            + find(words).map(command -> " " + command.name()).orElse("")
                            + " --help\" lists commands and options.");
            Predecessor.failed(environment, String.valueOf(e.getMessage()));
            return ExitCode.WRONG_USAGE;
        } catch (StartException e) {
            PrintStream console = console(words);
            String.valueOf(e.getMessage()).lines().forEach(line -> Logging.failure(console, line));
            trace(console, e, debug);
            Predecessor.failed(environment, String.valueOf(e.getMessage()));
            return ExitCode.FAILED;
        } catch (RuntimeException | Error e) {
            PrintStream console = console(words);
            Logging.failure(console, "internal error: " + e);
            if (!debug) {
                console.println("margay: MARGAY_DEBUG=1 shows the stack trace");
            }
            trace(console, e, debug);
            Predecessor.failed(environment, "internal error: " + e);
            return ExitCode.FAILED;
        }
    }

    /// A server that does not start says so as it would log.
    private PrintStream console(List<String> words) {
        return Logging.console(err, ServerOptions.logsJson(words, environment));
    }

    private static void trace(PrintStream console, Throwable e, boolean debug) {
        if (debug) {
            e.printStackTrace(console);
        }
    }

    private int dispatch(List<String> words, boolean debug) throws UsageException {
        if (words.isEmpty()) {
            err.print(Help.of(COMMANDS, SUMMARY));
            return ExitCode.WRONG_USAGE;
        }
        String first = words.getFirst();
        if (List.of("--help", "-h", "help").contains(first)) {
            out.print(help(words));
            return ExitCode.DONE;
        }
        List<String> all = first.equals("--version") ? List.of("version") : words;
        Command command = find(all).orElseThrow(() -> unknown(words));
        List<String> rest = all.subList(1, all.size());
        if (rest.contains("--help") || rest.contains("-h")) {
            out.print(Help.of(command));
            return ExitCode.DONE;
        }
        Arguments arguments = Arguments.parse(command, rest);
        return switch (command.name()) {
            case "run" -> new RunCommand(arguments, environment, err, debug).run();
            case "gateway" -> new GatewayCommand(arguments, environment, err, debug).run();
            case "tomcat" -> new TomcatCommand(arguments, environment, err, debug).run();
            case "proxy", "files" ->
                    new ShortCommand(command.name(), arguments, environment, err, debug).run();
            case "docs" -> docs(arguments, debug);
            case "shadow" ->
                    new ShortCommand("shadow", arguments, environment, err, debug).shadow(out);
            case "move" -> new ShortCommand("move", arguments, environment, err, debug).move(out);
            case "check" -> new CheckCommand(arguments, environment, out, err).run();
            case "reload", "upgrade", "stop", "status" ->
                    ControlCommand.run(command.name(), arguments, out, err);
            case "top", "requests", "explain" ->
                    SightCommand.run(command.name(), arguments, out, err);
            case "acme" -> ControlCommand.run(ControlCommand.acme(arguments), arguments, out, err);
            case "purge" ->
                    ControlCommand.run(ControlCommand.purge(arguments), arguments, out, err);
            case "cache" -> CacheCommand.run(arguments, out);
            case "lab" -> throw LabCommand.notHere();
            case "convert" -> new ConvertCommand(arguments, out, err).run();
            case "migrate" -> new MigrateCommand(arguments, environment, out, err).run();
            default -> VersionCommand.run(out);
        };
    }

    private int docs(Arguments arguments, boolean debug) throws UsageException {
        Optional<Path> target = DocsCommand.target(arguments);
        if (target.isPresent()) {
            DocsCommand.write(target.get(), out);
            return ExitCode.DONE;
        }
        return new ShortCommand("docs", arguments, environment, err, debug).run();
    }

    /// `margay help run` is `margay run --help`.
    private static String help(List<String> words) {
        return words.size() < 2
                ? Help.of(COMMANDS, SUMMARY)
                : find(words.subList(1, 2))
                        .map(Help::of)
                        .orElseGet(() -> Help.of(COMMANDS, SUMMARY));
    }

    private static Optional<Command> find(List<String> words) {
        return COMMANDS.stream()
                .filter(command -> !words.isEmpty() && command.name().equals(words.getFirst()))
                .findFirst();
    }

    private static UsageException unknown(List<String> words) {
        String first = words.getFirst();
        if (!first.startsWith("-") && Files.exists(Path.of(first))) {
            return new UsageException(
                    "\""
                            + first
                            + "\" is not a command; did you mean \"margay run "
                            + first
                            + "\"?");
        }
        if (RunCommand.COMMAND.optionNames().contains(first)) {
            return new UsageException(
                    first + " belongs to a command; did you mean \"margay run " + first + "\"?");
        }
        List<String> names = COMMANDS.stream().map(Command::name).toList();
        return new UsageException(
                "\"" + first + "\" is not a command" + Nearest.hint(first, names));
    }
}
