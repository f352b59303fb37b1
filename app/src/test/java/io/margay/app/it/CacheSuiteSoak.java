package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.FreePort;
import io.margay.testkit.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the public tests for HTTP caches, `github.com/http-tests/cache-tests`, against a cache of
/// Margay before their origin; which have passed, and which have not, stands in
/// `target/cache-tests.txt` (`make cache-tests`).
final class CacheSuiteSoak {
    private static final String COMMIT = "b55b8bda3dbb8c927c04e85bd8d496a8caa3e4ba";

    /// Of the cache.
    private static final String KEYS =
            System.getProperty(
                    "margay.cache.keys", "heuristic: 10, stale-if-error: 1h, store-cookies: true");

    /// A checkout of the suite; one is brought if none is named.
    private static final Path SUITE =
            Path.of(System.getProperty("margay.cache.suite", "target/cache-tests"))
                    .toAbsolutePath();

    @TempDir Path folder;

    @Test
    void publicTests_areCounted() throws Exception {
        String node = Program.of("node");
        if (!Files.isDirectory(SUITE)) {
            String from = "https://github.com/http-tests/cache-tests.git";
            String _ = output(Path.of(""), "git", "clone", "-q", from, SUITE.toString());
            String _ = output(SUITE, "git", "checkout", "-q", COMMIT);
        }
        if (!Files.isDirectory(SUITE.resolve("node_modules/undici"))) {
            String _ =
                    output(SUITE, "npm", "install", "--no-save", "--ignore-scripts", "--omit=dev");
        }
        int behind = FreePort.next();
        int front = FreePort.next();
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:%d}]
                hosts:
                  - cache: {%s}
                    routes: {/: {gateway: "http://127.0.0.1:%d"}}
                work: work
                """
                        .formatted(front, KEYS, behind));
        try (ServerProcess origin =
                        ServerProcess.other(
                                SUITE,
                                "env",
                                "npm_config_protocol=http",
                                "npm_config_port=" + behind,
                                "npm_config_pidfile=" + folder.resolve("origin.pid"),
                                node,
                                "test-engine/server/server.mjs");
                ServerProcess margay = ServerProcess.margay(folder, "run", "margay.yaml")) {
            origin.awaitPort(behind);
            int _ = margay.awaitMargay();
            String results =
                    output(
                            SUITE,
                            "env",
                            "npm_config_base=http://127.0.0.1:" + front,
                            "npm_package_config_id=",
                            node,
                            "--no-warnings",
                            "test-engine/cli.mjs");
            Path file = Files.writeString(folder.resolve("results.json"), results);
            String count = Path.of("src/test/cache-tests/count.mjs").toAbsolutePath().toString();
            Files.writeString(
                    Path.of("target/cache-tests.txt"),
                    output(SUITE, node, count, SUITE.toString(), file.toString()));
        }
    }

    private static String output(Path at, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .directory(at.toAbsolutePath().toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), () -> command.toString());
        return said;
    }
}
