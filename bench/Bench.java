import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Measures web servers side by side: CPU per request, throughput, latency, memory.
///
/// Run by `bench/run` as a single-file program from the root of the project; README.md beside it
/// tells the method. Single-threaded, but for the shutdown hook that stops what was started.
final class Bench {
    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final int PORT_FIRST =
            Integer.parseInt(System.getenv().getOrDefault("BENCH_PORT_FIRST", "18100"));
    private static final Pattern RESULT_PAIR = Pattern.compile("(\\w+)=(\\d+)");

    private final Options options;
    private final Path work = Path.of("target", "bench").toAbsolutePath();
    private final double ticksPerSecond;
    private final List<Server> running = Collections.synchronizedList(new ArrayList<>());
    private volatile Process client;
    private int failures;

    private Bench(Options options) throws IOException {
        this.options = options;
        this.ticksPerSecond = Double.parseDouble(output(List.of("getconf", "CLK_TCK"), Map.of()));
    }

    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("bench/run: " + e.getMessage() + " (--help tells more)");
            System.exit(2);
            return;
        }
        if (options == null) {
            System.out.print(Options.HELP);
            return;
        }
        int status;
        try {
            status = new Bench(options).run();
        } catch (Failure e) {
            System.err.println("bench/run: " + e.getMessage());
            status = 1;
        }
        System.exit(status);
    }

    // ---- the run

    private int run() throws IOException, InterruptedException {
        checkMachine();
        Files.createDirectories(work);
        if (!options.https.isEmpty()) {
            makeCertificate();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAll));
        var results = new LinkedHashMap<Server, List<Round>>();
        for (String name : options.servers) {
            Server server = prepared(name, PORT_FIRST + results.size());
            if (server != null) {
                results.put(server, new ArrayList<>());
            }
        }
        for (Server server : results.keySet()) {
            start(server);
            checkBody(server);
            say("%s: warm-up of %d s", server.name, options.warmupSeconds);
            if (options.warmupSeconds > 0) {
                measure(server, options.warmupSeconds);
            }
        }
        for (int round = 1; round <= options.rounds; round++) {
            var order = new ArrayList<>(results.keySet());
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Server server : order) {
                round(server, round, results.get(server));
            }
        }
        stopAll();
        report(results);
        return failures == 0 ? 0 : 1;
    }

    private void checkMachine() throws IOException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            throw new Failure("needs two processors: one for the server, one for the client");
        }
        for (String tool : List.of("wrk", "taskset")) {
            if (Arrays.stream(System.getenv("PATH").split(":"))
                    .noneMatch(folder -> Files.isExecutable(Path.of(folder, tool)))) {
                throw new Failure("needs " + tool + " (Debian: wrk, util-linux)");
            }
        }
    }

    /// A self-signed certificate for 127.0.0.1, when HTTPS is to be measured.
    private void makeCertificate() throws IOException, InterruptedException {
        boolean ec = options.https.equals("ec");
        String kind = ec ? "ec -pkeyopt ec_paramgen_curve:prime256v1" : "rsa:2048";
        String line = "openssl req -x509 -nodes -days 30 -subj /CN=127.0.0.1 -newkey " + kind;
        line += " -addext subjectAltName=IP:127.0.0.1 -keyout KEY -out CERT";
        var command = new ArrayList<>(List.of(line.split(" ")));
        command.replaceAll(word -> word.equals("KEY") ? work + "/tls.key" : word);
        command.replaceAll(word -> word.equals("CERT") ? work + "/tls.pem" : word);
        if (new ProcessBuilder(command).start().waitFor() != 0) {
            throw new Failure("made no certificate: " + String.join(" ", command));
        }
    }

    private void round(Server server, int number, List<Round> into)
            throws IOException, InterruptedException {
        Round round = measure(server, options.seconds);
        String trouble = round.trouble();
        if (trouble.isEmpty()) {
            into.add(round);
        } else {
            failures++;
        }
        say(
                "round %d of %d, %s: %.4f CPU-s per 10 000, %.0f req/s, p99 %.2f ms%s",
                number,
                options.rounds,
                server.name,
                round.cpuPer10k(),
                round.perSecond(),
                round.p99Millis,
                trouble.isEmpty() ? "" : "  FAILED, not counted: " + trouble);
        if (round.othersShare > 0.05) {
            say(
                    "  note: other processes took %.0f %% of the server's core",
                    round.othersShare * 100);
        }
    }

    // ---- servers

    private Server prepared(String name, int port) throws IOException, InterruptedException {
        Path script = Path.of("bench", "servers", name);
        if (!Files.isExecutable(script)) {
            throw new Failure("no such server: " + script);
        }
        Path folder = Files.createDirectories(work.resolve(name));
        var server = new Server(name, script.toString(), port, folder);
        Process process =
                new ProcessBuilder(server.script, "prepare")
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        int status = process.waitFor();
        if (status == 3) {
            say("%s: left out, as this machine lacks what it needs", name);
            return null;
        }
        if (status != 0) {
            throw new Failure(name + ": prepare failed with status " + status);
        }
        server.version = output(List.of(server.script, "version"), environment(server));
        return server;
    }

    private Map<String, String> environment(Server server) {
        return Map.of(
                "BENCH_CERT", options.https.isEmpty() ? "" : work.resolve("tls.pem").toString(),
                "BENCH_KEY", options.https.isEmpty() ? "" : work.resolve("tls.key").toString(),
                "BENCH_PORT", String.valueOf(server.port),
                "BENCH_WORK", server.folder.toString(),
                "BENCH_WEBAPPS", options.webapps.toAbsolutePath().toString(),
                "BENCH_JAVA_OPTS", options.javaOptions);
    }

    private void start(Server server) throws IOException, InterruptedException {
        if (answers(server)) {
            throw new Failure("port " + server.port + " is already in use");
        }
        Path log = server.folder.resolve("server.log");
        var builder =
                new ProcessBuilder(
                        "taskset",
                        "-c",
                        String.valueOf(options.serverCore),
                        server.script,
                        "start");
        builder.environment().putAll(environment(server));
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        server.process = builder.start();
        running.add(server);
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!answers(server)) {
            if (!server.process.isAlive()) {
                throw new Failure(server.name + " ended while starting; see " + log);
            }
            if (System.nanoTime() > deadline) {
                throw new Failure(server.name + " did not answer in time; see " + log);
            }
            Thread.sleep(100);
        }
        String command = Files.readString(proc(server, "comm")).strip();
        if (List.of("bash", "sh", "dash", "taskset").contains(command)) {
            throw new Failure(
                    server.script
                            + " must exec its server, but process "
                            + server.process.pid()
                            + " is "
                            + command);
        }
    }

    private boolean answers(Server server) throws IOException {
        try (var socket = new java.net.Socket()) {
            socket.connect(new java.net.InetSocketAddress("127.0.0.1", server.port), 500);
            return true;
        } catch (java.net.ConnectException | java.net.SocketTimeoutException e) {
            return false;
        }
    }

    private void checkBody(Server server) throws IOException, InterruptedException {
        try (var client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            var request =
                    HttpRequest.newBuilder(URI.create(url(server)))
                            .version(HttpClient.Version.HTTP_1_1)
                            .timeout(Duration.ofSeconds(30));
            if (!options.user.isEmpty()) {
                request.header("Authorization", options.authorization());
            }
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200 || !response.body().contains(options.expect)) {
                throw new Failure(
                        "%s answers %s with %d and without \"%s\""
                                .formatted(
                                        server.name,
                                        url(server),
                                        response.statusCode(),
                                        options.expect));
            }
        }
    }

    /// Trusts the certificate that was made.
    private SSLContext trusting() throws IOException {
        try {
            if (options.https.isEmpty()) {
                return SSLContext.getDefault();
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            try (var in = Files.newInputStream(work.resolve("tls.pem"))) {
                var certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
                store.setCertificateEntry("bench", certificate);
            }
            var trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new Failure("no TLS for the first request: " + e);
        }
    }

    /// Ends exactly the processes that this run started: asks, waits, insists.
    private void stopAll() {
        if (client != null) {
            client.destroy();
        }
        synchronized (running) {
            running.forEach(server -> server.process.destroy());
            for (Server server : running) {
                try {
                    if (!server.process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
                        say("%s: did not stop when asked, killed", server.name);
                        server.process.destroyForcibly().waitFor();
                    }
                } catch (InterruptedException e) {
                    server.process.destroyForcibly();
                    Thread.currentThread().interrupt();
                }
            }
            running.clear();
        }
    }

    // ---- one measurement

    private Round measure(Server server, int seconds) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        Collections.addAll(command, "taskset", "-c", "" + options.clientCore, "wrk");
        Collections.addAll(command, "-t", "" + options.threads, "-c", "" + options.connections);
        Collections.addAll(command, "-d", seconds + "s", "--latency", "-s", "bench/wrk-result.lua");
        if (options.close) {
            Collections.addAll(command, "-H", "Connection: close");
        }
        if (!options.user.isEmpty()) {
            Collections.addAll(command, "-H", "Authorization: " + options.authorization());
        }
        command.add(url(server));
        Path output = server.folder.resolve("wrk.log");
        double coreBefore = coreSeconds();
        double cpuBefore = cpuSeconds(server.process);
        long startNanos = System.nanoTime();
        Process wrk =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        client = wrk;
        double wrkCpu = 0;
        try {
            while (!wrk.waitFor(100, TimeUnit.MILLISECONDS)) {
                wrkCpu = Math.max(wrkCpu, cpuSeconds(wrk));
                if (System.nanoTime() - startNanos > (seconds + 30) * 1_000_000_000L) {
                    throw new Failure("wrk did not end in time");
                }
            }
        } finally {
            wrk.destroy();
        }
        if (!server.process.isAlive()) {
            throw new Failure(server.name + " ended under load; see " + server.folder);
        }
        double cpu = cpuSeconds(server.process) - cpuBefore;
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        double others = Math.max(0, coreSeconds() - coreBefore - cpu);
        return Round.of(
                Files.readString(output),
                cpu,
                residentMebibytes(server),
                cpu / elapsed,
                wrkCpu / elapsed,
                others / elapsed);
    }

    private String url(Server server) {
        String scheme = options.https.isEmpty() ? "http" : "https";
        return scheme + "://127.0.0.1:" + server.port + options.path;
    }

    /// User and system time of all threads of the process so far, without its children (proc(5)).
    private double cpuSeconds(Process process) throws IOException {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
        } catch (IOException e) {
            if (process.isAlive()) {
                throw e;
            }
            return 0;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / ticksPerSecond;
    }

    /// User, nice, system and stolen time of the server's core so far; not interrupts.
    private double coreSeconds() throws IOException {
        String prefix = "cpu" + options.serverCore + " ";
        for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
            if (line.startsWith(prefix)) {
                String[] f = line.split(" +");
                return IntStream.of(1, 2, 3, 8).mapToLong(i -> Long.parseLong(f[i])).sum()
                        / ticksPerSecond;
            }
        }
        throw new Failure("no core " + options.serverCore + " on this machine");
    }

    private double residentMebibytes(Server server) throws IOException {
        for (String line : Files.readAllLines(proc(server, "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
            }
        }
        throw new Failure("no VmRSS for " + server.name);
    }

    private static Path proc(Server server, String file) {
        return Path.of("/proc", String.valueOf(server.process.pid()), file);
    }

    // ---- the report

    private void report(Map<Server, List<Round>> results) throws IOException {
        var table = new StringBuilder();
        table.append(facts()).append('\n');
        table.append("| server | CPU-s per 10 000 requests | ratio | requests/s | ratio ");
        table.append("| p50 ms | p99 ms | RSS MiB | server core | client core | rounds |\n");
        table.append("|---|---|---|---|---|---|---|---|---|---|---|\n");
        var reference = new ArrayList<Round>();
        results.keySet().stream()
                .filter(server -> server.name.equals(options.reference))
                .forEach(server -> reference.addAll(results.get(server)));
        for (var entry : results.entrySet()) {
            row(table, entry.getKey(), entry.getValue(), reference);
        }
        table.append("\nMedians, (smallest..largest) of the rounds; ratios are to ");
        table.append(options.reference).append(".\n");
        for (var entry : results.entrySet()) {
            if (!entry.getValue().isEmpty() && median(entry.getValue(), Round::clientShare) > 0.9) {
                table.append("The client was the limit of ").append(entry.getKey().name);
                table.append("'s requests/s; its CPU per request stands.\n");
            }
        }
        table.append('\n');
        results.keySet().forEach(s -> table.append("- " + s.name + ": " + s.version + "\n"));
        String stamp = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace(":", "");
        Path json = work.resolve("bench-" + stamp + ".json");
        Files.writeString(json, json(results));
        Files.writeString(work.resolve("bench-" + stamp + ".md"), table);
        System.out.print(table);
        say("written: %s and .md", json);
        if (failures > 0) {
            say("%d round(s) FAILED and are not in the table", failures);
        }
    }

    private static void row(
            StringBuilder table, Server server, List<Round> rounds, List<Round> reference) {
        if (rounds.isEmpty()) {
            table.append("| %s | all rounds failed |||||||||| |\n".formatted(server.name));
            return;
        }
        table.append("| ").append(server.name);
        table.append(" | ").append(spread(rounds, Round::cpuPer10k, "%.4f"));
        table.append(" | ").append(ratio(rounds, reference, Round::cpuPer10k));
        table.append(" | ").append(spread(rounds, Round::perSecond, "%.0f"));
        table.append(" | ").append(ratio(rounds, reference, Round::perSecond));
        table.append(" | ").append(text("%.2f", median(rounds, Round::p50Millis)));
        table.append(" | ").append(spread(rounds, Round::p99Millis, "%.2f"));
        table.append(" | ").append(text("%.0f", median(rounds, Round::residentMebibytes)));
        table.append(" | ").append(text("%.0f %%", 100 * median(rounds, Round::serverShare)));
        table.append(" | ").append(text("%.0f %%", 100 * median(rounds, Round::clientShare)));
        table.append(" | ").append(rounds.size()).append(" |\n");
    }

    private static String spread(List<Round> rounds, ToDoubleFunction<Round> value, String format) {
        double min = rounds.stream().mapToDouble(value).min().orElseThrow();
        double max = rounds.stream().mapToDouble(value).max().orElseThrow();
        String range = " (" + text(format, min) + ".." + text(format, max) + ")";
        return text(format, median(rounds, value)) + range;
    }

    private static String ratio(
            List<Round> rounds, List<Round> reference, ToDoubleFunction<Round> value) {
        return reference.isEmpty()
                ? "–"
                : text("%.2f", median(rounds, value) / median(reference, value));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private String facts() throws IOException {
        String model =
                Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse("unknown processor");
        return """
        `bench/run %s`
        - %s, %d processors; server on core %d, client on core %d
        - %s %s; Java %s (%s) with %s
        - GET %s, %s, %d connections, %d wrk thread(s); warm-up %d s, %d rounds of %d s, interleaved
        """
                .formatted(
                        String.join(" ", options.arguments),
                        model,
                        Runtime.getRuntime().availableProcessors(),
                        options.serverCore,
                        options.clientCore,
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.runtime.version"),
                        System.getProperty("java.vendor"),
                        options.javaOptions,
                        options.path,
                        options.close ? "a connection per request" : "keep-alive",
                        options.connections,
                        options.threads,
                        options.warmupSeconds,
                        options.rounds,
                        options.seconds);
    }

    private String json(Map<Server, List<Round>> results) throws IOException {
        var servers =
                results.entrySet().stream()
                        .map(e ->
                                "    {\"name\": %s, \"version\": %s, \"rounds\": [\n%s\n    ]}"
                                        .formatted(
                                                quoted(e.getKey().name),
                                                quoted(e.getKey().version),
                                                e.getValue().stream()
                                                        .map(Round::json)
                                                        .collect(Collectors.joining(",\n"))))
                        .collect(Collectors.joining(",\n"));
        return "{\n  \"at\": %s,\n  \"facts\": %s,\n  \"failedRounds\": %d,\n  \"servers\": [\n%s\n  ]\n}\n"
                .formatted(quoted(Instant.now().toString()), quoted(facts()), failures, servers);
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    // ---- small things

    private static String output(List<String> command, Map<String, String> environment)
            throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String text = new String(process.getInputStream().readAllBytes()).strip();
        return text.lines().findFirst().orElse("unknown");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static void say(String format, Object... values) {
        System.err.println(text(format, values));
    }

    /// What ends the run with a message.
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    /// A server of this run. `version` and `process` are set as it is prepared and started.
    private static final class Server {
        final String name;
        final String script;
        final int port;
        final Path folder;
        String version = "unknown";
        Process process;

        Server(String name, String script, int port, Path folder) {
            this.name = name;
            this.script = script;
            this.port = port;
            this.folder = folder;
        }
    }

    /// What one wrk window showed. Shares are of one core.
    private record Round(
            long requests,
            double seconds,
            double cpuSeconds,
            double p50Millis,
            double p99Millis,
            double maxMillis,
            double residentMebibytes,
            double serverShare,
            double clientShare,
            double othersShare,
            long badStatuses,
            long socketErrors) {

        static Round of(
                String wrk, double cpu, double rss, double server, double client, double others) {
            int at = wrk.indexOf("RESULT ");
            if (at < 0) {
                throw new Failure("wrk gave no result: " + wrk.strip());
            }
            var values = new LinkedHashMap<String, Long>();
            Matcher pair = RESULT_PAIR.matcher(wrk.substring(at).lines().findFirst().orElseThrow());
            while (pair.find()) {
                values.put(pair.group(1), Long.parseLong(pair.group(2)));
            }
            return new Round(
                    values.get("requests"),
                    values.get("micros") / 1e6,
                    cpu,
                    values.get("p50") / 1e3,
                    values.get("p99") / 1e3,
                    values.get("max") / 1e3,
                    rss,
                    server,
                    client,
                    others,
                    values.get("status"),
                    values.get("connect")
                            + values.get("read")
                            + values.get("write")
                            + values.get("timeout"));
        }

        double cpuPer10k() {
            return cpuSeconds / requests * 10_000;
        }

        double perSecond() {
            return requests / seconds;
        }

        /// Why this round must not count, or nothing.
        String trouble() {
            if (requests == 0) {
                return "no request was answered";
            }
            if (badStatuses > 0) {
                return badStatuses + " answers were not 2xx or 3xx";
            }
            return socketErrors > 0 ? socketErrors + " socket errors or time-outs" : "";
        }

        String json() {
            return text(
                    "      {\"requests\": %d, \"seconds\": %.6f, \"cpuSeconds\": %.3f,"
                            + " \"cpuSecondsPer10000\": %.6f, \"requestsPerSecond\": %.1f,"
                            + " \"p50Millis\": %.3f, \"p99Millis\": %.3f, \"maxMillis\": %.3f,"
                            + " \"residentMebibytes\": %.1f, \"serverCore\": %.3f,"
                            + " \"clientCore\": %.3f, \"othersOnServerCore\": %.3f}",
                    requests,
                    seconds,
                    cpuSeconds,
                    cpuPer10k(),
                    perSecond(),
                    p50Millis,
                    p99Millis,
                    maxMillis,
                    residentMebibytes,
                    serverShare,
                    clientShare,
                    othersShare);
        }
    }

    /// The command line.
    private static final class Options {
        static final String HELP =
                """
                bench/run [OPTION...]: measures servers side by side, each in turn, on one core.

                  --servers A,B,...   files of bench/servers (default: the three transports of Margay,
                                      tomcat-nio and, for the heartbeat page, c-epoll)
                  --path PATH         what to get (default /heartbeat/heartbeat.jsp; others:
                                      /heartbeat/servlet, /pages/small.html)
                  --expect TEXT       what the body must contain (default: by path)
                  --connections N     default 100
                  --threads N         of wrk, default 1
                  --close             a connection per request
                  --user NAME:WORD    who asks, by BASIC
                  --https rsa|ec      over TLS, with a certificate of that kind
                  --warmup SECONDS    once per server, default 40
                  --rounds N          default 5
                  --seconds N         per round, default 8
                  --reference NAME    what ratios refer to, default tomcat-nio
                  --server-core N     default 0
                  --client-core N     default 1
                  --webapps DIR       default examples/target/webapps
                  --java-opts TEXT    for every Java server, default
                                      "-Xms512m -Xmx512m -XX:+UseSerialGC"

                Prints a Markdown table and writes it and a JSON file to target/bench.

                  bench/run --path /pages/small.html --close --servers margay-nio,tomcat-nio
                """;

        List<String> arguments = List.of();
        List<String> servers = List.of();
        String path = "/heartbeat/heartbeat.jsp";
        String expect = "";
        int connections = 100;
        int threads = 1;
        boolean close;
        String https = "";
        String user = "";
        int warmupSeconds = 40;
        int rounds = 5;
        int seconds = 8;
        String reference = "tomcat-nio";
        int serverCore;
        int clientCore = 1;
        Path webapps = Path.of("examples", "target", "webapps");
        String javaOptions = "-Xms512m -Xmx512m -XX:+UseSerialGC";

        /// The options, or null if help was asked for.
        static Options parse(String[] args) {
            var options = new Options();
            options.arguments = List.of(args);
            for (int i = 0; i < args.length; i++) {
                if (args[i].equals("--help")) {
                    return null;
                }
                if (args[i].equals("--close")) {
                    options.close = true;
                } else if (i + 1 == args.length) {
                    throw new IllegalArgumentException("unknown or without a value: " + args[i]);
                } else {
                    options.set(args[i], args[++i]);
                }
            }
            options.fillIn();
            return options;
        }

        private void set(String name, String value) {
            switch (name) {
                case "--servers" -> servers = List.of(value.split(","));
                case "--path" -> path = value;
                case "--expect" -> expect = value;
                case "--https" -> https = value;
                case "--user" -> user = value;
                case "--connections" -> connections = number(name, value, 1);
                case "--threads" -> threads = number(name, value, 1);
                case "--warmup" -> warmupSeconds = number(name, value, 0);
                case "--rounds" -> rounds = number(name, value, 1);
                case "--seconds" -> seconds = number(name, value, 1);
                case "--reference" -> reference = value;
                case "--server-core" -> serverCore = number(name, value, 0);
                case "--client-core" -> clientCore = number(name, value, 0);
                case "--webapps" -> webapps = Path.of(value);
                case "--java-opts" -> javaOptions = value;
                default -> throw new IllegalArgumentException("unknown option " + name);
            }
        }

        private void fillIn() {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("--path must begin with /");
            }
            if (!List.of("", "rsa", "ec").contains(https)) {
                throw new IllegalArgumentException("--https takes rsa or ec");
            }
            boolean heartbeat = path.startsWith("/heartbeat/");
            if (servers.isEmpty()) {
                servers = new ArrayList<>();
                Collections.addAll(servers, "margay-blocking", "margay-nio", "margay-native");
                servers.add("tomcat-nio");
                if (heartbeat && https.isEmpty()) {
                    servers.add("c-epoll");
                }
            }
            if (expect.isEmpty()) {
                expect = heartbeat ? "<h1>Heartbeat</h1>" : path.endsWith(".html") ? "<h1>" : "";
            }
        }

        String authorization() {
            return "Basic " + Base64.getEncoder().encodeToString(user.getBytes());
        }

        private static int number(String name, String value, int min) {
            if (!value.matches("[0-9]{1,6}") || Integer.parseInt(value) < min) {
                throw new IllegalArgumentException(name + " must be a number from " + min);
            }
            return Integer.parseInt(value);
        }
    }
}
