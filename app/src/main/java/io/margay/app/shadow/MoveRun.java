package io.margay.app.shadow;

import io.margay.app.MargayServer;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.yaml.Amounts;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.mirror.MirrorReading;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowReading;
import io.margay.servlet.deploy.Folders;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One `margay move`: two servers are compared, then clients get the new one step by step. Clients
/// are served all the time, whatever becomes of it.
///
/// ```
/// COMPARING --> SHIFTING --> MOVED: all clients get the new server
///     \-------------\------> KEPT: all clients get the old one
/// ```
///
/// The main thread makes it, a thread of its own goes through the steps.
public final class MoveRun {
    private static final System.Logger LOG = System.getLogger(MoveRun.class.getName());

    private static final String OPERANDS = "[LISTEN] OLD-URL [NEW-URL]";
    private static final String COMPARE = "--compare";
    private static final String DRY = "--dry-run";
    private static final String REQUESTS = "--requests";
    private static final String STEPS = "--steps";
    private static final String DESPITE = "--despite-differences";
    private static final String THEN = "--then";
    private static final Pattern THEN_WRITTEN = Pattern.compile("(gateway|run|tomcat) .+");
    private static final Pattern STEPS_WRITTEN =
            Pattern.compile(
                    "[0-9.]{1,7}% for [0-9a-z]{1,12}(, [0-9.]{1,7}% for [0-9a-z]{1,12}){0,19}+");
    private static final Duration COMPARE_DEFAULT = Duration.ofMinutes(10);
    private static final String STEPS_DEFAULT = "1% for 10m, 10% for 10m, 50% for 10m";
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int PERCENT = 100;

    private final boolean dry;
    private final @Nullable Path requests;
    private ServerPair servers;
    private @Nullable MargayServer own;
    private @Nullable TlsConfig tls;

    /// Where requests are kept, and the files of a new server, while this lasts; null = none are.
    private final @Nullable Path kept;

    private final CompareOptions options;
    private final Duration compares;
    private final String steps;
    private final boolean despite;
    private final List<String> then;
    private final @Nullable OldConfig oldConfig;
    private final ConfigReader reader;
    private final List<String> story = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean moved;

    /// Reads a margay.yaml that is put together here.
    @FunctionalInterface
    public interface ConfigReader {
        /// What it says.
        ///
        /// @throws UsageException when it is wrong
        MargayConfig read(String yaml) throws UsageException;
    }

    /// @param listen reads LISTEN
    /// @param oldConfig the configuration of the old server; null = none is given
    /// @throws UsageException where an operand or option is wrong
    public MoveRun(
            Arguments arguments,
            ListenReader listen,
            ConfigReader reader,
            @Nullable OldConfig oldConfig)
            throws UsageException {
        dry = arguments.has(DRY);
        requests = arguments.value(REQUESTS, Path::of).orElse(null);
        if (requests != null && (!dry || !Files.isReadable(requests))) {
            throw new UsageException(
                    dry ? "there is no " + requests : REQUESTS + " belongs to " + DRY);
        }
        servers =
                ServerPair.maybeAlone(
                        "move " + OPERANDS, arguments, listen, dry ? "0" : ServerPair.DEFAULT);
        if (servers.fresh().equals(ServerPair.NOT_YET) && oldConfig == null) {
            throw new UsageException(
                    "without NEW-URL the new server is started from the files of OLD: name them"
                            + " by --config");
        }
        kept = oldConfig == null ? null : folder();
        options =
                new CompareOptions(
                        arguments,
                        kept == null ? null : kept.resolve("trace"),
                        dry ? "100%" : "75%");
        compares = CompareOptions.time(arguments, COMPARE).orElse(COMPARE_DEFAULT);
        steps = arguments.value(STEPS).orElse(STEPS_DEFAULT);
        if (!STEPS_WRITTEN.matcher(steps).matches()) {
            throw new UsageException(
                    STEPS + " \"" + steps + "\" is not valid: write them as in \"5% for 10m\"");
        }
        despite = arguments.has(DESPITE);
        then = then(arguments);
        this.reader = reader;
        this.oldConfig = oldConfig;
        MargayConfig _ = reader.read(servers.yaml(canary())); // What is wrong is told at once.
    }

