package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The Margay of this checkout with a configuration file of its own. In no list: it is no peer of
/// another server.
interface ThisMargay extends LabServer {
    /// The text of its `margay.yaml`.
    String configuration(Setting setting);

    /// The ports that tell when it is ready.
    List<Integer> ports(Setting setting);

    @Override
    default Availability availability(LabEnvironment here) {
        return Build.HERE.availability(here);
    }

    @Override
    default void fetch(LabEnvironment here) throws IOException {
        Build.HERE.makeCache(here);
    }

    @Override
    default String version(LabEnvironment here) throws IOException {
        return Build.HERE.version(here);
    }

    @Override
    default List<Tier> prepare(Setting setting) throws IOException {
        Path file = setting.folder().resolve("margay.yaml");
        Files.writeString(file, configuration(setting));
        LabEnvironment here = setting.here();
        return List.of(
                new Tier(
                        "margay",
                        List.of(Build.HERE.launcher(here), "run", file.toString()),
                        Build.environment(here),
                        ports(setting)));
    }
}
