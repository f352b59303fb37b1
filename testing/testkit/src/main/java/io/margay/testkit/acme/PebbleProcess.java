package io.margay.testkit.acme;

import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Pebble, the authority that Let's Encrypt has made for tests, and its name server, which says
/// that every name is this machine. Used by one thread.
///
/// @param directory where Pebble's services are listed
/// @param roots what its own certificate is trusted by
/// @param names the port at which the name server is told of records
public record PebbleProcess(URI directory, Path roots, int names, List<Process> processes)
        implements AutoCloseable {
    public PebbleProcess {
        processes = List.copyOf(processes);
    }

    /// Starts both.
    ///
    /// @param programs folder of `pebble` and `pebble-challtestsrv`
    /// @param settings what makes Pebble unreliable, by variables of its environment
    public static PebbleProcess start(
            Path programs, Path folder, int httpPort, int tlsPort, Map<String, String> settings)
            throws IOException {
        int port = FreePort.next();
        int names = FreePort.next();
        int dns = FreePort.next();
        SelfSigned own =
                SelfSigned.make(folder, "pebble", "EC", List.of("DNS:localhost", "IP:127.0.0.1"));
        Path config = config(folder, own, port, httpPort, tlsPort);
        List<Process> processes = new ArrayList<>();
        processes.add(
                run(
                        folder.resolve("names.log"),
                        Map.of(),
                        programs.resolve("pebble-challtestsrv").toString(),
                        "-management",
                        "127.0.0.1:" + names,
                        "-dnsserver",
                        "127.0.0.1:" + dns,
                        "-defaultIPv4",
                        "127.0.0.1",
                        "-defaultIPv6",
                        "",
                        "-http01",
                        "",
                        "-https01",
                        "",
                        "-tlsalpn01",
                        "",
                        "-doh",
                        ""));
        processes.add(
                run(
                        folder.resolve("pebble.log"),
                        settings,
                        programs.resolve("pebble").toString(),
                        "-config",
                        config.toString(),
                        "-dnsserver",
                        "127.0.0.1:" + dns));
        PebbleProcess started =
                new PebbleProcess(
                        URI.create("https://localhost:" + port + "/dir"),
                        own.cert(),
                        names,
                        processes);
        for (int at : List.of(port, names)) {
            Eventually.holds("listening", Duration.ofSeconds(20), () -> listens(at));
        }
        return started;
    }

    private static Path config(Path folder, SelfSigned own, int port, int http, int tls)
            throws IOException {
        return Files.writeString(
                folder.resolve("pebble.json"),
                """
                {"pebble": {
                  "listenAddress": "127.0.0.1:%d",
                  "managementListenAddress": "127.0.0.1:%d",
                  "certificate": "%s",
                  "privateKey": "%s",
                  "httpPort": %d,
                  "tlsPort": %d,
                  "ocspResponderURL": "",
                  "externalAccountBindingRequired": false,
                  "retryAfter": {"authz": 1, "order": 1},
                  "profiles": {"default": {"description": "as it is",
                    "validityPeriod": 7776000}}
                }}
                """
                        .formatted(port, FreePort.next(), own.cert(), own.key(), http, tls));
    }

    private static Process run(Path log, Map<String, String> settings, String... words)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(settings);
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
    }
}
