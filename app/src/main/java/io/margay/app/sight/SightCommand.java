package io.margay.app.sight;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.process.ControlSocket;
import io.margay.app.process.ControlSocket.Answer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `margay top`, `margay requests`, `margay explain`: what a server that runs has served of late.
public final class SightCommand {
    private static final String FOUND =
            Command.paragraph(
                    """
                    Finds the server by its work folder: --work, or the only running one in the
                    folder "work" here.
                    """);
    private static final Option WORK = Option.of("--work", "DIR", "The work folder of the server.");

    /// `margay top`.
    public static final Command TOP =
            new Command(
                    "top",
                    "shows the traffic of a running server, live",
                    "[overview | hosts | routes | applications | members]",
                    List.of(
                            Command.paragraph(
                                    """
                                    Requests per second are of the last minute or two, everything
                                    else of the last hour. Keys switch views, q quits. Without a
                                    terminal it prints one frame of 132 columns.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(
                            new Example("margay top", "Of the server started here."),
                            new Example("margay top routes | head -20", "The busiest routes.")));

    /// `margay requests`.
    public static final Command REQUESTS =
            new Command(
                    "requests",
                    "shows running, slow and failed requests",
                    "",
                    List.of(
                            Command.paragraph(
                                    """
                                    Requests in flight with their age, the slowest of the last hour,
                                    and the last that failed: each with its identifier and the phase
                                    that took most of its time.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(new Example("margay requests", "Of the server started here.")));

    /// `margay explain`.
    public static final Command EXPLAIN =
            new Command(
                    "explain",
                    "shows where the time of a request went",
                    "ID",
                    List.of(
                            Command.paragraph(
                                    """
                                    ID is the identifier of a request from "margay requests", the
                                    access log or an error page. The exit code is 1 if it is
                                    unknown.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(new Example("margay explain 4f2a-17", "One request.")));

    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final TopScreen.Size NO_TERMINAL = new TopScreen.Size(132, 500);

    private final Path work;
    private final PrintStream out;
    private final PrintStream err;

    private SightCommand(Path work, PrintStream out, PrintStream err) {
        this.work = work;
        this.out = out;
        this.err = err;
    }

    /// Runs one of them.
    ///
    /// @return the exit code
    public static int run(String name, Arguments arguments, PrintStream out, PrintStream err)
            throws UsageException {
        List<String> operands = arguments.operands();
        TopView view = TopView.OVERVIEW;
        if (name.equals("top") && operands.size() == 1) {
            view = TopView.of(operands.getFirst());
        }
        boolean right = name.equals("explain") ? operands.size() == 1 : operands.isEmpty();
        if (view == null || (!right && (!name.equals("top") || operands.size() > 1))) {
            throw new UsageException(
                    switch (name) {
                        case "top" -> "\"top\" shows one of " + TOP.operands();
                        case "explain" -> "\"explain\" needs the identifier of one request";
                        default -> "\"requests\" takes no operand";
                    });
        }
        Path work = arguments.value("--work").map(Path::of).orElseGet(ControlSocket::only);
        SightCommand command = new SightCommand(work, out, err);
        return switch (name) {
            case "top" -> isTerminal() ? command.top(view) : command.print(word(view, NO_TERMINAL));
            case "requests" ->
                    command.print(
                            "requests " + (isTerminal() ? size().width() : NO_TERMINAL.width()));
            default -> command.print("explain " + operands.getFirst());
        };
    }

    private static String word(TopView view, TopScreen.Size size) {
        return "top " + view.word() + " " + size.width() + " " + size.height();
    }

    private int print(String word) {
        Answer answer = ControlSocket.ask(work, word);
        answer.lines()
                .forEach(answer.done() ? out::println : line -> err.println("margay: " + line));
        return answer.done() ? 0 : 1;
    }

    private int top(TopView view) {
        String before = stty("-g");
        TopScreen screen =
                new TopScreen(
                        System.in,
                        out,
                        SightCommand::size,
                        (shown, size) -> ControlSocket.ask(work, word(shown, size)).lines());
        Thread restore =
                new Thread(
                        () -> {
                            screen.leave();
                            String _ = stty(before);
                        },
                        "margay-top-end");
        Runtime.getRuntime().addShutdownHook(restore);
        String _ = stty("-icanon -echo");
        try {
            screen.show(view);
            return 0;
        } catch (IOException e) {
            err.println("margay: the terminal: " + e.getMessage());
            return 1;
        }
    }

    /// Whether stdout is a terminal, as far as Linux tells.
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STDOUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static TopScreen.Size size() {
        String[] words = stty("size").split(" ", -1);
        try {
            return new TopScreen.Size(
                    Math.clamp(Integer.parseInt(words[1]), 20, 500),
                    Math.clamp(Integer.parseInt(words[0]), 5, 500));
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            return new TopScreen.Size(80, 24); // A terminal that does not tell.
        }
    }

    /// What `stty` says of the terminal, or sets.
    private static String stty(String words) {
        try {
            List<String> command = new ArrayList<>(List.of("stty"));
            command.addAll(List.of(words.split(" ", -1)));
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(ProcessBuilder.Redirect.INHERIT)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            process.waitFor();
            return said.strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
