package io.margay.lab.cluster;

import io.margay.lab.servers.LabEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Gateways, containers and what keeps their sessions, as processes on loopback ports of this
/// machine. One thread starts and watches it; [#close] is thread-safe.
public final class LocalCluster implements AutoCloseable {
    private static final long START_SECONDS_MAX = 60;
    private static final long POLL_NANOS = 20_000_000L;
    private static final long END_SECONDS_MAX = 15;
    private static final long WATCH_MILLIS = 200;

    /// How long a container stays away that has ended: long enough to see that it is gone.
    private static final long PAUSE_SECONDS = 5;

    private static final String KEY = "known to all who can read how the lab does it";

    private final LabEnvironment here;
    private final Path folder;
    private final ClusterSizes sizes;
    private final Consumer<String> says;
    private final ClusterPorts ports;
    private final List<Member> engines = new CopyOnWriteArrayList<>();
    private final List<Member> containers = new CopyOnWriteArrayList<>();
    private final List<Member> gateways = new CopyOnWriteArrayList<>();
    private final List<Integer> consoles = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private String where = "";

    /// @param folder of its own, for configurations and logs
    /// @param says what goes on
    public LocalCluster(
            LabEnvironment here, Path folder, ClusterSizes sizes, Consumer<String> says) {
        this.here = here;
        this.folder = folder;
        this.sizes = sizes;
        this.says = says;
        ports = new ClusterPorts(sizes.port());
    }

    // Starting

    /// Starts all, and waits until each gateway serves by a container.
    ///
    /// @throws IOException if a process does not start; the message ends with what it wrote
    public void start() throws IOException {
        String sessions = sessions();
        for (int i = 0; i < sizes.containers(); i++) {
            containers.add(container("c" + (i + 1), ports.container(i), sessions));
        }
        String members =
                containers.stream()
                        .map(it ->
                                "{url: \"http://127.0.0.1:%d\", name: %s}"
                                        .formatted(it.port(), it.name()))
                        .reduce((one, other) -> one + ", " + other)
                        .orElseThrow();
        for (int i = 0; i < sizes.gateways(); i++) {
            consoles.add(ports.console(i));
            gateways.add(gateway("g" + (i + 1), ports.gateway(i), consoles.getLast(), members));
        }
        ports.release();
        startAll(engines);
        List<Member> servers = new ArrayList<>(containers);
        servers.addAll(gateways);
        startAll(servers);
        // A gateway that found no container at its first check answers 503 until its next one.
        await(gateways, each -> each.serves("/up"));
    }

    private void startAll(List<Member> members) throws IOException {
        for (Member each : members) {
            each.start();
        }
        await(members, Member::answers);
    }

