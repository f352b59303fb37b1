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
                    The server is found by its work folder: --work, or the only one with a running
                    server in the folder "work" here.
                    """);
    private static final Option WORK = Option.of("--work", "DIR", "The work folder of the server.");

    static final Command RELOAD =
            command(
                    "reload",
                    "reloads the configuration of a running server",
                    """
                    Waits until the new configuration is in force. If something of it is wrong, that
                    is said, nothing has changed, and the exit code is 1.
                    """);

    static final Command UPGRADE =
            command(
                    "upgrade",
                    "replaces a running server, without refusing a connection",
                    """
                    Starts the server anew with the command that it was started with: a new program,
                    a new JDK and a changed configuration are taken. The new process is given the
                    listening sockets, so that no connection is refused. Waits until it serves; then
                    the old process finishes its requests and ends. If the new one does not start,
                    the old one serves on, and the exit code is 1. On Linux alone; SIGUSR2 does the
                    same.
                    """);

    static final Command STOP =
            command(
                    "stop",
                    "stops a running server",
                    """
                    As SIGTERM does: running requests are finished within the drain time, sessions
                    are kept. Waits until the process has ended.
                    """);

    static final Command STATUS =
            command(
                    "status",
                    "shows what a running server does",
                    """
                    Process, listeners, applications, and how the last reload went. The exit code is
                    1 when no server runs.
                    """);

    static final Command ACME =
            new Command(
                    "acme",
                    "shows and renews the certificates that a running server orders",
                    "status | renew NAME | change-keys",
                    List.of(
                            Command.paragraph(
                                    """
                                    "status" says of each certificate from when until when it
                                    is valid, when it is renewed or tried again, and why the
                                    last try has failed. "renew" orders one now, though it is
                                    not due; NAME is the first of its names. "change-keys" gives
                                    the accounts with authorities other keys. Both begin at
                                    once; the log and "status" tell what comes of it.
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
                                    "url" removes one URL, "prefix" all that begin so: each with
                                    scheme and host, or a path of any host. "tag" removes what has
                                    the tag in the field Cache-Tag or Surrogate-Key. Says how many
                                    URLs were kept.
                                    """),
                            FOUND),
                    List.of(WORK, Option.HELP),
                    List.of(
                            new Example(
                                    "margay purge url https://shop.example/",
                                    "One page of a host."),
                            new Example("margay purge tag product-7", "What shows a product.")));

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
