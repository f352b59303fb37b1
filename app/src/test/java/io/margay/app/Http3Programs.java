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

/// The root that `bin/http3-programs` prepares, with OpenSSL 3.5 or newer and a curl that speaks
/// HTTP/3. Its programs, and a JVM that is to have its libraries, are started by its loader.
///
/// @param root where its `usr` is
record Http3Programs(Path root) {
    private static final long SECONDS_MAX = 60;

    /// The root, without which the test is skipped.
    static Http3Programs get() {
        String named = System.getenv("MARGAY_HTTP3_ROOT");
        String cache =
                Objects.requireNonNullElse(
                        System.getenv("XDG_CACHE_HOME"),
                        System.getProperty("user.home") + "/.cache");
        Path root = named == null ? Path.of(cache, "margay", "http3") : Path.of(named);
        Http3Programs made = new Http3Programs(root.resolve("system"));
        assumeTrue(
                Files.isExecutable(made.root.resolve("usr/bin/curl")),
                "no OpenSSL 3.5 and no curl with HTTP/3 in " + root + ": bin/http3-programs");
        return made;
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