    private List<String> then(Arguments arguments) throws UsageException {
        String text = arguments.value(THEN).orElse("").strip();
        if (!text.isEmpty() && (dry || !THEN_WRITTEN.matcher(text).matches())) {
            throw new UsageException(
                    dry
                            ? THEN + " does not belong to " + DRY
                            : THEN
                                    + " \""
                                    + text
                                    + "\" is not valid: write a command of margay that serves, as"
                                    + " in \"run margay.yaml\"");
        }
        return text.isEmpty() ? List.of() : List.of(text.split(" +"));
    }

    /// The command.
    ///
    /// @param listen what LISTEN is
    /// @param server options of all servers
    public static Command command(String listen, List<Option> server) {
        List<Option> all = new ArrayList<>(options());
        all.addAll(CompareOptions.OPTIONS);
        all.addAll(server);
        return new Command(
                "move",
                "compares two servers, then shifts clients to the new one",
                OPERANDS,
                List.of(
                        Command.paragraph(
                                """
                                OLD runs already, and so does NEW; without NEW-URL a new server is
                                started inside this process from the files that --config names.
                                Clients connect to this process, which compares both as "margay
                                shadow" does. If nothing differs, clients get NEW in steps, and each
                                client stays with its server. If NEW fails more often than OLD, by
                                more than one percentage point, all get OLD again.
                                """),
                        Command.paragraph(
                                """
                                Clients are served until SIGINT or SIGTERM in any case: by NEW when
                                all steps are done, else by OLD; with --then by another process.
                                The report is written when that is known. Exit code: 0 = moved, 1 =
                                OLD serves.
                                """),
                        CompareOptions.SESSIONS,
                        Command.paragraph(
                                """
                                A client that is shifted begins a new session, unless both servers
                                share theirs.
                                """),
                        Command.paragraph(listen)),
                all,
                List.of(
                        new Example(
                                "margay move :80 http://127.0.0.1:8081 http://127.0.0.1:8082"
                                        + " --report move.html",
                                "Ten minutes of comparing, then three steps of ten minutes."),
                        new Example(
                                "margay move http://127.0.0.1:8081 --config"
                                        + " /etc/nginx/nginx.conf --dry-run --requests"
                                        + " /var/log/nginx/access.log",
                                "Starts a new server and compares both by the requests of a log."),
                        new Example(
                                "margay move ajp://127.0.0.1:8009 http://127.0.0.1:8081 --config"
                                        + " /var/lib/tomcat9 --compare 1h --steps \"5% for 1h\"",
                                "With the account of a Tomcat's files in the report.")));
    }

    private static List<Option> options() {
        List<Option> all = new ArrayList<>();
        all.add(
                Option.many(
                        "--config",
                        "FILE",
                        "A file of OLD's configuration, or its CATALINA_BASE, as \"margay migrate\""
                                + " reads it: the report has its account, and how many requests"
                                + " have met each line. An error in it ends the move."));
        all.add(
                Option.flag(
                        DRY,
                        "No client is needed, and none is shifted: requests are generated from"
                                + " --config and the links of the pages, one at a time. Ends by"
                                + " itself. LISTEN is a free port of 127.0.0.1 by default."));
        all.add(
                Option.of(
                        REQUESTS,
                        "FILE",
                        "Requests for a dry run: an access log, or a trace of \"margay shadow"
                                + " --record\"."));
        all.add(
                Option.of(
                        COMPARE,
                        "TIME",
                        "How long both are compared before clients get NEW. Default: 10m."));
        all.add(
                Option.of(
                        STEPS,
                        "STEPS",
                        "Which part of the clients gets NEW, and how long; then all. Default: \""
                                + STEPS_DEFAULT
                                + "\"."));
        all.add(Option.flag(DESPITE, "Continues although answers differ."));
        all.add(
                Option.of(
                        THEN,
                        "COMMAND",
                        "When all clients get NEW, another process takes over LISTEN without a"
                                + " refused connection, and the sessions of a server that was"
                                + " started here; this one ends. As in \"tomcat /var/lib/tomcat9"
                                + " --http :80\"; its words have no blanks. \"margay upgrade\""
                                + " tries again what has failed."));
        return all;
    }

