package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.logging.Logging;
import io.margay.app.yaml.Amounts;
import io.margay.compat.tomcat.server.LogPlan;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/// The options that every command that serves has: its admin listener, how its log is written, and
/// how long it takes to stop. Immutable.
final class ServerOptions {
    private static final String ADMIN = "--admin";
    private static final String DRAIN = "--drain";
    private static final String DRAIN_DELAY = "--drain-delay";
    private static final String LOG = "--log";
    private static final String LOG_FORMAT = "--log-format";

    private static final List<Option> OPTIONS =
            List.of(
                    Option.of(
                            ADMIN,
                            "[ADDR:]PORT",
                            "Admin listener: the console, a JSON API, Tomcat manager's text"
                                    + " interface, /metrics, /health. Changes need the token of"
                                    + " MARGAY_ADMIN_TOKEN, or of the file that the start-up line"
                                    + " names."),
                    Option.of(
                            DRAIN,
                            "TIME",
                            "Drain time: how long requests in flight may take when the server"
                                    + " stops, as in 30s. Default: 25s."),
                    Option.of(
                            DRAIN_DELAY,
                            "TIME",
                            "How long new connections are still accepted after SIGTERM, while"
                                    + " /health answers 503, as in 5s. Default: 0s."),
                    Option.of(
                            LOG,
                            "LEVEL",
                            "error, warning, info (default), debug or trace; also MARGAY_LOG."),
                    Option.of(
                            LOG_FORMAT,
                            "FORMAT",
                            "text (default) or json, a JSON object per line; also"
                                    + " MARGAY_LOG_FORMAT."),
                    Option.DEBUG,
                    Option.HELP);

    private final Level level;
    private final boolean levelSaid;
    private final boolean json;
    private final boolean debug;
    private final Optional<Endpoint> admin;
    private final @Nullable String adminToken;
    private final Optional<Duration> drain;
    private final Optional<Duration> drainDelay;

    /// @param debug whether stack traces are shown
    ServerOptions(Arguments arguments, Map<String, String> environment, boolean debug)
            throws UsageException {
        Words words = new Words(arguments, environment);
        level = Logging.level(words.of(LOG, "MARGAY_LOG", debug ? "debug" : "info"));
        levelSaid = debug || arguments.has(LOG) || environment.containsKey("MARGAY_LOG");
        json = Logging.isJson(words.of(LOG_FORMAT, "MARGAY_LOG_FORMAT", "text"));
        this.debug = debug;
        admin = arguments.value(ADMIN, Endpoint::parse);
        adminToken = environment.get("MARGAY_ADMIN_TOKEN");
        drain = arguments.value(DRAIN, ServerOptions::time);
        drainDelay = arguments.value(DRAIN_DELAY, ServerOptions::time);
    }

    /// Options that the environment may give, too.
    private record Words(Arguments arguments, Map<String, String> environment) {
        String of(String option, String variable, String otherwise) {
            return arguments.value(option).orElse(environment.getOrDefault(variable, otherwise));
        }
    }

    /// Whether a command line, which may be a wrong one, is of a server that logs as JSON.
    static boolean logsJson(List<String> words, Map<String, String> environment) {
        int at = words.indexOf(LOG_FORMAT);
        boolean said = at >= 0 && at + 1 < words.size() && words.get(at + 1).equals("json");
        return !words.isEmpty()
                && List.of("run", "gateway", "tomcat", "proxy", "files", "docs", "shadow", "move")
                        .contains(words.getFirst())
                && (said
                        || words.contains(LOG_FORMAT + "=json")
                        || (at < 0 && "json".equals(environment.get("MARGAY_LOG_FORMAT"))));
    }

    /// The options of a command that serves: its own, then these.
    static List<Option> after(Option... own) {
        List<Option> all = new ArrayList<>(List.of(own));
        all.addAll(OPTIONS);
        return all;
    }

    /// Has the log of the process written to `stderr`.
    ///
    /// @return where the command itself writes
    PrintStream log(PrintStream stderr) {
        Logging.install(stderr, level, debug, json);
        return Logging.console(stderr, json);
    }

    /// Has records written as a base of Tomcat's says: levels and files. What the command line says
    /// of all loggers, or of stderr, goes before it.
    void log(LogPlan plan) {
        plan.levels()
                .forEach((logger, word) -> {
                    if (!logger.isEmpty() || !levelSaid) {
                        Logging.level(logger, Level.parse(word));
                    }
                });
        Logging.files(plan, levelSaid ? Level.ALL : Level.parse(plan.consoleLevel()));
    }

    /// The configuration with the admin listener and the times of the command line, where it names
    /// any.
    MargayConfig apply(MargayConfig config) {
        MargayConfig drained = drain.map(config::withDrain).orElse(config);
        MargayConfig delayed = drainDelay.map(drained::withDrainDelay).orElse(drained);
        AdminSettings file = config.admin();
        if (admin.isEmpty() && (file == null || file.token() != null)) {
            return delayed;
        }
        try {
            return delayed.withAdmin(admin(file));
        } catch (IllegalArgumentException e) {
            throw new StartException("MARGAY_ADMIN_TOKEN: " + e.getMessage(), e);
        }
    }

    /// The token comes from the file or the environment, since the command line can be seen by
    /// others.
    ///
    /// @param file null = the file names none
    private AdminSettings admin(@Nullable AdminSettings file) {
        if (file == null) {
            return new AdminSettings(admin.orElseThrow(), adminToken);
        }
        String token = file.token() == null ? adminToken : file.token();
        return new AdminSettings(admin.orElse(file.endpoint()), token, file.names(), file.tls());
    }

    private static Duration time(String text) {
        try {
            return Amounts.duration(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "write a number and its unit, as in 500ms, 30s or 5m", e);
        }
    }
}
