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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Servers that answer every path with one page, made of a source in the lab's jar: a loop in C,
/// the same with HTTPS by OpenSSL, and Margay's server with one handler.
record FixedPage(Program program) implements LabServer {
    /// What it is made of.
    enum Program {
        C,
        C_TLS,
        JAVA
    }

    /// Where Debian's `libssl-dev` puts it.
    private static final Path OPENSSL = Path.of("/usr/include/openssl/ssl.h");

    private static final String C_SOURCE = "c-epoll.c";
    private static final String JAVA_SOURCE = "Plain.txt";

    static List<LabServer> variants() {
        return Arrays.stream(Program.values()).<LabServer>map(FixedPage::new).toList();
    }

    @Override
    public String name() {
        return switch (program) {
            case C -> "c-epoll";
            case C_TLS -> "c-epoll-tls";
            case JAVA -> "margay-plain";
        };
    }

    @Override
    public String title() {
        return switch (program) {
            case C -> "a loop in C (epoll)";
            case C_TLS -> "a loop in C (epoll, OpenSSL)";
            case JAVA -> "Margay's server, one handler, no container";
        };
    }

    @Override
    public Set<Feature> features() {
        return program == Program.C_TLS
                ? EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.KNOWN)
                : EnumSet.of(Feature.HTTP, Feature.KNOWN);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (program == Program.JAVA) {
            return Build.HERE.availability(here);
        }
        if (here.tools().find("cc").isEmpty()) {
            return Availability.missing("apt install gcc");
        }
        return program == Program.C || Files.exists(OPENSSL)
                ? Availability.HERE
                : Availability.missing("apt install libssl-dev");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return program != Program.JAVA
                ? Tools.firstLine(here.tools().get("cc").toString(), "--version")
                : Build.HERE.version(here);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        String port = String.valueOf(setting.http());
        List<String> command = new ArrayList<>();
        List<Integer> ports = List.of(setting.http());
        switch (program) {
            case C -> command.addAll(List.of(compiled(setting, List.of(), List.of()), port));
            case C_TLS -> {
                command.add(compiled(setting, List.of("-DTLS"), List.of("-lssl", "-lcrypto")));
                command.addAll(
                        List.of(
                                port,
                                String.valueOf(setting.https()),
                                setting.certificate().pem().toString(),
                                setting.certificate().key().toString()));
                ports = List.of(setting.http(), setting.https());
            }
            case JAVA -> {
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
        }
        return List.of(new Tier(name(), command, Map.of(), ports));
    }

    /// Compiles the loop in C.
    ///
    /// @return the program
    private static String compiled(Setting setting, List<String> options, List<String> libraries)
            throws IOException {
        Path source = copy(C_SOURCE, setting.folder().resolve(C_SOURCE));
        Path program = setting.folder().resolve("c-epoll");
        List<String> command =
                new ArrayList<>(List.of(setting.here().tools().get("cc").toString(), "-O2"));
        command.addAll(options);
        command.addAll(List.of("-o", program.toString(), source.toString()));
        command.addAll(libraries);
        Tools.run(command, setting.folder());
        return program.toString();
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
