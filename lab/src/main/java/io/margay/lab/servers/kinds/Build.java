package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.EarlierBuild;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which Margay a server is started from.
enum Build {
    /// The checkout or distribution that the lab belongs to.
    HERE("margay", "gateway", "Margay"),
    /// The other commit or checkout that this one is compared with.
    BEFORE("before", "before-gateway", "Margay before");

    /// Half a minute on an idle machine.
    private static final System.Logger LOG = System.getLogger(Build.class.getName());

    private static final long CACHE_SECONDS_MAX = 300;

    /// A server of a build.
    interface Server extends LabServer {
        Build build();

        @Override
        default Availability availability(LabEnvironment here) {
            return build().availability(here);
        }

        @Override
        default void fetch(LabEnvironment here) throws IOException {
            build().makeCache(here);
        }

        @Override
        default String version(LabEnvironment here) throws IOException {
            return build().version(here);
        }
    }

    private final String kind;
    private final String gateway;
    private final String title;

    Build(String kind, String gateway, String title) {
        this.kind = kind;
        this.gateway = gateway;
        this.title = title;
    }

    /// What its servers are called on the command line, before the colon.
    String kind() {
        return kind;
    }

    /// What its gateways are called there.
    String gateway() {
        return gateway;
    }

    String title() {
        return title;
    }

    private Optional<Path> folder(LabEnvironment here) {
        return this == HERE ? Optional.of(here.home()) : here.before();
    }

    Availability availability(LabEnvironment here) {
        Optional<Path> folder = folder(here);
        if (folder.isEmpty()) {
            return Availability.missing("--before COMMIT says which");
        }
        return Files.isExecutable(folder.get().resolve("margay"))
                ? Availability.HERE
                : Availability.missing("no margay in " + folder.get());
    }

    /// The program that starts it.
    String launcher(LabEnvironment here) {
        return folder(here).orElseThrow().resolve("margay").toString();
    }

    /// The folder of its jars.
    Path libraries(LabEnvironment here) {
        Path root = folder(here).orElseThrow();
        Path built = root.resolve("app/target/lib");
        return Files.isDirectory(built) ? built : root.resolve("lib");
    }

    /// What it is told beside its arguments. Its cache of loaded classes is made before anything is
    /// measured ([#makeCache]) or not at all: a process that makes one would be measured as part of
    /// the server.
    static Map<String, String> environment(LabEnvironment here) {
        Map<String, String> environment = new HashMap<>();
        environment.put("MARGAY_JAVA_HOME", here.javaHome().toString());
        environment.put("MARGAY_JAVA_OPTS", String.join(" ", here.javaOptions()));
        environment.put("MARGAY_NO_BUILD", "1");
        here.cache()
                .ifPresentOrElse(
                        folder -> environment.put("MARGAY_CACHE_DIR", folder.toString()),
                        () -> environment.put("MARGAY_NO_CACHE", "1"));
        return environment;
    }

    /// Makes the cache that its servers start with, where they are to have one and it is missing.
    /// Where it cannot be made they start without, and make none.
    void makeCache(LabEnvironment here) throws IOException {
        if (here.cache().isEmpty()) {
            return;
        }
        Files.createDirectories(here.cache().get());
        try {
            String _ =
                    Tools.run(
                            List.of(launcher(here), "cache"),
                            here.home(),
                            environment(here),
                            CACHE_SECONDS_MAX);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "measured without the cache for faster starts: {0}",
                    e.toString());
        }
    }

    /// What it says of itself, and its commit where that is known.
    String version(LabEnvironment here) throws IOException {
        Path folder = folder(here).orElseThrow();
        String version =
                Tools.run(List.of(launcher(here), "version"), folder)
                        .lines()
                        .findFirst()
                        .orElse("");
        String commit = EarlierBuild.commit(folder);
        return commit.isEmpty() ? version : version + ", " + commit;
    }
}
