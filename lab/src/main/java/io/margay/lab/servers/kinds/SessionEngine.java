package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A process that keeps the sessions of a server, at the port that the server would have for AJP,
/// and writes nothing to disk that it can keep in memory.
enum SessionEngine {
    NONE,
    /// `valkey-server` or `redis-server`.
    VALKEY,
    /// H2, with a database in memory.
    H2;

    private static Optional<Path> valkey(LabEnvironment here) {
        return here.tools().find("valkey-server").or(() -> here.tools().find("redis-server"));
    }

    Availability availability(LabEnvironment here) {
        return switch (this) {
            case NONE -> Availability.HERE;
            case VALKEY ->
                    valkey(here).isPresent()
                            ? Availability.HERE
                            : Availability.missing("apt install redis-server");
            case H2 ->
                    Files.isDirectory(libraries(here))
                            ? Availability.HERE
                            : Availability.missing("the example applications: \"make build\"");
        };
    }

    private static Path libraries(LabEnvironment here) {
        return here.webapps().resolve("guestbook/WEB-INF/lib");
    }

    /// The driver of H2, which one of the example applications has.
    static Path driver(LabEnvironment here) throws IOException {
        try (Stream<Path> all = Files.list(libraries(here))) {
            return all.filter(it -> String.valueOf(it.getFileName()).startsWith("h2"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no H2 in " + libraries(here)));
        }
    }

    /// Where H2 is.
    static String url(Setting setting) {
        return "jdbc:h2:tcp://127.0.0.1:" + setting.ajp() + "/mem:sessions;DB_CLOSE_DELAY=-1";
    }

    /// The process, if there is one.
    Optional<Tier> tier(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        String port = String.valueOf(setting.ajp());
        List<String> command;
        switch (this) {
            case NONE -> {
                return Optional.empty();
            }
            case VALKEY ->
                    command =
                            List.of(
                                    valkey(here).orElseThrow().toString(),
                                    "--bind",
                                    "127.0.0.1",
                                    "--port",
                                    port,
                                    "--save",
                                    "",
                                    "--dir",
                                    setting.folder().toString());
            case H2 ->
                    command =
                            List.of(
                                    here.java(),
                                    "-Xmx256m",
                                    "-cp",
                                    driver(here).toString(),
                                    "org.h2.tools.Server",
                                    "-tcp",
                                    "-tcpPort",
                                    port,
                                    "-ifNotExists");
            default -> throw new IllegalStateException();
        }
        return Optional.of(new Tier("engine", command, Map.of(), List.of(setting.ajp())));
    }
}
