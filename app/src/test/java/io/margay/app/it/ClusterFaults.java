package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.fault.FaultyLink;
import io.margay.testkit.fault.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Containers that share their sessions, behind front ends, under load, while they and what is
/// between them fail: what is answered, what is lost. Used by one thread.
///
/// A front end knows each container by a [FaultyLink].
final class ClusterFaults implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String KEY = "what the servers share and nobody else knows";

    /// An engine that is away holds a request for up to six seconds.
    private static final int REPLY_SECONDS = 20;

    private static final int CONTAINERS_MAX = 9;

    /// As many are answered within the patience by any machine.
    private static final long ANSWERS_STEP = 1000;

    private static final Duration PAUSE_MIN = Duration.ofSeconds(2);
    private static final Duration PAUSE_SPREAD = Duration.ofSeconds(4);

    private final SplittableRandom random = new SplittableRandom(20_261_129L);
    private final String system;
    private final boolean isMargay;
    private final @Nullable ClusterEngine engine;
    private final List<ClusterContainer> containers = new ArrayList<>();
    private final List<FaultyLink> links = new ArrayList<>();
    private final List<FaultFront> fronts = new ArrayList<>();

    /// From each gateway to what they share, if they share anything.
    private final List<FaultyLink> shares = new ArrayList<>();

    private @Nullable RedisProcess shared;
    private final List<Thread> clients = new ArrayList<>();
    private @Nullable ClusterMembers source;
    private String scheme = "http";
    private SessionLoad load = new SessionLoad(List.of());
    private BooleanSupplier isOver = () -> false;
    private int victim;

    /// How often containers of others had to be started again, since they did not come back.
    private int startedAgain;

    private ClusterFaults(String system, boolean isMargay, @Nullable ClusterEngine engine) {
        this.system = system;
        this.isMargay = isMargay;
        this.engine = engine;
    }

    private interface Start {
        void of(ClusterFaults cluster) throws IOException;
    }

    private ClusterFaults started(Start start) throws IOException {
        boolean started = false;
        try {
            start.of(this);
            containers.forEach(ClusterContainer::await);
            load = new SessionLoad(fronts.stream().map(FaultFront::port).toList());
            awaitMembers();
            started = true;
            return this;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /// What a container is told of the engine.
    interface Options {
        /// What its JVM is told.
        ///
        /// @param folder where it may write something down
        String of(int container, Path folder) throws IOException;

        /// The engine's word.
        default String store() {
            return "valkey";
        }

        /// More lines of the container's configuration.
        default String more() {
            return "";
        }
    }

    /// Margay, both as containers and as gateways.
    ///
    /// @param url of the engine
    static ClusterFaults margay(
            Path folder,
            String url,
            Options options,
            @Nullable ClusterEngine engine,
            int containers,
            int gateways)
            throws IOException {
        return margay(folder, url, options, engine, null, Shape.of(containers, gateways));
    }

    /// How many there are, and how gateways ask containers.
    ///
    /// @param scheme `http` or `ajp`; `http` with a source of members
    /// @param replySeconds how long a gateway waits for an answer
    /// @param share whether the gateways count together, by an engine of their own
    record Shape(int containers, int gateways, String scheme, int replySeconds, boolean share) {
        static Shape of(int containers, int gateways) {
            return new Shape(containers, gateways, "http", REPLY_SECONDS, gateways > 1);
        }
    }

    /// The same with gateways that learn of the containers from a source; closed with it.
    static ClusterFaults margay(
            Path folder,
            String url,
            Options options,
            @Nullable ClusterEngine engine,
            @Nullable ClusterMembers source,
            Shape shape)
            throws IOException {
        return new ClusterFaults("margay", true, engine)
                .started(it -> {
                    it.source = source;
                    it.scheme = shape.scheme();
                    for (int i = 1; i <= shape.containers(); i++) {
                        String name = "c" + i;
                        it.add(
                                new FaultyBackEnd(
                                        name,
                                        folder,
                                        "sessions: {store: %s, route: %s, url: \"%s\", key: %s}\n%s"
                                                .formatted(
                                                        options.store(),
                                                        name,
                                                        url,
                                                        KEY,
                                                        options.more()),
                                        options.of(i - 1, folder),
                                        ClusterServlet.class,
                                        FaultsServlet.class));
                    }
                    String[] members = it.named();
                    for (int i = 1; i <= shape.gateways(); i++) {
                        it.fronts.add(it.gateway(folder.resolve("g" + i), shape, members));
                    }
                });
    }

    private FaultFront gateway(Path folder, Shape shape, String... members) throws IOException {
        if (!shape.share()) {
            return FaultFront.margay(folder, shape.replySeconds(), members);
        }
        RedisProcess store = shared == null ? RedisProcess.start() : shared;
        shared = store;
        FaultyLink link = new FaultyLink(store.port());
        shares.add(link);
        String url = "redis://127.0.0.1:" + link.port();
        return FaultFront.sharing(folder, shape.replySeconds(), url, members);
    }

    /// What the gateways are told of the members: each, or who tells them.
    private String[] named() throws IOException {
        ClusterMembers from = source;
        if (from == null) {
            return members().stream()
                    .map(each ->
                            "{url: \"%s://127.0.0.1:%d\", name: %s, secret: %s}"
                                    .formatted(
                                            scheme, each.port(), each.name(), FaultyBackEnd.SECRET))
                    .toArray(String[]::new);
        }
        for (FaultFront.Member each : members()) {
            from.put(each.name(), each.port());
        }
        return new String[] {from.source()};
    }

    /// nginx before Tomcats that tell each other of their sessions.
    ///
    /// @param tomcat its home
    static ClusterFaults nginxAndDelta(Path tomcat, Path folder, int containers)
            throws IOException {
        return new ClusterFaults("nginx, Tomcat with DeltaManager", false, null)
                .started(it -> {
                    List<TomcatContainer.Seat> seats = seats(containers);
                    for (TomcatContainer.Seat each : seats) {
                        it.add(
                                new TomcatContainer(
                                        tomcat, folder, each, TomcatSessions.delta(each, seats)));
                        it.containers.getLast().await(); // which asks the others for sessions
                    }
                    it.fronts.add(
                            FaultFront.nginx(folder.resolve("nginx"), REPLY_SECONDS, it.members()));
                });
    }

    /// HAProxy before Tomcats that keep their sessions elsewhere.
    ///
    /// @param tomcat its home
    static ClusterFaults haproxy(
            String system,
            Path tomcat,
            Path folder,
            TomcatSessions sessions,
            ClusterEngine engine,
            int containers)
            throws IOException {
        return new ClusterFaults(system, false, engine)
                .started(it -> {
                    for (TomcatContainer.Seat each : seats(containers)) {
                        it.add(new TomcatContainer(tomcat, folder, each, sessions));
                    }
                    it.fronts.add(
                            FaultFront.haproxy(
                                    folder.resolve("haproxy"), REPLY_SECONDS, it.members()));
                });
    }

    private static List<TomcatContainer.Seat> seats(int containers) throws IOException {
        List<TomcatContainer.Seat> seats = new ArrayList<>();
        for (int i = 1; i <= containers; i++) {
            seats.add(TomcatContainer.Seat.of(i));
        }
        return seats;
    }

    private void add(ClusterContainer container) throws IOException {
        containers.add(container);
        links.add(new FaultyLink(container.port(scheme)));
    }

    private List<FaultFront.Member> members() {
        List<FaultFront.Member> members = new ArrayList<>();
        for (int i = 0; i < containers.size(); i++) {
            members.add(new FaultFront.Member(containers.get(i).name(), links.get(i).port()));
        }
        return members;
    }

    /// Waits until Margay gives requests to each; of others it is known only whether they answer.
    private void awaitMembers() {
        for (FaultFront front : fronts) {
            if (isMargay) {
                for (ClusterContainer one : containers) {
                    await(
                            one.name() + " is in",
                            () -> front.knows(one.name()) && front.isIn(one.name()));
                }
            } else {
                await("it answers", () -> answers(front));
            }
        }
    }

    /// The same after a fault, from which others do not always come back by themselves.
    private void awaitMembersAgain() throws IOException {
        if (isMargay
                || Eventually.comes(PATIENCE, () -> fronts.stream().allMatch(it -> answers(it)))) {
            awaitMembers();
        } else {
            startAgain();
        }
    }

    private void startAgain() throws IOException {
        startedAgain++;
        for (ClusterContainer one : containers) {
            one.kill();
        }
        for (ClusterContainer one : containers) {
            one.start();
        }
        containers.forEach(ClusterContainer::await);
        awaitMembers();
    }

    private static boolean answers(FaultFront front) {
        InetSocketAddress at =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port());
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            for (int i = 0; i < 2 * CONTAINERS_MAX; i++) {
                if (client.get("/app/bytes/2").status() != 200) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Eventually.holds(what, PATIENCE, condition);
    }

    /// Has clients work.
    void begin(int count) {
        for (int i = 0; i < count; i++) {
            long seed = 20_261_123L + i;
            clients.add(Thread.ofPlatform().start(() -> load.client(seed)));
        }
    }

    /// From when on nothing more is done to it, but for what has begun.
    void endBy(BooleanSupplier isOver) {
        this.isOver = isOver;
    }

    /// GET and PUT requests that were answered so far.
    long answered() {
        return load.totals().idempotent();
    }

    /// Waits for so many more requests to be answered, by containers that have not failed.
    private void answered(long more) throws IOException {
        long until = answered() + more;
        while (answered() < until && !isOver.getAsBoolean()) {
            long next = Math.min(until, answered() + ANSWERS_STEP);
            if (isMargay) {
                await("more answers", () -> answered() >= next);
            } else if (!Eventually.comes(PATIENCE, () -> answered() >= next)) {
                startAgain();
            }
        }
    }

    /// Waits for so many more requests to be answered while something has failed: of others it is
    /// not expected that any is.
    private void answeredMeanwhile(long more) {
        if (isMargay) {
            long until = answered() + more;
            await("more answers", () -> answered() >= until || isOver.getAsBoolean());
        } else {
            long until = asked() + more;
            boolean _ = Eventually.comes(PATIENCE, () -> asked() >= until || isOver.getAsBoolean());
        }
    }

    /// GET and PUT requests that were answered or have failed.
    private long asked() {
        return answered() + load.totals().failed();
    }

    /// Whether that can be done to it.
    boolean canSuffer(ClusterFault fault) {
        if (fault.isOfTheSource()) {
            return source != null && (fault.link() == null || source.link() != null);
        }
        if (fault.isOfTheGroup()) {
            return !shares.isEmpty();
        }
        return !fault.isOfTheEngine() || (engine != null && engine.canSuffer(fault));
    }

    /// Has a fault come so many times, with load before, during and after each.
    ///
    /// @param held how long it lasts at least, if it can last
    /// @param requests that are answered in each of these, at least
    ClusterRow suffer(ClusterFault fault, int times, Duration held, long requests)
            throws IOException, InterruptedException {
        Sum before = sum();
        int startedBefore = startedAgain;
        load.time(fault == ClusterFault.NOTHING);
        SessionLoad.Latencies _ = load.latencies();
        long begin = System.nanoTime();
        int done = 0;
        while (done < times && !isOver.getAsBoolean()) {
            done++;
            answered(requests);
            if (fault == ClusterFault.NOTHING) {
                continue;
            }
            load.time(true);
            once(fault, new Load(requests, held));
            awaitMembersAgain();
            load.time(false);
        }
        answered(requests);
        Sum after = sum();
        return new ClusterRow(
                system,
                fault,
                done,
                held.toSeconds(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin),
                after.seen.since(before.seen),
                after.twice - before.twice,
                after.notRun - before.notRun,
                startedAgain - startedBefore,
                load.latencies());
    }

    /// So many answers, for so long at least.
    private final class Load implements ClusterEngine.Meanwhile {
        private final long requests;
        private final Duration held;

        Load(long requests, Duration held) {
            this.requests = requests;
            this.held = held;
        }

        @Override
        public void pass() {
            long end = System.nanoTime() + held.toNanos();
            answeredMeanwhile(requests);
            await("it has lasted", () -> System.nanoTime() - end >= 0);
        }

        @Override
        public void over() {
            load.time(false);
        }
    }

    private void once(ClusterFault fault, Load meanwhile) throws IOException, InterruptedException {
        int number = victim++ % containers.size();
        ClusterContainer one = containers.get(number);
        switch (fault) {
            case NOTHING -> {}
            case SOURCE -> {
                ClusterMembers from = Objects.requireNonNull(source);
                from.kill();
                meanwhile.pass();
                from.start();
            }
            case LEAVE -> {
                ClusterMembers from = Objects.requireNonNull(source);
                int port = from.remove(one.name());
                await("it has left", () -> fronts.stream().noneMatch(it -> it.knows(one.name())));
                meanwhile.pass();
                from.put(one.name(), port);
            }
            case SOURCE_DELAY, SOURCE_LOSS, SOURCE_ONE_WAY -> {
                ClusterMembers from = Objects.requireNonNull(source);
                fail(Objects.requireNonNull(from.link()), fault, meanwhile);
            }
            case SHARED_DELAY, SHARED_LOSS, SHARED_ONE_WAY ->
                    fail(shares.get(number % shares.size()), fault, meanwhile);
            case RESTART -> {
                one.restart();
                one.await();
            }
            case KILL -> {
                one.kill();
                meanwhile.pass();
                one.start();
                one.await();
            }
            case HANG -> {
                one.signal("STOP");
                try {
                    meanwhile.pass();
                } finally {
                    one.signal("CONT");
                }
            }
            case PAUSE -> {
                long pause = PAUSE_MIN.toMillis() + random.nextLong(PAUSE_SPREAD.toMillis());
                Load lasting = new Load(0, Duration.ofMillis(pause));
                one.signal("STOP");
                try {
                    lasting.pass();
                } finally {
                    one.signal("CONT");
                }
            }
            case STALL, DROP, HALF_OPEN, RESET, DELAY, LOSS, ONE_WAY ->
                    fail(links.get(number), fault, meanwhile);
            case FAILOVER,
                    ENGINE,
                    ENGINE_CUT_OFF,
                    PRIMARY_CUT_OFF,
                    ENGINE_DELAY,
                    ENGINE_LOSS,
                    ENGINE_ONE_WAY ->
                    Objects.requireNonNull(engine).suffer(fault, number, meanwhile);
        }
    }

    private static void fail(Link link, ClusterFault fault, Load meanwhile) throws IOException {
        link.set(Objects.requireNonNull(fault.link()));
        meanwhile.pass();
        link.set(FaultyLink.Fault.NONE);
    }

    /// What there was so far.
    private record Sum(SessionLoad.Totals seen, long twice, long notRun) {}

    private Sum sum() throws IOException {
        SessionLoad.Totals seen = load.totals();
        List<String> answered = List.copyOf(load.posts());
        List<String> runs = new ArrayList<>();
        for (ClusterContainer one : containers) {
            runs.addAll(one.runs());
        }
        Set<String> distinct = new HashSet<>(runs);
        return new Sum(
                seen,
                runs.size() - distinct.size(),
                answered.stream().filter(id -> !distinct.contains(id)).count());
    }

    /// Fails unless what is promised of Margay has held.
    void judge(ClusterRow row) {
        if (!isMargay) {
            return;
        }
        assertEquals(0, row.seen().failed(), load::toString);
        assertEquals(0, row.seen().foreign(), load::toString);
        assertEquals(0, row.twice(), "POST requests that were run twice");
        assertEquals(0, row.notRun(), "POST requests that were answered and not run");
        if (!row.fault().mayLose()) {
            assertEquals(0, row.seen().lostSessions(), load::toString);
            assertEquals(0, row.seen().lostUpdates(), load::toString);
        }
    }

    /// Ends the load.
    void end() {
        load.stop();
        await("the clients end", () -> clients.stream().noneMatch(Thread::isAlive));
        assertTrue(load.totals().posts() > load.totals().failedPosts(), load::toString);
    }

    /// What has failed, the first of it.
    String failures() {
        return load.toString();
    }

    @Override
    public void close() {
        clients.forEach(Thread::interrupt);
        fronts.forEach(FaultFront::close);
        if (source != null) {
            source.close();
        }
        for (FaultyLink link : links) {
            close(link);
        }
        for (FaultyLink link : shares) {
            close(link);
        }
        if (shared != null) {
            shared.close();
        }
        containers.forEach(ClusterContainer::close);
    }

    private static void close(FaultyLink link) {
        try {
            link.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
