package io.margay.lab.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A server with the other build of somebody's application, `SERVER@b`. Immutable.
public record OtherApp(LabServer server) implements LabServer {
    /// How its name ends.
    public static final String MARK = "@b";

    /// The folder of the other build.
    ///
    /// @param site that of the first one
    public static Path site(Path site) {
        return site.resolveSibling(site.getFileName() + "-b");
    }

    @Override
    public String name() {
        return server.name() + MARK;
    }

    @Override
    public String title() {
        return server.title() + ", --against";
    }

    @Override
    public Set<Feature> features() {
        return server.features();
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return server.availability(here);
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        server.fetch(here);
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return server.version(here);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        return server.prepare(setting.serving(site(setting.webapps())));
    }
}
