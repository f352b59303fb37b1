package io.margay.testkit.program;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/// Programs of others that tests run. Where one is missing the test that asks for it is skipped,
/// and says what would bring it; `make test` lists that at its end, and fails for it in continuous
/// integration. `MARGAY_TEST_HIDE`, names with commas between them or `all`, hides them, so that
/// this can be tried. Stateless.
public final class Program {
    /// Where servers lie that are in no user's path.
    private static final List<String> FOLDERS =
            List.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin");

    /// Debian's packages, where they are named otherwise than the program.
    private static final Map<String, String> PACKAGES =
            Map.of(
                    "mariadbd", "mariadb-server",
                    "mariadb-install-db", "mariadb-server",
                    "initdb", "postgresql",
                    "pg_ctl", "postgresql",
                    "postgres", "postgresql",
                    "dnsmasq", "dnsmasq-base",
                    "etcd", "etcd-server",
                    "pgrep", "procps",
                    "promtool", "prometheus",
                    "slapadd", "slapd");

    private Program() {}

    /// Where a program is, by its name or path.
    ///
    /// @throws TestAbortedException where there is none
    public static String of(String name) {
        return find(name).orElseThrow(() -> missing(name, PACKAGES.getOrDefault(name, name)));
    }

    /// The same, if there is one.
    public static Optional<String> find(String name) {
        return isHidden(name)
                ? Optional.empty()
                : folders().stream()
                        .map(folder -> Path.of(folder).resolve(name))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst();
    }

    /// The newest of programs whose names begin alike, as `php-fpm8.2`.
    ///
    /// @throws TestAbortedException where there is none
    public static String newest(String prefix) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String folder : isHidden(prefix) ? List.<String>of() : folders()) {
            if (Files.isDirectory(Path.of(folder))) {
                try (Stream<Path> files = Files.list(Path.of(folder))) {
                    files.filter(file -> file.getFileName().toString().startsWith(prefix))
                            .filter(Files::isExecutable)
                            .forEach(found::add);
                }
            }
        }
        return found.stream()
                .max(Comparator.comparing(Path::getFileName))
                .map(Path::toString)
                .orElseThrow(() -> missing(prefix, prefix));
    }

    /// Whether a program is to be taken for missing.
    public static boolean isHidden(String name) {
        String hidden = System.getenv().getOrDefault("MARGAY_TEST_HIDE", "");
        return hidden.equals("all") || List.of(hidden.split(",")).contains(name);
    }

    /// Why a test is skipped.
    ///
    /// @param packages of Debian, which bring it
    public static TestAbortedException missing(String name, String packages) {
        return new TestAbortedException("needs " + name + ": apt install " + packages);
    }

    private static List<String> folders() {
        List<String> folders = new ArrayList<>();
        String path = System.getenv("PATH");
        if (path != null) {
            folders.addAll(List.of(path.split(File.pathSeparator)));
        }
        folders.addAll(FOLDERS);
        return folders;
    }
}
