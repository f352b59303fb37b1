package io.margay.lab;

import io.margay.lab.cluster.ClusterSizes;
import io.margay.lab.cluster.LocalCluster;
import io.margay.lab.machine.Tools;
import io.margay.lab.preset.Mine.Own;
import io.margay.lab.preset.Page;
import io.margay.lab.preset.Preset;
import io.margay.lab.preset.Presets;
import io.margay.lab.preset.Scenario;
import io.margay.lab.preset.SelfTest;
import io.margay.lab.report.BuildReport;
import io.margay.lab.report.CompareReport;
import io.margay.lab.report.HtmlReport;
import io.margay.lab.report.MeasurementsPage;
import io.margay.lab.report.TextReport;
import io.margay.lab.result.BuildComparison.Verdict;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.EarlierBuild;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabEnvironmentBuilder;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.MavenPeers;
import io.margay.lab.servers.NearestName;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The commands of the lab. Confined to one thread, but for the shutdown hook that a run installs.
public final class Lab {
    private static final System.Logger LOG = System.getLogger(Lab.class.getName());
    private static final String JSON = "result.json";
    private static final String MARKDOWN = "before-after.md";
    private static final String HTML = "report.html";
    private static final long SAVE_SECONDS_MAX = 30;
    private static final double MINUTES_LEAST = 0.5;

    /// The same memory and collector for every server written in Java.
    private static final List<String> JAVA_OPTIONS =
            List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");

    private final PrintStream out;
    private final PrintStream err;
    private final Catalog catalog = Catalog.all();
    private LabEnvironment here;

    /// Where Margay's cache of loaded classes is kept; nothing where runs are to do without.
    private final Optional<Path> caches;

    private final boolean terminal;

