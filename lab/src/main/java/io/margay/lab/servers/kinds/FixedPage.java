package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Servers that answer every path with one page, made of a source in the lab's jar: a loop in C,
/// and Margay's server with one handler.
record FixedPage(boolean isC) implements LabServer {
    private static final String C_SOURCE = "c-epoll.c";
    private static final String JAVA_SOURCE = "Plain.txt";

    static List<LabServer> variants() {
        return List.of(new FixedPage(true), new FixedPage(false));
    }

    @Override
    public String name() {
        return isC ? "c-epoll" : "margay-plain";
    }

    @Override
    public String title() {
        return isC ? "a loop in C (epoll)" : "Margay's server, one handler, no container";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.KNOWN);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (!isC) {
            return Build.HERE.availability(here);
        }
        return here.tools().find("cc").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install gcc");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return isC
                ? Tools.firstLine(here.tools().get("cc").toString(), "--version")
                : Build.HERE.version(here);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        String port = String.valueOf(setting.http());
        List<String> command = new ArrayList<>();
        if (isC) {
            Path source = copy(C_SOURCE, setting.folder().resolve(C_SOURCE));
            Path program = setting.folder().resolve("c-epoll");
            Tools.run(
                    List.of(
                            here.tools().get("cc").toString(),
                            "-O2",
                            "-o",
                            program.toString(),
                            source.toString()),
                    setting.folder());
            command.addAll(List.of(program.toString(), port));
        } else {
            Path source = copy(JAVA_SOURCE, setting.folder().resolve("Plain.java"));
            command.add(here.java());
            command.addAll(here.javaOptions());
            command.addAll(
                    List.of(
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            libraries(here) + "/*",
                            source.toString(),
                            port));
        }
        return List.of(new Tier(name(), command, Map.of(), List.of(setting.http())));
    }

    /// Margay's jars, in a checkout or a distribution.
    private static Path libraries(LabEnvironment here) {
        Path built = here.home().resolve("app/target/lib");
        return Files.isDirectory(built) ? built : here.home().resolve("lib");
    }

    private static Path copy(String resource, Path target) throws IOException {
        try (InputStream in = FixedPage.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is missing from the lab's jar");
            }
            Files.copy(in, target);
        }
        return target;
    }
}
