package io.margay.app.shadow;

import io.margay.app.MargayServer;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.logging.Logging;
import io.margay.gateway.mirror.MirrorReading;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowReading;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one `margay shadow` is: the margay.yaml that it stands for, and the report at its end. Used
/// by the main thread.
public final class ShadowRun {
    private static final String FOR = "--for";

    /// How long comparing goes on after the last request; the old server is asked a second later.
    private static final Duration LAST = Duration.ofSeconds(5);

    private static final int LOOK_MILLIS = 20;

    private final Arguments arguments;
    private final CompareOptions options;
    private final Optional<Duration> lasts;
    private @Nullable MargayServer server;

    /// @throws UsageException where an option is wrong
    public ShadowRun(Arguments arguments) throws UsageException {
        this.arguments = arguments;
        options = new CompareOptions(arguments);
        lasts = CompareOptions.time(arguments, FOR);
    }

    /// The command.
    ///
    /// @param listen what LISTEN is
    /// @param server options of all servers
    public static Command command(String listen, List<Option> server) {
        List<Option> all = new ArrayList<>();
        all.add(
                Option.of(
                        FOR,
                        "TIME",
                        "Ends by itself after that time, as in 30m. Default: at SIGINT or"
                                + " SIGTERM."));
        all.addAll(CompareOptions.OPTIONS);
        all.addAll(server);
        return new Command(
                "shadow",
                "compares two servers by the requests of clients",
                ServerPair.OPERANDS,
                List.of(
                        CompareOptions.COMPARED,
                        CompareOptions.SESSIONS,
                        Command.paragraph(
                                """
                                At the end stdout lists the differences by reason, each with one
                                example. Exit code: 0 = no difference, 1 = some, or nothing was
                                compared.
                                """),
                        Command.paragraph(listen)),
                all,
                List.of(
                        new Example(
                                "margay shadow :8080 http://10.0.0.5:8080 http://10.0.0.9:8080",
                                "In front of 10.0.0.5, until Ctrl-C."),
                        new Example(
                                "margay shadow ajp://127.0.0.1:8009 http://127.0.0.1:8081 --for 1h"
                                        + " --report move.html",
                                "An hour at http://127.0.0.1:8080/, with a report to show.")));
    }

    /// The margay.yaml that it stands for.
    public String yaml(ListenReader reader) throws UsageException {
        return ServerPair.of("shadow " + ServerPair.OPERANDS, arguments, reader)
                .yaml(options.route());
    }

    /// Requests are answered from now on.
    public void begin(MargayServer started) {
        server = started;
        lasts.ifPresent(time ->
                Thread.ofVirtual().name("margay-shadow-end").start(() -> endAfter(started, time)));
    }

    private static void endAfter(MargayServer started, Duration time) {
        try {
            if (!started.awaitStop(time)) {
                started.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Says what came of it.
    ///
    /// @param err is told why a report cannot be written
    /// @return whether anything differs, or that is not known
    public boolean report(PrintStream out, PrintStream err) {
        MargayServer from = server;
        MirrorReading mirror = from == null ? null : settled(from);
        Shadow shadow = mirror == null ? null : mirror.shadow();
        if (mirror == null || shadow == null) {
            return true; // It has not begun.
        }
        out.print(shadow.text());
        ShadowReading read = shadow.read();
        boolean failed = read.compared() == 0 || read.differing() > 0;
        try {
            options.write(shadow, "Two servers compared", List.of());
        } catch (IOException e) {
            Logging.failure(err, "the report cannot be written: " + e);
            failed = true;
        }
        return failed;
    }

    private static boolean isBusy(MirrorReading read) {
        Shadow shadow = read.shadow();
        return read.active() > 0 || (shadow != null && shadow.unwritten() > 0);
    }

    /// What came of it when the last answers are compared, which takes a moment.
    static @Nullable MirrorReading settled(MargayServer server) {
        MirrorReading read = ServerPair.mirror(server);
        long looks = LAST.toMillis() / LOOK_MILLIS;
        for (long i = 0; i < looks && read != null && isBusy(read); i++) {
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return read;
            }
            read = ServerPair.mirror(server);
        }
        return read;
    }
}
