package io.margay.lab.servers.kinds;

import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The Margay of this checkout with a configuration file of its own. In no list: it is no peer of
/// another server.
interface ThisMargay extends Build.Server {
    /// The text of its `margay.yaml`.
    String configuration(Setting setting);

    /// The ports that tell when it is ready.
    List<Integer> ports(Setting setting);

    @Override
    default Build build() {
        return Build.HERE;
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