    private String canary() {
        return "gateway: old, canary: {to: new, steps: [" + steps + "], stop: {}}";
    }

    /// What is served first.
    public MargayConfig config() throws UsageException {
        OldConfig old = oldConfig;
        Path folder = kept;
        if (servers.fresh().equals(ServerPair.NOT_YET) && old != null && folder != null) {
            MargayConfig fresh = old.fresh().at(servers.scheme(), servers.port());
            // What takes over finds sessions in its own folder.
            Path lasting = then.isEmpty() ? null : old.work();
            Path work = lasting == null ? folder.resolve("work") : lasting;
            MargayServer started = MargayServer.start(fresh.withWork(work), DeployProgress.NONE);
            own = started;
            started.failures().forEach(line -> LOG.log(Level.WARNING, "new server: {0}", line));
            ListenerSettings listener = fresh.listeners().getFirst();
            servers = servers.with(listener, started.ports().getFirst());
            tls = dry ? null : listener.tls();
            tell("a new server is started from the files of the old one, at " + servers.fresh());
        }
        return front(options.route());
    }

    /// Clients of an old server with TLS find TLS, with the certificates of its files.
    private MargayConfig front(String route) throws UsageException {
        MargayConfig read = reader.read(servers.yaml(route));
        TlsConfig secure = tls;
        return secure == null
                ? read
                : read.withListeners(
                        read.listeners().stream().map(one -> one.withTls(secure)).toList());
    }

