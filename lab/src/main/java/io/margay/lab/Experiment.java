package io.margay.lab;

import io.margay.lab.machine.Machine;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.preset.Preset;
import io.margay.lab.preset.Scenario;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.RunResultBuilder;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.result.ServerFacts;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.OtherApp;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.site.Digests;
import io.margay.lab.site.Leftovers;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Runs one preset. Confined to the lab's thread, but for [#cancel], which is thread-safe.
final class Experiment {
    /// A share of the servers' core that other processes may take without mention.
    private static final double OTHERS_MAX = 0.05;

    /// No server spends a smaller share of its time inside the kernel, or in its own code.
    private static final double SPLIT_LEAST = 0.01;

    /// So many servers of each scenario fit into the two minutes of a quick run, ...
    private static final int QUICK_SERVERS = 8;

    /// ... and so many where each round is a ramp.
    private static final int QUICK_RAMPS = 4;

    private final Preset preset;
    private final LabOptions options;
    private final LabEnvironment here;
    private final Catalog catalog;
    private final Progress progress;
    private final Path folder;
    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final List<ScenarioRun> runs = new ArrayList<>();
    private final Map<String, ServerFacts> facts = new LinkedHashMap<>();
    private final Set<String> notes = new TreeSet<>();
    private Schedule schedule;
    private boolean pinned;
    private volatile boolean cancelled;
    private volatile Runnable stop = () -> {};

    Experiment(
            Preset preset,
            LabOptions options,
            LabEnvironment here,
            Catalog catalog,
            Progress progress,
            Path folder) {
        this.preset = preset;
        this.options = options;
        this.here = preset.javaOptions().map(here::withOptions).orElse(here);
        this.catalog = catalog;
        this.progress = progress;
        this.folder = folder;
        schedule = new Schedule(Pace.of(options), minutes(options), System.nanoTime());
    }

    /// Ends it soon: what was measured is kept, and every process is stopped.
    void cancel() {
        cancelled = true;
        stop.run();
    }

    private static double minutes(LabOptions options) {
        return options.minutes() == 0 && options.quick() ? Pace.QUICK_MINUTES : options.minutes();
    }

    private boolean isOver() {
        return cancelled || schedule.isOver();
    }

    /// Measures; ends early without an exception when it is cancelled.
    RunResult run() throws IOException {
        Map<Scenario, List<ServerSpec>> plan = plan();
        // What is fetched the first time is no part of the time that was asked for.
        schedule = new Schedule(Pace.of(options), minutes(options), System.nanoTime());
        Path site = folder.resolve("site");
        if (options.own().app().isEmpty()) {
            Site.make(here.webapps(), site);
        } else {
            Site.ofApp(Path.of(options.own().app()), site);
        }
        if (!options.own().against().isEmpty()) {
            Site.ofApp(Path.of(options.own().against()), OtherApp.site(site));
        }
        try (Bench bench =
                new Bench(here, folder, site, options.port(), options.cores(), preset.hasEcKey())) {
            pinned = bench.pinned();
            if (!pinned) {
                notes.add(
                        "Servers and load generator shared their processors: there are not two, or"
                                + " taskset is missing. Requests per second say little.");
            }
            if (bench.calls().isEmpty()) {
                notes.add(
                        "System calls were not counted: that needs perf (apt install linux-perf)"
                                + " and the right to use it.");
            }
            stop = bench::close;
            schedule(plan);
            for (Map.Entry<Scenario, List<ServerSpec>> entry : plan.entrySet()) {
                if (!isOver()) {
                    ScenarioRun run =
                            new ScenarioRun(
                                    entry.getKey(),
                                    entry.getValue(),
                                    schedule,
                                    bench,
                                    site,
                                    progress,
                                    () -> cancelled);
                    runs.add(run);
                    run.run(() -> facts(run, bench));
                }
            }
        } catch (IOException e) {
            if (!cancelled) {
                throw e;
            }
        } finally {
            Site.remove(site);
            Site.remove(OtherApp.site(site));
            Leftovers.remove(folder);
        }
        return result();
    }

