package io.margay.app.command;

import io.margay.app.MargayServer;
import io.margay.app.ProcessEnd;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.logging.Logging;
import io.margay.app.process.ProcessAge;
import io.margay.app.upgrade.Inheritance;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Starts a server for the command line, and says on stderr what came of it.
final class Startup {
    private Startup() {}

    /// Starts; applications that cannot be deployed are reported.
    ///
    /// @param inherited what is open already
    /// @param reachable is given the server before its listeners open
    /// @param before is given the server before it is reported as ready
    /// @throws StartException when a listener cannot be opened, or nothing at all can be served
    static MargayServer start(
            MargayConfig config,
            Inheritance inherited,
            PrintStream err,
            Consumer<MargayServer> reachable,
            Consumer<MargayServer> before) {
        long begin = System.nanoTime();
        MargayServer server =
                MargayServer.start(
                        config, new Terminal(err), new ProcessEnd(), inherited, reachable);
        List<String> failures = server.failures();
        if (!failures.isEmpty() && server.servesNothing()) {
            server.stop(Duration.ZERO);
            throw new StartException(String.join("\n", failures));
        }
        failures.forEach(failure -> Logging.failure(err, failure));
        server.lines()
                .forEach(line -> err.println(line.startsWith(" ") ? line : "margay: " + line));
        before.accept(server);
        String where = server.lines().stream().flatMap(Startup::url).findFirst().orElse("");
        err.println("margay: ready in " + ProcessAge.millis(begin) + " ms" + where);
        return server;
    }

    /// The URL of a line about a listener, to be opened from a terminal.
    private static Stream<String> url(String line) {
        String url = line.split(" ", 2)[0];
        return url.matches("https?://.*") ? Stream.of(", " + url) : Stream.empty();
    }
}
