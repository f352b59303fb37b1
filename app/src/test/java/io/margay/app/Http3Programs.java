package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// A root of OpenSSL 3.5 or newer, and a curl and an nginx that speak HTTP/3, in
/// `MARGAY_HTTP3_ROOT` or `~/.cache/margay/http3`. Its programs, and a JVM that is to have its
/// libraries, are started by its loader. With `margay.http3.bring` they are brought from Debian's
/// release after the one that has OpenSSL 3.0, by apt-get and dpkg: nothing of the system changes,
/// and nobody need be root.
///
/// @param root where its `usr` is
record Http3Programs(Path root) {
    private static final long SECONDS_MAX = 60;
    private static final String KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";

    /// The root, without which the test is skipped.
    static Http3Programs get() throws IOException, InterruptedException {
        String named = System.getenv("MARGAY_HTTP3_ROOT");
        String cache =
                Objects.requireNonNullElse(
                        System.getenv("XDG_CACHE_HOME"),
                        System.getProperty("user.home") + "/.cache");
        Path root = named == null ? Path.of(cache, "margay", "http3") : Path.of(named);
        Http3Programs made = new Http3Programs(root.resolve("system"));
        Path curl = made.root.resolve("usr/bin/curl");
        boolean whole =
                Files.isExecutable(curl) && Files.isExecutable(made.root.resolve("usr/sbin/nginx"));
        if (!whole && System.getProperty("margay.http3.bring") != null) {
            bring(root);
        }
        assumeTrue(
                Files.isExecutable(curl),
                "no OpenSSL 3.5 and no curl with HTTP/3 in " + root + ": make http3");
        return made;
    }

    private static void bring(Path root) throws IOException, InterruptedException {
        Path apt = root.resolve("apt");
        for (String folder : List.of("lists/partial", "cache/archives/partial", "parts")) {
            Files.createDirectories(apt.resolve(folder));
        }
        Files.writeString(apt.resolve("status"), "");
        Files.writeString(
                apt.resolve("sources.list"),
                "deb [signed-by=" + KEYS + "] http://deb.debian.org/debian trixie main\n");
        Path settings =
                Files.writeString(
                        apt.resolve("apt.conf"),
                        """
                        Dir::State "%1$s";
                        Dir::State::lists "%1$s/lists";
                        Dir::State::status "%1$s/status";
                        Dir::Cache "%1$s/cache";
                        Dir::Etc::sourcelist "%1$s/sources.list";
                        Dir::Etc::sourceparts "%1$s/parts";
                        Dir::Etc::preferencesparts "%1$s/parts";
                        APT::Install-Recommends "false";
                        APT::Sandbox::User "%2$s";
                        Debug::NoLocking "true";
                        """
                                .formatted(apt, System.getProperty("user.name")));
        String by = "APT_CONFIG=" + settings;
        run("env", by, "apt-get", "-q", "update");
        run(
                "env",
                by,
                "apt-get",
                "-qy",
                "--download-only",
                "install",
                "curl",
                "libssl3t64",
                "nginx");
        try (var packages = Files.newDirectoryStream(apt.resolve("cache/archives"), "*.deb")) {
            for (Path each : packages) {
                run("dpkg", "-x", each.toString(), root.resolve("made").toString());
            }
        }
        run("rm", "-rf", root.resolve("system").toString());
        Files.move(root.resolve("made"), root.resolve("system"));
        run("rm", "-rf", apt.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder(command).inheritIO().start().waitFor(),
                () -> String.join(" ", command));
    }

    /// What starts a program with the libraries of the root.
    List<String> loader() throws IOException {
        try (var all = Files.list(root.resolve("usr/lib"))) {
            Path libraries =
                    all.filter(one -> Files.exists(one.resolve("libssl.so.3")))
                            .findFirst()
                            .orElseThrow();
            try (var files = Files.list(libraries)) {
                Path loader =
                        files.filter(one -> one.getFileName().toString().startsWith("ld-linux"))
                                .findFirst()
                                .orElseThrow();
                return List.of(loader.toString(), "--library-path", libraries.toString());
            }
        }
    }

    /// What curl says on stdout, with HTTP/3 alone.
    byte[] curl(Path trusted, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(loader());
        command.add(root.resolve("usr/bin/curl").toString());
        command.addAll(
                List.of(
                        "-sS",
                        "-4",
                        "--http3-only",
                        "--max-time",
                        String.valueOf(SECONDS_MAX),
                        "--cacert",
                        trusted.toString()));
        command.addAll(List.of(words));
        Path said = Files.createTempFile("margay-curl", ".txt");
        Process process = new ProcessBuilder(command).redirectError(said.toFile()).start();
        try {
            process.getOutputStream().close();
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS), "curl does not end");
            assertEquals(0, process.exitValue(), () -> text(said));
            return output;
        } finally {
            process.destroyForcibly();
            Files.delete(said);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