    private void schedule(Map<Scenario, List<ServerSpec>> plan) {
        Set<String> running = Set.of();
        for (Map.Entry<Scenario, List<ServerSpec>> entry : plan.entrySet()) {
            Set<String> names = new LinkedHashSet<>();
            entry.getValue().forEach(spec -> names.add(spec.name()));
            Set<String> before = running;
            int starts = (int) names.stream().filter(name -> !before.contains(name)).count();
            schedule.plan(entry.getKey(), names.size(), starts);
            running = names;
        }
    }

    /// Notes what the servers are that have just been started.
    private void facts(ScenarioRun run, Bench bench) throws IOException {
        for (Cell cell : run.cells()) {
            ServerSpec spec = cell.spec;
            if (cell.isWell() && cell.server != null && !facts.containsKey(spec.name())) {
                facts.put(
                        spec.name(),
                        new ServerFacts(
                                spec.name(),
                                spec.title(),
                                bench.versions(spec),
                                Digests.of(cell.server.setting().folder(), folder)));
            }
        }
    }

    private RunResult result() {
        List<ScenarioResult> scenarios = runs.stream().map(ScenarioRun::result).toList();
        runs.forEach(run -> notes.addAll(run.notes()));
        if (options.quick()) {
            notes.add(
                    "A quick run: few and short rounds, servers barely warm."
                            + " Its figures are rough.");
        }
        if (!schedule.words().isEmpty()) {
            notes.add(schedule.words());
        }
        if (here.cache().isPresent()) {
            notes.add(RunResult.WITH_CACHE);
        }
        othersNote(scenarios);
        splitNote(scenarios);
        return RunResultBuilder.builder()
                .format(RunResult.currentFormat())
                .preset(preset.name())
                .started(started)
                .command(options.command())
                .quick(options.quick())
                .interrupted(cancelled)
                .seed(options.seed())
                .pinned(pinned)
                .machine(Machine.here())
                .servers(List.copyOf(facts.values()))
                .scenarios(scenarios)
                .notes(List.copyOf(notes))
                .build();
    }

    /// Says so when the machine had other work to do.
    private void othersNote(List<ScenarioResult> scenarios) {
        double worst =
                scenarios.stream()
                        .flatMap(scenario -> scenario.cells().stream())
                        .mapToDouble(cell -> cell.median(RoundResult::othersShare))
                        .max()
                        .orElse(0);
        if (worst > OTHERS_MAX) {
            notes.add(
                    "The machine was not quiet: other processes took up to %.0f %% of the servers'"
                                    .formatted(worst * 100)
                            + " core. Throughput and latency are worse than they would be.");
        }
    }

    /// Says so where user or system time alone cannot be right: the kernel estimates the two by
    /// samples, which fail on a busy machine, and lets neither fall.
    private void splitNote(List<ScenarioResult> scenarios) {
        Set<String> wrong = new TreeSet<>();
        for (ScenarioResult scenario : scenarios) {
            for (CellResult cell : scenario.cells()) {
                for (String tier : cell.tiers()) {
                    double user = cell.tierPer10k(tier, ProcessSample::userSeconds);
                    double system = cell.tierPer10k(tier, ProcessSample::systemSeconds);
                    if (Math.min(user, system) < (user + system) * SPLIT_LEAST) {
                        wrong.add(cell.server() + " in " + scenario.id());
                    }
                }
            }
        }
        if (!wrong.isEmpty()) {
            notes.add(
                    "The system's estimate of user and system time failed, for it is near nothing"
                            + " for one of them: "
                            + String.join(", ", wrong)
                            + ". Their sum is exact.");
        }
    }

