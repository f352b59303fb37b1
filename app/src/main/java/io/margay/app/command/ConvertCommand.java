package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.StartException;
import io.margay.compat.tomcat.javax.WarConversion;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `margay convert`: writes a WAR for javax as one for jakarta.
record ConvertCommand(Arguments arguments, PrintStream out, PrintStream err) {
    static final Command COMMAND =
            new Command(
                    "convert",
                    "converts a WAR from javax to jakarta",
                    "OLD.war NEW.war",
                    List.of(
                            Command.paragraph(
                                    """
                                    Converts what "margay run" would convert at a deployment:
                                    classes and the strings in them, pages, tag libraries,
                                    descriptors and service files, also in libraries. OLD.war stays
                                    unchanged; NEW.war must not exist. If there is nothing to
                                    convert, nothing is written and the exit code is 1.
                                    """),
                            Command.paragraph(
                                    """
                                    Calls of methods that Servlet 6 has removed are redirected to
                                    classes of Margay; NEW.war then needs Margay.
                                    """)),
                    List.of(Option.DEBUG, Option.HELP),
                    List.of(
                            new Example(
                                    "margay convert shop.war shop-jakarta.war",
                                    "Once, instead of at each first deployment.")));

    int run() throws UsageException {
        if (arguments.operands().size() != 2) {
            throw new UsageException("\"convert\" needs OLD.war and NEW.war");
        }
        Path old = Path.of(arguments.operands().getFirst());
        Path target = Path.of(arguments.operands().getLast());
        if (!Files.isRegularFile(old)) {
            throw new StartException(
                    old + (Files.isDirectory(old) ? " is a folder, not a WAR" : " does not exist"));
        }
        if (Files.exists(target)) {
            throw new StartException(target + " exists already; name another file or delete it");
        }
        Terminal terminal = new Terminal(err);
        try {
            String account =
                    new WarConversion(
                                    System::nanoTime,
                                    (done, total, last) ->
                                            terminal.show("converted", done, total, last))
                            .convert(old, target.toAbsolutePath());
            if (account == null) {
                err.println("margay: " + old + " uses no javax package: nothing is written");
                return ExitCode.FAILED;
            }
            out.println(target + ": converted from javax: " + account);
            return ExitCode.DONE;
        } catch (IOException e) {
            throw new StartException(old + " cannot be converted: " + e.getMessage(), e);
        }
    }
}