    private static void await(List<Member> members, Predicate<Member> condition)
            throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        for (Member each : members) {
            while (!condition.test(each)) {
                if (!each.isAlive() || System.nanoTime() - until > 0) {
                    throw new IOException(each.name() + " does not start:\n" + each.end());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /// What the configuration of a container says of sessions, but for its route.
    private String sessions() throws IOException {
        Optional<Path> engine =
                here.tools().find("valkey-server").or(() -> here.tools().find("redis-server"));
        Optional<Path> driver = driver();
        ClusterSizes.Sessions wanted = sizes.sessions();
        if (wanted == ClusterSizes.Sessions.AUTO) {
            wanted =
                    engine.isPresent()
                            ? ClusterSizes.Sessions.VALKEY
                            : driver.isPresent()
                                    ? ClusterSizes.Sessions.JDBC
                                    : ClusterSizes.Sessions.MEMORY;
        }
        return switch (wanted) {
            case AUTO -> throw new IllegalStateException("nothing was chosen");
            case VALKEY ->
                    valkey(
                            engine.orElseThrow(() ->
                                    new IOException(
                                            "there is neither valkey-server nor redis-server;"
                                                    + " --sessions jdbc does without")));
            case JDBC ->
                    database(
                            driver.orElseThrow(() ->
                                    new IOException(
                                            "the example applications, which have the driver of"
                                                    + " H2, are not built; \"make build\" does"
                                                    + " it")));
            case MEMORY -> {
                where = "in each container, which takes its sessions along when it ends";
                yield "sessions: {%s}";
            }
        };
    }

    private String valkey(Path program) throws IOException {
        int port = ports.engine();
        Path own = Files.createDirectories(folder.resolve("engine"));
        engines.add(
                new Member(
                        "engine",
                        port,
                        own,
                        List.of(
                                program.toString(),
                                "--bind",
                                "127.0.0.1",
                                "--port",
                                String.valueOf(port),
                                "--save",
                                "",
                                "--dir",
                                own.toString()),
                        Map.of()));
        where = "%s at 127.0.0.1:%d".formatted(program.getFileName(), port);
        return "sessions: {%%s, store: valkey, url: \"redis://127.0.0.1:%d\", key: %s}"
                .formatted(port, KEY);
    }

    /// The driver of H2, which one of the example applications has.
    private Optional<Path> driver() throws IOException {
        Path libraries = here.webapps().resolve("guestbook/WEB-INF/lib");
        if (!Files.isDirectory(libraries)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(libraries)) {
            return all.filter(it -> it.getFileName().toString().startsWith("h2")).findFirst();
        }
    }

    private String database(Path driver) throws IOException {
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        Files.copy(driver, libraries.resolve("h2.jar"));
        where = "a database, H2, in " + folder;
        return """
        sessions: {%%s, store: jdbc, url: "jdbc:h2:%s;AUTO_SERVER=TRUE;WRITE_DELAY=0", key: %s}
        deploy: {libraries: %s}
        """
                .formatted(folder.resolve("sessions"), KEY, libraries);
    }

    private Member container(String name, int port, String sessions) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path app = own.resolve("app");
        Files.createDirectories(app.resolve("WEB-INF"));
        Files.writeString(
                app.resolve("WEB-INF/web.xml"),
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <context-param>
                    <param-name>container</param-name>
                    <param-value>%s</param-value>
                  </context-param>
                </web-app>
                """
                        .formatted(name));
        Files.writeString(app.resolve("up"), "up\n");
        try (InputStream page = LocalCluster.class.getResourceAsStream("index.jsp")) {
            if (page == null) {
                throw new IOException("index.jsp is missing from the lab's jar");
            }
            Files.copy(page, app.resolve("index.jsp"));
        }
        return margay(
                name,
                port,
                own,
                """
                listeners: [{http: 127.0.0.1:%d}]
                hosts: [{routes: {/: {app: app}}}]
                drain-delay: 2s
                drain: 10s
                work: work
                """
                                .formatted(port)
                        + sessions.formatted("route: " + name));
    }

    private Member gateway(String name, int port, int console, String members) throws IOException {
        return margay(
                name,
                port,
                Files.createDirectories(folder.resolve(name)),
                """
                listeners: [{http: 127.0.0.1:%d}]
                admin: 127.0.0.1:%d
                hosts: [{routes: {/*: {gateway: cluster}}}]
                upstreams:
                  cluster:
                    members: [%s]
                    connect-timeout: 1s
                    reply-timeout: 10s
                    recover: 1s
                    maintain: 1s
                    health: {get: /up, every: 500ms, timeout: 1s}
                drain: 5s
                work: work
                """
                        .formatted(port, console, members));
    }

    private Member margay(String name, int port, Path own, String configuration)
            throws IOException {
        Path file = Files.writeString(own.resolve("margay.yaml"), configuration);
        return new Member(
                name,
                port,
                own,
                List.of(here.home().resolve("margay").toString(), "run", file.toString()),
                Map.of(
                        "MARGAY_JAVA_HOME", here.javaHome().toString(),
                        "MARGAY_JAVA_OPTS", "-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                        "MARGAY_NO_BUILD", "1",
                        "MARGAY_NO_CACHE", "1"));
    }

    // At work

    /// What there is, and what can be tried.
    public String description() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < gateways.size(); i++) {
            Member each = gateways.get(i);
            text.append(
                    "  gateway %-3s   http://127.0.0.1:%d/   process %d, console %s%n"
                            .formatted(
                                    each.name(),
                                    each.port(),
                                    each.pid(),
                                    "http://127.0.0.1:" + consoles.get(i) + "/"));
        }
        for (Member each : containers) {
            text.append(
                    "  container %-3s http://127.0.0.1:%d/   process %d%n"
                            .formatted(each.name(), each.port(), each.pid()));
        }
        text.append("  sessions      ").append(where);
        engines.forEach(each -> text.append("   process ").append(each.pid()));
        Member first = containers.getFirst();
        Member gateway = gateways.getFirst();
        Member other = gateways.getLast();
        Path jar = folder.resolve("cookies");
        return text.append(
                        """


                        To try:
                          curl -c %1$s -b %1$s http://127.0.0.1:%2$d/
                              several times: the count of the session goes up, by one container
                          curl -c %1$s -b %1$s http://127.0.0.1:%3$d/
                              by the other gateway: the same session
                          kill -9 %4$d
                              container %5$s ends at once; another one goes on with its sessions,
                              and the console shows it out of rotation until it is started again,
                              after %6$d s
                          kill %4$d
                              the same in good order: what runs is finished first
                          kill -STOP %4$d; kill -CONT %4$d
                              it hangs, and is out of rotation within two checks
                        Configurations and logs: %7$s
                        """
                                .formatted(
                                        jar,
                                        gateway.port(),
                                        other.port(),
                                        first.pid(),
                                        first.name(),
                                        PAUSE_SECONDS,
                                        folder))
                .toString();
    }

    /// Starts processes again that have ended, until the cluster is closed.
    public void watch() throws IOException, InterruptedException {
        while (!closing.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
            for (List<Member> kind : List.of(engines, containers, gateways)) {
                for (Member each : kind) {
                    if (!each.isAlive()) {
                        again(each);
                    }
                }
            }
        }
    }

    private void again(Member ended) throws IOException, InterruptedException {
        if (closing.getCount() == 0) {
            return;
        }
        says.accept(
                "%s has ended with %d, and is started again in %d s"
                        .formatted(ended.name(), ended.exitCode(), PAUSE_SECONDS));
        if (!closing.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
            ended.start();
            says.accept("%s is process %d".formatted(ended.name(), ended.pid()));
        }
    }

    /// Ends all that was started: gateways first, and last what keeps the sessions.
    @Override
    public synchronized void close() {
        closing.countDown();
        for (List<Member> kind : List.of(gateways, containers, engines)) {
            kind.forEach(Member::ask);
            kind.forEach(each -> each.awaitEnd(END_SECONDS_MAX));
        }
    }
}
