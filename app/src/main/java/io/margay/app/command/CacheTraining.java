package io.margay.app.command;

import io.margay.app.startcache.CacheKind;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The process from which [io.margay.app.startcache.StartCache] learns which classes a server
/// needs, and how their methods are used: serves the example applications, or their files, on ports
/// of the loopback address, as [CacheKind] says also as a gateway to itself by HTTP and AJP13, and
/// over TLS and HTTP/2, asks for pages ([CacheVisits]), and ends.
final class CacheTraining {
    private static final System.Logger LOG = System.getLogger(CacheTraining.class.getName());
    private static final long START_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final long KEY_SECONDS_MAX = 120;
    private static final String PASSWORD = "training";

    private CacheTraining() {}

    /// @param args the folder to work in
    public static void main(String[] args) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("margay.home"));
        Path apps = home.resolve("examples/target/webapps");
        if (!Files.isDirectory(apps)) {
            apps = home.resolve("examples/webapps");
        }
        Path folder = Path.of(args[0]);
        CacheKind kind = CacheKind.trained();
        boolean gateway = kind != CacheKind.APPLICATIONS;
        int http = freePort();
        Path keys = gateway ? keys(folder) : null;
        int https = keys == null ? 0 : freePort();
        Path used = kind == CacheKind.APPLICATIONS ? only(apps.resolve("heartbeat"), folder) : apps;
        String served = used.toString().replace("'", "''");
        String host =
                switch (kind) {
                    case BOTH, APPLICATIONS -> "webapps: '%s'";
                    case GATEWAY -> "routes: {/: {files: '%s'}}";
                };
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                "hosts:\n  - {"
                        + host.formatted(served)
                        + "}\n"
                        + (gateway
                                ? gateway(http, https, served)
                                : "listeners: [{http: \"127.0.0.1:" + http + "\"}]\n"));
        CacheVisits visits = new CacheVisits(http, https, kind);
        Thread.ofPlatform().daemon().start(() -> System.exit(visit(visits)));
        Main.main(
                new String[] {"run", file.toString(), "--work", folder.resolve("work").toString()});
    }

    /// A folder of applications with one alone.
    private static Path only(Path application, Path folder) throws IOException {
        Path webapps = Files.createDirectories(folder.resolve("webapps"));
        Path _ =
                Files.createSymbolicLink(
                        webapps.resolve(application.getFileName()), application.toAbsolutePath());
        return webapps;
    }

    /// A gateway to its own ports, from its second host on.
    private static String gateway(int http, int https, String served) throws IOException {
        int ajp = freePort();
        String tls =
                """
                  - https: 127.0.0.1:%d
                    certificates: [{cert: keys.p12, password: %s}]
                """
                        .formatted(https, PASSWORD);
        return """
          - {name: %1$s, routes: {/*: {gateway: http, host-header: peer}}}
          - name: %2$s
            rules: [{prefix: /ajp, to: ajp, target: /heartbeat}]
            routes: {/: {files: '%6$s'}}
        upstreams:
          http: {members: [{url: "http://127.0.0.1:%3$d"}]}
          ajp: {members: [{url: "ajp://127.0.0.1:%4$d"}]}
        listeners:
          - {http: "127.0.0.1:%3$d"}
          - {ajp: "127.0.0.1:%4$d", secret-required: false}
        %5$s\
        """
                .formatted(
                        CacheVisits.BY_HTTP,
                        CacheVisits.BY_AJP,
                        http,
                        ajp,
                        https == 0 ? "" : tls,
                        served);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// A key and a certificate for it, by the JDK's own program; none where that is missing.
    private static @Nullable Path keys(Path folder) throws IOException, InterruptedException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Path keys = folder.resolve("keys.p12");
        if (!Files.isExecutable(program)) {
            return null;
        }
        Process process =
                new ProcessBuilder(
                                program.toString(),
                                "-J-XX:TieredStopAtLevel=1",
                                "-genkeypair",
                                "-keystore",
                                keys.toString(),
                                "-storepass",
                                PASSWORD,
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-validity",
                                "1")
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        boolean ended = process.waitFor(KEY_SECONDS_MAX, TimeUnit.SECONDS);
        process.destroyForcibly();
        return ended && process.exitValue() == 0 && Files.exists(keys) ? keys : null;
    }

    /// @return the exit code
    private static int visit(CacheVisits visits) {
        try {
            awaitOpen(visits);
            try {
                visits.all();
            } catch (IOException e) {
                LOG.log(Level.WARNING, "all pages are asked for again: {0}", e.toString());
                visits.all(); // A busy machine makes a page time out.
            }
            return ExitCode.DONE;
        } catch (IOException e) {
            LOG.log(Level.ERROR, "a page of the training failed: {0}", e.toString());
            return ExitCode.FAILED;
        }
    }

    private static void awaitOpen(CacheVisits visits) throws IOException {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (true) {
            try {
                visits.knock();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }
}
