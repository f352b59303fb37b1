import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/// Loads the heartbeat page of Margay and tells which part of the server the CPU time went to.
///
/// Run by `bench/profile TRANSPORT [PATH]` from the root of the project; README.md beside it tells
/// the method.
final class Profile {
    private static final String HELP =
            """
            bench/profile [TRANSPORT [PATH]]: where the CPU time of a request goes.

              TRANSPORT   blocking, nio (default) or native
              PATH        default /heartbeat/heartbeat.jsp

            Server on core 0, wrk with 100 connections on core 1, 30 s of warm-up, then 20 s of
            samples of CPU time by the JDK's flight recorder (event jdk.CPUTimeSample, Linux).
            With native, time in the kernel shows up at the code after the call, because such
            calls are no safepoints: read its split of user and system time, not its table.
            """;
    private static final int PORT = 18190;
    private static final int WARM_UP_SECONDS = 30;
    private static final int SECONDS = 20;

    /// Parts of the server, in the order of the table; a sample belongs to the part of its
    /// innermost frame that is of any part.
    private enum Part {
        KERNEL("system calls: receive, send, wait"),
        TRANSPORT("transport: loops, interest, buffers"),
        CODEC("codec: heads, paths, dates, response heads"),
        DISPATCH("dispatch: hand-off to workers, wake-ups"),
        SERVER("server: connection, exchange, routes"),
        CONTAINER("container: request, response, filters"),
        PAGE("page: JSP runtime, the page's own code"),
        OTHER("other: JDK threads, collector, compiler");

        private final String text;

        Part(String text) {
            this.text = text;
        }
    }

    private Profile() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 2 || args.length > 0 && args[0].startsWith("-")) {
            System.out.print(HELP);
            System.exit(args[0].equals("--help") ? 0 : 2);
        }
        String transport = args.length > 0 ? args[0] : "nio";
        String path = args.length > 1 ? args[1] : "/heartbeat/heartbeat.jsp";
        Path work = Files.createDirectories(Path.of("target", "bench", "profile"));
        Path recording = work.resolve(transport + ".jfr").toAbsolutePath();
        Files.deleteIfExists(recording);
        Process server = start(transport, work, recording);
        try {
            String url = "http://127.0.0.1:" + PORT + path;
            awaitPort(server);
            wrk(url, WARM_UP_SECONDS);
            jcmd(server, "JFR.start", "name=profile", "settings=" + settings(work));
            long[] before = cpuTicks(server);
            long requests = wrk(url, SECONDS);
            long[] after = cpuTicks(server);
            jcmd(server, "JFR.stop", "name=profile", "filename=" + recording);
            report(transport, path, recording, requests, after[0] - before[0], after[1] - before[1]);
        } finally {
            server.destroy();
            if (!server.waitFor(30, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }

    private static Process start(String transport, Path work, Path recording) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "taskset", "-c", "0", "./margay", "run",
                        "--http", "127.0.0.1:" + PORT,
                        "--transport", transport,
                        "--work", work.resolve("work").toString(),
                        "examples/target/webapps");
        builder.environment()
                .put(
                        "MARGAY_JAVA_OPTS",
                        "-Xms512m -Xmx512m -XX:+UseSerialGC"
                                + " -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints");
        builder.environment().put("MARGAY_JAVA_HOME", System.getenv("JAVA_HOME"));
        builder.redirectErrorStream(true);
        builder.redirectOutput(work.resolve("server.log").toFile());
        return builder.start();
    }

    private static Path settings(Path work) throws IOException {
        Path file = work.resolve("profile.jfc").toAbsolutePath();
        Files.writeString(
                file,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <configuration version="2.0">
                  <event name="jdk.CPUTimeSample">
                    <setting name="enabled">true</setting>
                    <setting name="throttle">5 ms</setting>
                    <setting name="stackTrace">true</setting>
                  </event>
                </configuration>
                """);
        return file;
    }

    private static void awaitPort(Process server) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - end < 0 && server.isAlive()) {
            try (var socket = new java.net.Socket("127.0.0.1", PORT)) {
                return;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        throw new IOException("the server did not start; see target/bench/profile/server.log");
    }

    private static long wrk(String url, int seconds) throws Exception {
        String output =
                run("taskset", "-c", "1", "wrk", "-t1", "-c100", "-d" + seconds + "s", url);
        if (output.contains("Non-2xx") || output.contains("Socket errors")) {
            throw new IOException("the load failed:\n" + output);
        }
        for (String line : output.lines().toList()) {
            if (line.contains(" requests in ")) {
                return Long.parseLong(line.trim().split(" ")[0]);
            }
        }
        throw new IOException("wrk said nothing of requests:\n" + output);
    }

    private static void jcmd(Process server, String... command) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(System.getenv("JAVA_HOME") + "/bin/jcmd");
        words.add(Long.toString(server.pid()));
        words.addAll(List.of(command));
        run(words.toArray(String[]::new));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + output);
        }
        return output;
    }

    /// User and system time of the process, in clock ticks of a hundredth of a second.
    private static long[] cpuTicks(Process server) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + server.pid() + "/stat"));
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new long[] {Long.parseLong(words[11]), Long.parseLong(words[12])};
    }

    private static void report(
            String transport, String path, Path recording, long requests, long user, long system)
            throws IOException {
        Map<Part, Integer> samples = new EnumMap<>(Part.class);
        int all = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.CPUTimeSample")) {
                    samples.merge(partOf(event), 1, Integer::sum);
                    all++;
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "`bench/profile %s %s`: %d requests, %.4f CPU-s per 10 000 requests"
                        + " (user %.4f, system %.4f), %d samples%n%n",
                transport,
                path,
                requests,
                (user + system) / 100.0 / requests * 10_000,
                user / 100.0 / requests * 10_000,
                system / 100.0 / requests * 10_000,
                all);
        System.out.println("| part | share of samples |");
        System.out.println("|---|---|");
        for (Part part : Part.values()) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f %% |%n",
                    part.text,
                    100.0 * samples.getOrDefault(part, 0) / Math.max(1, all));
        }
    }

    private static Part partOf(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return Part.OTHER;
        }
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            String type = frame.getMethod().getType().getName();
            Part part = partOf(type, frame.getMethod().getName());
            if (part != null) {
                return part;
            }
        }
        return Part.OTHER;
    }

    private static Part partOf(String type, String method) {
        if (type.startsWith("io.margay.transport.nativeio.Libc")
                || type.startsWith("sun.nio.ch.")
                || type.startsWith("jdk.internal.foreign")) {
            return Part.KERNEL;
        } else if (type.startsWith("io.margay.server.dispatch")
                || type.startsWith("java.util.concurrent.locks.LockSupport")
                || type.equals("jdk.internal.misc.Unsafe") && method.endsWith("park")) {
            return Part.DISPATCH;
        } else if (type.startsWith("io.margay.transport")) {
            return Part.TRANSPORT;
        } else if (type.startsWith("io.margay.protocol")) {
            return Part.CODEC;
        } else if (type.startsWith("io.margay.server") || type.startsWith("io.margay.app")) {
            return Part.SERVER;
        } else if (type.startsWith("io.margay.servlet")) {
            return Part.CONTAINER;
        } else if (type.startsWith("org.apache.") || type.startsWith("io.margay.examples")) {
            return Part.PAGE;
        }
        return null;
    }
}
