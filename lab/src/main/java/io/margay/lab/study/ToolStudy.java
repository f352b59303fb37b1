package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcStat;
import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.servers.known.Calibration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The lab's load generator beside wrk, ab, h2load and openssl, in turn on the same servers: do
/// they agree? Confined to one thread.
public final class ToolStudy {
    /// By the package of Debian that has it.
    private static final Map<String, String> PACKAGES =
            Map.of(
                    "wrk", "wrk",
                    "ab", "apache2-utils",
                    "h2load", "nghttp2-client",
                    "openssl", "openssl");

    private static final int CONNECTIONS = 100;
    private static final int BURN_MICROS = 100;
    private static final int WARM_UP_ROUNDS = 3;
    private static final String FILE = "/pages/small.html";
    private static final Pattern WRK = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern AB = Pattern.compile("Requests per second: +([0-9.]+)");
    private static final Pattern AB_COUNT = Pattern.compile("Complete requests: +([0-9]+)");
    private static final Pattern H2LOAD = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
    private static final Pattern OPENSSL = Pattern.compile("([0-9]+) connections in .* real sec");

    private final LabEnvironment here;
    private final Path folder;
    private final Consumer<String> says;
    private final Set<String> installed = new TreeSet<>();
    private final ToolAgreement agreement = new ToolAgreement();

    public ToolStudy(LabEnvironment here, Path folder, Consumer<String> says) {
        this.here = here;
        this.folder = folder;
        this.says = says;
    }

    /// Measures.
    ///
    /// @param seconds of each tool in each round
    public ToolAgreement run(int rounds, int seconds) throws IOException {
        PACKAGES.forEach((tool, aptPackage) -> {
            if (here.tools().find(tool).isPresent()) {
                installed.add(tool);
            } else {
                says.accept(tool + " is left out: apt install " + aptPackage);
            }
        });
        if (installed.isEmpty()) {
            throw new IOException("none of the tools is installed");
        }
        Calibration fixed = Calibration.ofFixedCost(BURN_MICROS);
        try (StudyServers servers = new StudyServers(here, folder, "0", false);
                RunningServer known =
                        servers.start(new ServerSpec(fixed.name(), fixed, List.of()), here, "/");
                RunningServer margay =
                        servers.start(Catalog.all().spec("margay:native"), here, FILE);
                GeneratorProcess generator = servers.generator(here)) {
            String pem = servers.certificate().pem().toString();
            // The compilers of the servers and of the generator are done before anything is
            // counted.
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                LoadResult _ = load(known.setting().http(), "/", generator, seconds);
                LoadResult _ = load(margay.setting().http(), FILE, generator, seconds);
                handshakes(margay, generator, pem, seconds, new ToolAgreement());
            }
            for (int i = 0; i < rounds; i++) {
                rates("rate", known.setting().http(), "/", generator, seconds);
                rates("cost", margay.setting().http(), FILE, generator, seconds);
                handshakes(margay, generator, pem, seconds, agreement);
                says.accept("round %d of %d".formatted(i + 1, rounds));
            }
            return agreement;
        }
    }

    private static LoadResult load(int port, String path, GeneratorProcess generator, int seconds)
            throws IOException {
        LoadJob job =
                LoadJob.closed(CONNECTIONS, false, true)
                        .to(port, List.of(path), "")
                        .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
        return generator.load(job, () -> {}, _ -> {}, () -> {});
    }

    private void rates(String kind, int port, String path, GeneratorProcess generator, int seconds)
            throws IOException {
        LoadResult own = load(port, path, generator, seconds);
        double cost = (own.userSeconds() + own.systemSeconds()) * 10_000 / own.requests();
        agreement.add(kind, ToolAgreement.LAB, own.perSecond(), cost);
        String url = "http://127.0.0.1:" + port + path;
        String time = String.valueOf(seconds);
        rate(kind, WRK, seconds, "wrk", "-t", "1", "-c", "100", "-d", time + "s", url);
        rate(kind, AB, seconds, "ab", "-q", "-k", "-c", "100", "-n", "100000000", "-t", time, url);
        rate(kind, H2LOAD, seconds, "h2load", "--h1", "-c", "100", "-t", "1", "-D", time, url);
    }

    private void rate(String kind, Pattern pattern, int seconds, String... words)
            throws IOException {
        if (!installed.contains(words[0])) {
            return;
        }
        double before = childSeconds();
        double perSecond = number(pattern, tool(words));
        double cost = (childSeconds() - before) * 10_000 / (perSecond * seconds);
        agreement.add(kind, words[0], perSecond, cost);
    }

    /// A connection for each request, one after the other: with several at a time a server that a
    /// faster client keeps busier needs less for each.
    private void handshakes(
            RunningServer margay,
            GeneratorProcess generator,
            String pem,
            int seconds,
            ToolAgreement into)
            throws IOException {
        int port = margay.setting().https();
        LoadJob job =
                LoadJob.closed(1, true, false)
                        .to(port, List.of(FILE), pem)
                        .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
        double before = StudyServers.sample(margay).cpuSeconds();
        LoadResult own = generator.load(job, () -> {}, _ -> {}, () -> {});
        double after = StudyServers.sample(margay).cpuSeconds();
        into.add("tls", ToolAgreement.LAB, own.perSecond(), (after - before) * 1e4 / own.opened());
        String time = String.valueOf(seconds);
        String host = "127.0.0.1:" + port;
        String url = "https://" + host + FILE;
        handshake(margay, AB_COUNT, seconds, into, "ab", "-q", "-n", "1000000", "-t", time, url);
        handshake(
                margay,
                OPENSSL,
                seconds,
                into,
                "openssl",
                "s_time",
                "-connect",
                host,
                "-new",
                "-time",
                time,
                "-www",
                FILE,
                "-CAfile",
                pem);
    }

    private void handshake(
            RunningServer margay, Pattern pattern, int seconds, ToolAgreement into, String... words)
            throws IOException {
        if (!installed.contains(words[0])) {
            return;
        }
        double before = StudyServers.sample(margay).cpuSeconds();
        double count = number(pattern, tool(words));
        double used = StudyServers.sample(margay).cpuSeconds() - before;
        into.add("tls", words[0], count / seconds, used * 10_000 / count);
    }

    private String tool(String... words) throws IOException {
        List<String> command = new ArrayList<>(StudyServers.pinned(here, "1"));
        command.addAll(List.of(words));
        return Tools.run(command, folder);
    }

    private static double number(Pattern pattern, String text) throws IOException {
        Matcher found = pattern.matcher(text);
        if (!found.find()) {
            throw new IOException("no figure in: " + text);
        }
        return Double.parseDouble(found.group(1));
    }

    /// CPU time of the tools that have ended.
    private static double childSeconds() throws IOException {
        return ProcStat.endedChildrenSeconds(ProcessHandle.current().pid());
    }
}
