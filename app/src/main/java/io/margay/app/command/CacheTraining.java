package io.margay.app.command;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The process from which [io.margay.app.startcache.StartCache] learns which classes a server
/// needs, and how their methods are used: serves the example applications on ports of the loopback
/// address, itself and as a gateway to itself by HTTP and AJP13, over HTTP/1.1, TLS and HTTP/2,
/// asks for their pages ([CacheVisits]), and ends.
final class CacheTraining {
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
        int http = freePort();
        int ajp = freePort();
        Path keys = keys(folder);
        int https = keys == null ? 0 : freePort();
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, configuration(apps, http, ajp, https));
        CacheVisits visits = new CacheVisits(http, https);
        Thread.ofPlatform().daemon().start(() -> System.exit(visit(visits)));
        Main.main(
                new String[] {"run", file.toString(), "--work", folder.resolve("work").toString()});
    }

    private static String configuration(Path apps, int http, int ajp, int https) {
        StringBuilder text = new StringBuilder();
        text.append("listeners:\n");
        text.append("  - {http: \"127.0.0.1:%d\"}\n".formatted(http));
        text.append("  - {ajp: \"127.0.0.1:%d\", secret-required: false}\n".formatted(ajp));
        if (https != 0) {
            text.append(
                    """
                      - https: 127.0.0.1:%d
                        certificates: [{cert: keys.p12, password: %s}]
                    """
                            .formatted(https, PASSWORD));
        }
        text.append(
                """
                hosts:
                  - webapps: '%s'
                  - {name: %s, routes: {/*: {gateway: http}}}
                  - {name: %s, routes: {/*: {gateway: ajp}}}
                upstreams:
                  http: {members: [{url: "http://127.0.0.1:%d"}]}
                  ajp: {members: [{url: "ajp://127.0.0.1:%d"}]}
                """
                        .formatted(
                                apps.toString().replace("'", "''"),
                                CacheVisits.BY_HTTP,
                                CacheVisits.BY_AJP,
                                http,
                                ajp));
        return text.toString();
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
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() < end) {
            try {
                visits.knock();
                visits.all();
                return ExitCode.DONE;
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // not open yet
            }
        }
        return ExitCode.FAILED;
    }
}
