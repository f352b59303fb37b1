package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.process.ControlSocket;
import io.margay.gateway.cache.CachePurge;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/// `margay reload`, `margay upgrade`, `margay stop`, `margay status` and others: ask a server that
/// runs, which its work folder leads to.
final class ControlCommand {
    private static final String FOUND =
            Command.paragraph(
                    """
                    Finds the server by its work folder: --work, or the only running one in the
                    folder "work" here.
                    """);
    private static final Option WORK = Option.of("--work", "DIR", "The work folder of the server.");

    static final Command RELOAD =
            command(
                    "reload",
                    "reloads the configuration of a running server",
                    """
                    Waits until the new configuration is active. If it has errors, they are
                    printed, nothing changes, and the exit code is 1.
                    """);

    static final Command UPGRADE =
            command(
                    "upgrade",
                    "replaces a running server, without refusing a connection",
                    """
                    Starts a new process with the original command: with a new program, JDK or
                    configuration. It gets the listening sockets, so that no connection is refused.
                    Waits until it serves; then the old process finishes its requests and ends. If
                    the new one does not start, the old one continues, and the exit code is 1.
                    Linux only; SIGUSR2 does the same.
                    """);

    static final Command STOP =
            command(
                    "stop",
                    "stops a running server",
                    """
                    Like SIGTERM: requests in flight finish within the drain time, sessions are
                    kept. Waits until the process has ended.
                    """);

    static final Command STATUS =
            command(
                    "status",
                    "shows the state of a running server",
                    """
                    Process, listeners, applications, and the result of the last reload. The exit
                    code is 1 if no server runs.
                    """);

    static final Command ACME =
            new Command(
                    "acme",
                    "shows and renews the certificates that a running server orders",
                    "status | renew NAME | change-keys",
                    List.of(
                            Command.paragraph(
                                    """
                                    "status" shows the validity of each certificate, when it is
                                    renewed or tried again, and the last error. "renew" orders one
                                    now; NAME is the first of its names. "change-keys" replaces the
                                    keys of the accounts. Both start at once; the log and "status"
                                    show the result.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(
                            new Example("margay acme status", "Of the server started here."),
                            new Example(
                                    "margay acme renew shop.example --work /var/lib/margay",
                                    "Of another server.")));

    static final Command PURGE =
            new Command(
                    "purge",
                    "removes responses from the caches of a running server",
                    "url URL | prefix PREFIX | tag TAG",
                    List.of(
                            Command.paragraph(
                                    """
                                    "url" removes one URL, "prefix" all URLs that begin so: with
                                    scheme and host, or as a path of any host. "tag" removes
                                    responses with this tag in Cache-Tag or Surrogate-Key. Prints
                                    the number of removed URLs.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(
                            new Example(
                                    "margay purge url https://shop.example/",
                                    "One page of a host."),
                            new Example(
                                    "margay purge tag product-7",
                                    "Every page with this product.")));

    private ControlCommand() {}

    private static Command command(String name, String summary, String what) {
        return new Command(
                name,
                summary,
                "",
                List.of(Command.paragraph(what), FOUND),
                List.of(WORK, Option.HELP),
                List.of(
                        new Example("margay " + name, "The server that was started here."),
                        new Example(
                                "margay " + name + " --work /var/lib/margay", "Another server.")));
    }

    static int run(String word, Arguments arguments, PrintStream out, PrintStream err) {
        Path work = arguments.value("--work").map(Path::of).orElseGet(ControlSocket::only);
        ControlSocket.Answer answer = ControlSocket.ask(work, word);
        answer.lines()
                .forEach(answer.done() ? out::println : line -> err.println("margay: " + line));
        return answer.done() ? ExitCode.DONE : ExitCode.FAILED;
    }

    /// What `acme` is followed by.
    static String acme(Arguments arguments) throws UsageException {
        List<String> words = arguments.operands();
        boolean right =
                words.equals(List.of("status"))
                        || words.equals(List.of("change-keys"))
                        || (words.size() == 2 && words.getFirst().equals("renew"));
        if (!right) {
            throw new UsageException("\"acme\" needs one of " + ACME.operands());
        }
        return "acme " + String.join(" ", words);
    }

    /// What `purge` is followed by.
    static String purge(Arguments arguments) throws UsageException {
        try {
            CachePurge what = CachePurge.of(arguments.operands());
            return "purge " + what.kind().word() + " " + what.what();
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"purge\" needs one of " + PURGE.operands());
        }
    }
}
