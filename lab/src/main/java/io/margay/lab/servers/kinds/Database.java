package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A PostgreSQL of its own for the application of a server. Stateless.
final class Database {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";

    private Database() {}

    static Availability availability() {
        return program("initdb").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install postgresql");
    }

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /// Makes the database in the folder of a server, and says how to start it.
    static Tier tier(Setting setting, int port) throws IOException {
        Path data = Files.createDirectory(setting.folder().resolve("database"));
        if (isRoot()) {
            var users = data.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(data, users.lookupPrincipalByName(USER));
        }
        String folder = data.toString();
        Tools.run(
                command(
                        "initdb",
                        "--no-sync",
                        "--auth=trust",
                        "--username=" + USER,
                        "--encoding=UTF8",
                        "--locale=C",
                        "--pgdata=" + folder),
                data);
        return new Tier(
                "database",
                command(
                        "postgres",
                        "-F",
                        "-D",
                        folder,
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-k",
                        ""),
                Map.of(),
                List.of(port));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--init-groups"));
        }
        command.add(program(program).map(Path::toString).orElse(program));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Optional<Path> program(String name) {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(VERSIONS)) {
            return found.map(version -> version.resolve("bin").resolve(name))
                    .filter(Files::isExecutable)
                    .max(Comparator.naturalOrder());
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