    /// Requests are answered from now on.
    ///
    /// @param out gets the report
    /// @param leave has the server of another command take over, with sessions of a server
    public void begin(
            MargayServer server, PrintStream out, BiConsumer<List<String>, MargayServer> leave) {
        Thread.ofVirtual()
                .name("margay-move")
                .start(() -> {
                    try {
                        go(server, out);
                        if (moved && !then.isEmpty()) {
                            leave.accept(then, Objects.requireNonNullElse(own, server));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (UsageException | StartException | IOException e) {
                        LOG.log(Level.ERROR, "the move ends here: {0}", e.getMessage());
                    } finally {
                        over.countDown();
                        if (dry) {
                            server.close();
                        }
                    }
                });
    }

    /// No client is served any more.
    public void end() throws IOException {
        MargayServer started = own;
        if (started != null) {
            started.close();
        }
        if (kept != null) {
            Folders.delete(kept);
        }
    }

    private static Path folder() throws UsageException {
        try {
            Path made = Files.createTempDirectory("margay-move-");
            made.toFile().deleteOnExit(); // It is empty where an option is wrong.
            return made;
        } catch (IOException e) {
            throw new UsageException("there is no room for temporary files: " + e.getMessage());
        }
    }

    /// Waits for the end of all steps; the server may serve on.
    ///
    /// @return whether all clients get the new server
    public boolean awaitMoved(Duration time) throws InterruptedException {
        boolean _ = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
        return moved;
    }

    private void go(MargayServer server, PrintStream out)
            throws InterruptedException, UsageException, IOException {
        boolean stopped = dry ? makeUp(server) : watch(server);
        MirrorReading mirror = ShadowRun.settled(server);
        Shadow shadow = mirror == null ? null : mirror.shadow();
        if (shadow == null) {
            throw new StartException("nothing compares");
        }
        ShadowReading read = shadow.read();
        if (dry) {
            moved = read.compared() > 0 && read.differing() == 0;
            tell(read.compared() + " answers compared, " + read.differing() + " differ");
        } else if (stopped) {
            tell("stopped while both were compared: the old server serves");
        } else if (read.compared() == 0) {
            keep(server, "no request could be compared");
        } else if (read.differing() > 0 && !despite) {
            keep(server, read.differing() + " of " + read.compared() + " answers differ");
        } else {
            tell(read.compared() + " answers compared, " + read.differing() + " differ");
            shift(server);
        }
        report(shadow, out);
    }

    private boolean watch(MargayServer server) throws InterruptedException {
        tell("both servers are compared for " + Amounts.write(compares));
        return server.awaitStop(compares);
    }

    /// Sends requests that are made up.
    ///
    /// @return whether the server was told to stop meanwhile
    private boolean makeUp(MargayServer server) throws InterruptedException, IOException {
        AtomicBoolean stopped = new AtomicBoolean();
        MadeTraffic made =
                new MadeTraffic(
                        server.ports().getFirst(),
                        () -> {
                            try {
                                stopped.compareAndSet(false, server.awaitStop(Duration.ZERO));
                            } catch (InterruptedException e) {
                                stopped.set(true);
                                Thread.currentThread().interrupt();
                            }
                            return stopped.get();
                        });
        made.add("", "/");
        if (oldConfig != null) {
            oldConfig
                    .meeting()
                    .at(servers.port())
                    .examples()
                    .forEach(one -> made.add(one.host(), one.path()));
        }
        if (requests != null) {
            OldConfig.read(
                    requests,
                    one -> {
                        String host = one.fields().get("host");
                        if (one.isRepeatable()) {
                            made.add(host == null ? "" : host, one.target());
                        }
                    });
        }
        tell("both servers are compared by generated requests");
        tell(made.run() + " requests were answered");
        return stopped.get();
    }

    /// All clients get the old server, and nothing is compared any more.
    private void keep(MargayServer server, String why) throws UsageException {
        put(server, "gateway: old");
        tell(why + ": the old server serves on");
    }

    private void put(MargayServer server, String route) throws UsageException {
        server.reload(front(route), new ChangeCause("by margay move"));
    }

    private void shift(MargayServer server) throws InterruptedException, UsageException {
        put(server, canary());
        double known = 0;
        while (true) {
            CanaryReading canary = ServerPair.old(server).divided().canaries().getFirst();
            if (canary.stopped() != null) {
                keep(server, "taken back: " + canary.stopped());
                return;
            }
            if (canary.share() >= 1) {
                put(server, "gateway: new");
                moved = true;
                tell("all clients get the new server; " + answers(canary));
                return;
            }
            if (canary.share() > known) {
                known = canary.share();
                tell(percent(known) + " of the clients get the new server");
            }
            if (server.awaitStop(LOOK)) {
                tell("stopped while clients were shifted");
                return;
            }
        }
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g %%", share * PERCENT);
    }

    private static String answers(CanaryReading canary) {
        return "until then %d answers of it, %d failed; of the old one %d, %d failed"
                .formatted(
                        canary.fresh().all(),
                        canary.fresh().failed(),
                        canary.old().all(),
                        canary.old().failed());
    }

    private void tell(String what) {
        LOG.log(Level.INFO, "move: {0}", what);
        story.add(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + what);
    }

    private void report(Shadow shadow, PrintStream out) throws IOException {
        out.println(verdict());
        story.forEach(out::println);
        out.print(shadow.text());
        List<Shadow.Chapter> chapters = new ArrayList<>();
        chapters.add(new Shadow.Chapter("What was done", story));
        Path trace = options.trace();
        if (oldConfig != null && trace != null) {
            Shadow.Chapter touched = oldConfig.touched(trace, servers.port());
            out.println(touched.lines().getFirst());
            chapters.add(touched);
        }
        out.flush();
        options.write(shadow, title(), chapters);
    }

    private String title() {
        return dry ? "Dry run of a move" : moved ? "Moved" : "Not moved";
    }

    private String verdict() {
        if (dry) {
            return moved ? "dry run: nothing differs" : "dry run: not ready to move";
        }
        return moved ? "moved: the new server serves" : "not moved: the old server serves";
    }
}