    /// Which scenarios with which servers: those that were asked for and can run.
    private Map<Scenario, List<ServerSpec>> plan() throws IOException {
        Map<Scenario, List<ServerSpec>> plan = new LinkedHashMap<>();
        Set<LabServer> kinds = new LinkedHashSet<>();
        List<String> scenariosLeftOut = new ArrayList<>();
        List<String> withoutServers = new ArrayList<>();
        for (Scenario each : preset.scenarios()) {
            boolean wanted =
                    options.scenarios().isEmpty()
                            ? each.quick() || !options.quick()
                            : options.scenarios().contains(each.id());
            if (!wanted) {
                if (options.scenarios().isEmpty()) {
                    scenariosLeftOut.add(each.id());
                }
                continue;
            }
            Optional<Scenario> made =
                    options.servers().isEmpty()
                            ? Optional.of(each)
                            : preset.with(each, options.servers());
            if (made.isEmpty()) {
                withoutServers.add(each.id());
                continue;
            }
            Scenario scenario = made.get();
            List<ServerSpec> servers = servers(scenario);
            if (!servers.isEmpty()) {
                List<String> names = servers.stream().map(ServerSpec::name).toList();
                plan.put(scenario.with(names), servers);
                servers.forEach(server -> kinds.addAll(server.kinds()));
            }
        }
        if (!withoutServers.isEmpty()) {
            notes.add(
                    "Not measured, for none of the servers that were named is for them: "
                            + String.join(", ", withoutServers)
                            + ".");
        }
        if (!scenariosLeftOut.isEmpty()) {
            notes.add(
                    "A quick run takes part of the preset. Not measured: "
                            + String.join(", ", scenariosLeftOut)
                            + ".");
        }
        if (plan.isEmpty()) {
            throw LabException.usage("of " + preset.name() + " nothing can run here with that");
        }
        for (LabServer kind : kinds) {
            progress.now("fetching or making what %s needs, if it is not here yet", kind.title());
            kind.fetch(here);
        }
        return plan;
    }

    /// What a server must speak for a scenario beside HTTP/1.1.
    private static Set<Feature> wires(Scenario scenario) {
        if (scenario.load().quic()) {
            return Set.of(Feature.HTTP3);
        }
        if (scenario.load().streams() > 0) {
            return Set.of(scenario.load().tls() ? Feature.HTTP2 : Feature.HTTP2_CLEAR);
        }
        return scenario.load().tls() ? Set.of(Feature.HTTPS) : Set.of();
    }

    private List<ServerSpec> servers(Scenario scenario) {
        List<ServerSpec> servers = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<String> mute = new ArrayList<>();
        int quickMost = scenario.metric() == Metric.KNEE ? QUICK_RAMPS : QUICK_SERVERS;
        for (String name : scenario.servers()) {
            if (options.quick() && options.servers().isEmpty() && servers.size() == quickMost) {
                leftOut.add(name);
                continue;
            }
            ServerSpec spec = catalog.spec(name);
            Availability availability = spec.availability(here);
            if (!availability.ready()) {
                notes.add(name + " was left out: " + availability.words());
                progress.done("%s is left out: %s", name, availability.words());
            } else if (!spec.features().containsAll(wires(scenario))) {
                mute.add(name);
            } else if (scenario.page().path(spec.features()).isPresent()) {
                servers.add(spec);
            } else {
                notes.add(name + " has no " + scenario.page().title() + ".");
            }
        }
        if (!mute.isEmpty()) {
            notes.add(
                    "Left out of %s, because %s is missing here: %s."
                            .formatted(
                                    scenario.id(),
                                    scenario.load().protocol(),
                                    String.join(", ", mute)));
        }
        if (!leftOut.isEmpty()) {
            notes.add(
                    "Left out of "
                            + scenario.id()
                            + ", as this is a quick run: "
                            + String.join(", ", leftOut)
                            + ". --servers names those that are wanted.");
        }
        return servers;
    }
}