    /// @param home the checkout or the unpacked distribution of Margay
    /// @param terminal whether stderr is one
    public Lab(
            PrintStream out,
            PrintStream err,
            boolean terminal,
            Path home,
            Map<String, String> environment) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        Tools tools = Tools.ofThisMachine(environment);
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path peers =
                (cache.isEmpty()
                                ? Path.of(System.getProperty("user.home"), ".cache")
                                : Path.of(cache))
                        .resolve("margay-lab");
        caches =
                environment.getOrDefault("MARGAY_NO_CACHE", "").isEmpty()
                        ? Optional.of(peers.resolve("margay-cache"))
                        : Optional.empty();
        Path built = home.resolve("examples/target/webapps");
        here =
                LabEnvironmentBuilder.builder()
                        .home(home)
                        .before(Optional.empty())
                        .webapps(
                                Files.isDirectory(built) ? built : home.resolve("examples/webapps"))
                        .peers(peers)
                        .javaHome(Path.of(System.getProperty("java.home")))
                        .javaOptions(JAVA_OPTIONS)
                        .tools(tools)
                        .maven(new MavenPeers(peers, tools))
                        .cache(Optional.empty())
                        .build();
    }

    /// Prints the presets, and the servers with what they need.
    public void list() {
        out.println("Presets (margay lab run NAME):");
        for (Preset preset : Presets.all()) {
            out.printf("  %-14s %s%n", preset.name(), preset.title());
            for (Scenario scenario : preset.scenarios()) {
                out.printf("      %-12s %s%n", scenario.id(), scenario.title());
            }
        }
        out.println("\nServers (--servers A,B; FRONT/BACK for two tiers, BACK*2 for two of them):");
        for (LabServer server : catalog.servers()) {
            Availability availability = server.availability(here);
            String state =
                    !availability.ready()
                            ? "not here: " + availability.words()
                            : availability.words().isEmpty()
                                    ? "ready"
                                    : "ready; " + availability.words();
            String name = server.name() + (server.isFront() ? "/…" : "");
            out.printf("  %-22s %-44s %s%n", name, server.title(), state);
        }
        if (Runtime.getRuntime().availableProcessors() < 2) {
            out.println("\nThis machine has one processor: servers and load will share it.");
        }
    }

    /// Runs presets, one after the other.
    ///
    /// @return whether everything was measured
    public boolean run(LabOptions options) {
        if (options.presets().isEmpty()) {
            throw LabException.usage(
                    "\"lab run\" needs a preset: " + String.join(", ", Presets.names()));
        }
        List<Preset> presets = new ArrayList<>();
        Own asked = own(options.own());
        for (String name : options.presets()) {
            presets.add(
                    Presets.find(name, asked)
                            .orElseThrow(() ->
                                    LabException.usage(
                                            "there is no preset \""
                                                    + name
                                                    + "\""
                                                    + NearestName.hint(name, Presets.names()))));
        }
        checkApp(options);
        checkBefore(presets, options);
        checkScenarios(presets, options);
        for (String name : options.servers()) {
            try {
                ServerSpec _ = catalog.spec(name);
            } catch (IllegalArgumentException e) {
                throw LabException.usage(String.valueOf(e.getMessage()));
            }
        }
        if (!Files.isDirectory(here.webapps())) {
            throw LabException.failed(
                    "the example applications are not built; \"make build\" does it",
                    new IOException(here.webapps().toString()));
        }
        buildBefore(options);
        here = caches.map(here::caching).orElse(here);
        boolean whole = true;
        long startNanos = System.nanoTime();
        for (int i = 0; i < presets.size(); i++) {
            double left = options.minutes() - (System.nanoTime() - startNanos) / 60e9;
            double share = share(presets.subList(i, presets.size()), options);
            LabOptions own =
                    options.minutes() == 0
                            ? options
                            : options.within(Math.max(MINUTES_LEAST, left * share));
            whole &= run(presets.get(i), own, presets.size() > 1);
        }
        return whole;
    }

    /// Has the other Margay that was asked for built, before anything is measured.
    private void buildBefore(LabOptions options) {
        if (options.before().isEmpty()) {
            return;
        }
        Progress progress = new Progress(err, terminal);
        try {
            here =
                    here.with(
                            EarlierBuild.of(
                                    options.before(),
                                    here.home(),
                                    words -> progress.done("%s", words)));
        } catch (IOException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    /// The share of the first of some presets in the time of all: by what there is to measure.
    private static double share(List<Preset> presets, LabOptions options) {
        double all = presets.stream().mapToDouble(it -> cells(it, options)).sum();
        return all == 0 ? 1 : cells(presets.getFirst(), options) / all;
    }

    private static double cells(Preset preset, LabOptions options) {
        return preset.scenarios().stream()
                .filter(it ->
                        options.scenarios().isEmpty() || options.scenarios().contains(it.id()))
                .mapToDouble(it ->
                        it.metric() == Metric.KNEE || it.startsAnew() ? 3 * cells(it) : cells(it))
                .sum();
    }

    private static double cells(Scenario scenario) {
        return scenario.servers().size();
    }

    /// What the preset `mine` does.
    private static Own own(LabOptions.Own options) {
        boolean against = !options.against().isEmpty();
        if (options.trace().isEmpty()) {
            return new Own(Page.own(options.path(), options.expect()), Optional.empty(), against);
        }
        Path file = Path.of(options.trace()).toAbsolutePath();
        return new Own(Page.trace(file), Optional.of(options.speed()), against);
    }

    private static void checkScenarios(List<Preset> presets, LabOptions options) {
        List<String> known =
                presets.stream()
                        .flatMap(preset -> preset.scenarios().stream())
                        .map(Scenario::id)
                        .distinct()
                        .toList();
        for (String name : options.scenarios()) {
            if (!known.contains(name)) {
                throw LabException.usage(
                        "there is no scenario \"" + name + "\"" + NearestName.hint(name, known));
            }
        }
    }

    private static void checkBefore(List<Preset> presets, LabOptions options) {
        if (options.before().isEmpty() && presets.stream().anyMatch(Preset::needsBefore)) {
            throw LabException.usage(
                    "--before says which commit or checkout Margay is compared with");
        }
    }

    private static void checkApp(LabOptions options) {
        boolean mine = options.presets().contains("mine");
        if (mine && options.presets().size() > 1) {
            throw LabException.usage("\"mine\" is run alone");
        }
        if (mine == options.own().app().isEmpty()) {
            throw LabException.usage(
                    mine
                            ? "\"mine\" needs --app, a WAR or unpacked application"
                            : "--app belongs to the preset \"mine\"");
        }
        LabOptions.Own own = options.own();
        for (String file : List.of(own.app(), own.against(), own.trace())) {
            if (!file.isEmpty() && !mine) {
                throw LabException.usage("--against and --trace belong to the preset \"mine\"");
            }
            if (!file.isEmpty() && !Files.exists(Path.of(file))) {
                throw LabException.usage(file + " does not exist");
            }
        }
        if (!own.path().startsWith("/")) {
            throw LabException.usage("--path begins with /, not as \"" + own.path() + "\"");
        }
        if (!own.against().isEmpty() && options.servers().size() > 1) {
            throw LabException.usage("--against compares two builds on one of the --servers");
        }
    }

    private boolean run(Preset preset, LabOptions options, boolean several) {
        Path folder = folder(preset, options, several);
        try {
            RunResult result = measure(preset, options, folder);
            if (!preset.comparesBuilds()) {
                out.println(TextReport.of(result, Optional.of(preset)));
            }
            out.println(folder.resolve(JSON));
            out.println(folder.resolve(HTML));
            return (!preset.comparesBuilds() || isNoWorse(result, folder))
                    && !result.interrupted()
                    && result.scenarios().stream()
                            .flatMap(scenario -> scenario.cells().stream())
                            .allMatch(cell -> cell.failure().isEmpty());
        } catch (IOException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    /// Measures, and writes the result and its report.
    private RunResult measure(Preset preset, LabOptions options, Path folder) throws IOException {
        Progress progress = new Progress(err, terminal);
        Experiment experiment = new Experiment(preset, options, here, catalog, progress, folder);
        CountDownLatch saved = new CountDownLatch(1);
        Thread hook =
                new Thread(
                        () -> {
                            experiment.cancel();
                            await(saved);
                            stopAll();
                        },
                        "margay-lab-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Files.createDirectories(folder);
            RunResult result = experiment.run();
            result.write(folder.resolve(JSON));
            Files.writeString(folder.resolve(HTML), HtmlReport.of(result, Optional.of(preset)));
            progress.done("");
            return result;
        } finally {
            saved.countDown();
            remove(hook);
        }
    }

    /// Tests the lab: runs a preset whose outcome is known, many times over.
    ///
    /// @param options of each trial but for the seed
    /// @return whether enough of them have said what is true
    public boolean trials(LabOptions options, int trials, Path folder) {
        String name = options.presets().getFirst();
        Preset preset =
                Presets.find(name)
                        .filter(it -> it instanceof SelfTest)
                        .orElseThrow(() ->
                                LabException.usage("\"trials\" needs one of " + SelfTest.names()));
        try {
            return Trials.run(
                    name.equals("aa"),
                    trials,
                    Files.createDirectories(folder.toAbsolutePath()),
                    (seed, own) -> measure(preset, options.seeded(seed), own),
                    out::println);
        } catch (IOException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    /// Prints what a change has done, as a table that is kept beside the result.
    ///
    /// @return whether no row is worse and each could be measured
    private boolean isNoWorse(RunResult result, Path folder) throws IOException {
        BuildReport report = new BuildReport(result);
        Path file = Files.writeString(folder.resolve(MARKDOWN), report.markdown());
        out.println(file);
        out.println();
        out.print(report.markdown());
        return report.count(Verdict.WORSE) + report.count(Verdict.NONE) == 0;
    }

    private static void await(CountDownLatch saved) {
        try {
            boolean _ = saved.await(SAVE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whatever the run has not ended itself, such as Maven in the middle of fetching.
    private static void stopAll() {
        try (Stream<ProcessHandle> left = ProcessHandle.current().descendants()) {
            left.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "the JVM is ending already, and the hook has run", e);
        }
    }

    private static Path folder(Preset preset, LabOptions options, boolean several) {
        if (!options.out().isEmpty()) {
            Path out = Path.of(options.out()).toAbsolutePath();
            Path folder = several ? out.resolve(preset.name()) : out;
            if (Files.exists(folder.resolve(JSON))) {
                throw LabException.usage(folder + " holds the result of another run");
            }
            return folder;
        }
        String time =
                LocalDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        return Path.of("lab-runs", preset.name() + "-" + time).toAbsolutePath();
    }

    /// Measures by a procedure of its own.
    public interface Study {
        /// @param folder of its own
        /// @param says what goes on
        /// @return its tables
        String run(LabEnvironment here, Path folder, Consumer<String> says) throws IOException;
    }

    /// Runs a study, and prints its tables, which are kept in the folder, too.
    ///
    /// @param file the name that they are kept under
    public void study(Path folder, String file, Study study) {
        Progress progress = new Progress(err, terminal);
        Thread hook = new Thread(Lab::stopAll, "margay-lab-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Path own = Files.createDirectories(folder).toAbsolutePath();
            String tables = study.run(here, own, words -> progress.done("%s", words));
            Files.writeString(own.resolve(file), tables);
            out.println();
            out.print(tables);
        } catch (IOException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        } finally {
            remove(hook);
        }
    }

    /// Starts a cluster, says what to try, and keeps it at work until the process is told to end.
    public void cluster(ClusterSizes sizes) {
        long begin = System.nanoTime();
        try {
            Path folder = Files.createTempDirectory("margay-cluster-");
            LocalCluster cluster =
                    new LocalCluster(here, folder, sizes, words -> err.println("margay: " + words));
            Thread hook =
                    new Thread(
                            () -> {
                                cluster.close();
                                remove(folder);
                            },
                            "margay-lab-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            cluster.start();
            double seconds = (System.nanoTime() - begin) / 1e9;
            out.printf("The cluster is ready after %.1f s; Ctrl-C ends it.%n%n", seconds);
            out.println(cluster.description());
            out.flush();
            cluster.watch();
        } catch (IOException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(Path folder) {
        try {
            Site.remove(folder);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a folder of a cluster is left", e);
        }
    }

    /// Prints two runs side by side.
    public void compare(Path first, Path second) {
        out.println(CompareReport.of(read(first), read(second)));
    }

    /// Draws the report of a run again, beside its JSON file.
    public void report(Path file) {
        RunResult result = read(file);
        Optional<Preset> preset = Presets.find(result.preset());
        Path html = file.toAbsolutePath().resolveSibling(HTML);
        try {
            Files.writeString(html, HtmlReport.of(result, preset));
        } catch (IOException e) {
            throw LabException.failed(html + " cannot be written: " + e.getMessage(), e);
        }
        out.println(TextReport.of(result, preset));
        out.println(html);
    }

    /// Writes the page of figures of some runs, one of each preset, with its drawings.
    ///
    /// @param runs their folders or JSON files
    /// @param readme a page that shows the comparisons that stand for all between its marks
    public void publish(Path folder, List<Path> runs, Optional<Path> readme) {
        List<RunResult> results =
                runs.stream()
                        .map(run -> read(Files.isDirectory(run) ? run.resolve(JSON) : run))
                        .toList();
        MeasurementsPage page = new MeasurementsPage(results);
        try {
            page.write(folder);
            if (readme.isPresent()) {
                page.headlinesInto(readme.get());
            }
        } catch (IOException e) {
            throw LabException.failed("cannot write: " + e.getMessage(), e);
        }
    }

    private static RunResult read(Path file) {
        try {
            return RunResult.read(file);
        } catch (IOException e) {
            throw LabException.failed(file + " cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw LabException.failed(String.valueOf(e.getMessage()), e);
        }
    }
}
