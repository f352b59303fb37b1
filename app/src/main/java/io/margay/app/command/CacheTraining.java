package io.margay.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The process from which [StartCache] learns which classes a server needs: serves the example
/// applications on a port of the loopback address, asks them for their pages, and ends.
final class CacheTraining {
    private static final int ROUNDS = 50;
    private static final int ANSWER_MILLIS_MAX = 30_000;
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
    private static final List<String> PAGES =
            List.of(
                    "/heartbeat/heartbeat.jsp",
                    "/heartbeat/servlet",
                    "/heartbeat/index.html",
                    "/jsp/",
                    "/guestbook/",
                    "/pages/",
                    "/none");

    private CacheTraining() {}

    /// @param args the folder to work in
    public static void main(String[] args) throws IOException {
        Path home = Path.of(System.getProperty("margay.home"));
        Path apps = home.resolve("examples/target/webapps");
        if (!Files.isDirectory(apps)) {
            apps = home.resolve("examples/webapps");
        }
        int port = freePort();
        Thread.ofPlatform().daemon().start(() -> System.exit(visit(port)));
        Main.main(
                new String[] {
                    "run",
                    apps.toString(),
                    "--http",
                    Integer.toString(port),
                    "--work",
                    Path.of(args[0]).resolve("work").toString()
                });
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// @return the exit code
    private static int visit(int port) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() < end) {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    for (String page : PAGES) {
                        get(port, page);
                    }
                }
                return ExitCode.DONE;
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // not open yet
            }
        }
        return ExitCode.FAILED;
    }

    private static void get(int port, String page) throws IOException {
        String request =
                "GET " + page + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            if (in.readAllBytes().length == 0) {
                throw new IOException("no answer");
            }
        }
    }
}
