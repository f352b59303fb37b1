package io.margay.app.jmx;

import io.margay.app.admin.AppRef;
import io.margay.app.admin.ManagedServer;
import io.margay.app.admin.ManagedServer.App;
import io.margay.app.admin.ManagedServer.Listener;
import io.margay.app.admin.ManagedServer.Pool;
import io.margay.app.admin.ManagedServer.State;
import io.margay.app.admin.ManagedServer.Workers;
import io.margay.app.jmx.ReadOnlyBean.Property;
import io.margay.server.config.ServerStats;
import io.margay.server.meter.Meter;
import io.margay.servlet.ServletReading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// What a server is, as MBeans with the key properties, attributes and types that Tomcat's have.
/// Only what is counted is there. Stateless but for the server.
final class CatalinaBeans {
    /// The key properties of the server itself.
    static final String SERVER = "type=Server";

    /// What needs no quotes as the value of a key property.
    private static final Pattern PLAIN = Pattern.compile("[^,=:\"*?\\n]*");

    private final ManagedServer server;

    CatalinaBeans(ManagedServer server) {
        this.server = server;
    }

    /// A listener, and the threads that all listeners share.
    private record Connector(Listener listener, Workers workers) {}

    /// All that there are now, by their key properties in Tomcat's order.
    Map<String, ReadOnlyBean<?>> all() {
        Map<String, ReadOnlyBean<?>> all = new LinkedHashMap<>();
        all.put(SERVER, server());
        all.put("type=Engine", engine());
        all.put("type=Meters", meters());
        for (Listener listener : server.listeners()) {
            String name = listener.connector();
            String quoted = ObjectName.quote(name);
            all.put("type=GlobalRequestProcessor,name=" + quoted, requests(name));
            all.put("type=ThreadPool,name=" + quoted, threads(name));
            String port = "type=Connector,port=" + listener.port();
            boolean known = all.containsKey(port);
            all.put(
                    known ? port + ",address=" + ObjectName.quote(listener.address()) : port,
                    connector(name));
        }
        for (List<String> names : server.hosts()) {
            String name = host(names.isEmpty() ? "" : names.getFirst());
            all.putIfAbsent("type=Host,host=" + value(name), host(name, names));
        }
        for (App app : server.apps()) {
            AppRef ref = new AppRef(app.host(), app.path(), app.version());
            String module = value("//" + host(ref.host()) + context(ref));
            all.put(
                    "j2eeType=WebModule,name=" + module + ",J2EEApplication=none,J2EEServer=none",
                    module(ref));
            if (app.state() == State.RUNNING) {
                all.put("type=Manager," + place(ref), sessions(ref));
            }
            for (String servlet : server.servlets(ref).keySet()) {
                all.put(
                        "j2eeType=Servlet,WebModule="
                                + module
                                + ",name="
                                + value(servlet)
                                + ",J2EEApplication=none,J2EEServer=none",
                        servlet(ref, servlet));
            }
        }
        for (Pool pool : server.pools()) {
            AppRef app = pool.app();
            String name = pool.reading().name();
            all.put(
                    "type=DataSource,"
                            + (app == null ? "" : place(app) + ",")
                            + "class=javax.sql.DataSource,name="
                            + ObjectName.quote(name),
                    pool(app, name));
        }
        return all;
    }

    private static String place(AppRef app) {
        return "host=" + value(host(app.host())) + ",context=" + value(context(app));
    }

    /// Tomcat's name of a host; the one that has no name is called as Tomcat's first one.
    private static String host(String name) {
        return name.isEmpty() ? "localhost" : name;
    }

    private static String context(AppRef app) {
        return app.version().isEmpty() ? app.shownPath() : app.path() + "##" + app.version();
    }

    private static String value(String text) {
        return PLAIN.matcher(text).matches() ? text : ObjectName.quote(text);
    }

    /// What `/metrics` has, of which Tomcat knows nothing: each with its labels.
    private ReadOnlyBean<?> meters() {
        return new ReadOnlyBean<>(
                "Meters",
                () -> server,
                () -> server.meters().stream().map(CatalinaBeans::meter).toList());
    }

    private static Property<ManagedServer> meter(Meter meter) {
        return property(meter.id(), double.class, meter.help(), _ -> meter.read().getAsDouble());
    }

    /// The server.
    ReadOnlyBean<?> server() {
        return new ReadOnlyBean<>(
                "Server",
                () -> server,
                List.of(
                        text("serverInfo", "Name and version", one -> "Margay/" + one.version()),
                        text("serverNumber", "Version", ManagedServer::version),
                        text("stateName", "What it does", CatalinaBeans::state)));
    }

    private ReadOnlyBean<?> engine() {
        return new ReadOnlyBean<>(
                "Engine",
                () -> server,
                List.of(
                        text("name", "Name", _ -> "Catalina"),
                        text("stateName", "What it does", CatalinaBeans::state)));
    }

    private static String state(ManagedServer server) {
        return server.isDead() ? "FAILED" : server.isServing() ? "STARTED" : "STOPPING";
    }

    private ReadOnlyBean<?> host(String name, List<String> names) {
        String[] aliases = names.stream().skip(1).toArray(String[]::new);
        return new ReadOnlyBean<>(
                "StandardHost",
                () -> server,
                List.of(
                        text("name", "Name", _ -> name),
                        property("aliases", String[].class, "Other names", _ -> aliases.clone()),
                        text("stateName", "What it does", CatalinaBeans::state)));
    }

    private ReadOnlyBean<?> requests(String name) {
        return new ReadOnlyBean<>(
                "RequestGroupInfo",
                () -> first(server.listeners(), one -> one.connector().equals(name)),
                List.of(
                        number("requestCount", "Ended requests", ServerStats.Reading::requests),
                        number(
                                "errorCount",
                                "Of these, those with a status from 400 on",
                                one -> one.clientErrors() + one.serverErrors()),
                        big(
                                "bytesReceived",
                                "Bytes of requests",
                                ServerStats.Reading::bytesReceived),
                        big("bytesSent", "Bytes of responses", ServerStats.Reading::bytesSent),
                        big(
                                "processingTime",
                                "Time of all requests, ms",
                                one -> toMillis(one.nanos())),
                        big(
                                "maxTime",
                                "Time of the longest, ms",
                                one -> toMillis(one.longestNanos()))));
    }

    private Supplier<@Nullable Connector> source(String name) {
        return () -> {
            Listener found = first(server.listeners(), one -> one.connector().equals(name));
            return found == null ? null : new Connector(found, server.workers());
        };
    }

    private ReadOnlyBean<?> connector(String name) {
        return new ReadOnlyBean<>(
                "Connector",
                source(name),
                List.of(
                        count("port", "Port", one -> one.listener.port()),
                        count("localPort", "Port", one -> one.listener.port()),
                        text("address", "Address", one -> one.listener.address()),
                        text(
                                "protocol",
                                "Protocol",
                                one -> name.startsWith("ajp") ? "AJP/1.3" : "HTTP/1.1"),
                        text("scheme", "Scheme", one -> isTls(one) ? "https" : "http"),
                        property("secure", boolean.class, "TLS", CatalinaBeans::isTls),
                        count(
                                "maxThreads",
                                "Threads at most, of the pool that all listeners share",
                                one -> one.workers.max()),
                        text("stateName", "What it does", _ -> state(server))));
    }

    private static boolean isTls(Connector one) {
        return one.listener.handshakes() != null;
    }

    private ReadOnlyBean<?> threads(String name) {
        return new ReadOnlyBean<>(
                "ThreadPool",
                source(name),
                List.of(
                        text("name", "Name", one -> one.listener.connector()),
                        count("port", "Port", one -> one.listener.port()),
                        count("localPort", "Port", one -> one.listener.port()),
                        count(
                                "currentThreadCount",
                                "Threads of the pool that all listeners share",
                                one -> one.workers.threads()),
                        count(
                                "currentThreadsBusy",
                                "Of these, those with a request",
                                one -> one.workers.active()),
                        count("maxThreads", "Threads at most", one -> one.workers.max()),
                        count(
                                "maxConnections",
                                "Open connections at most",
                                one -> one.listener.connectionsMax()),
                        property(
                                "connectionCount",
                                long.class,
                                "Open connections",
                                one -> one.listener.reading().connectionsOpen()),
                        count("keepAliveCount", "Of these, those that idle", CatalinaBeans::idle),
                        property("running", boolean.class, "Whether it is open", _ -> true),
                        property(
                                "sSLEnabled",
                                boolean.class,
                                "Whether it speaks TLS",
                                CatalinaBeans::isTls)));
    }

    /// Connections without a request. Those of HTTP/2 may have several.
    private static long idle(Connector one) {
        ServerStats.Reading reading = one.listener.reading();
        return Math.max(0, reading.connectionsOpen() - reading.requestsActive());
    }

    private @Nullable App app(AppRef ref) {
        return first(
                server.apps(),
                one -> ref.equals(new AppRef(one.host(), one.path(), one.version())));
    }

    private ReadOnlyBean<?> module(AppRef ref) {
        return new ReadOnlyBean<>(
                "StandardContext",
                () -> app(ref),
                List.of(
                        text(
                                "stateName",
                                "What it does",
                                one ->
                                        switch (one.state()) {
                                            case RUNNING -> "STARTED";
                                            case STOPPED -> "STOPPED";
                                            case FAILED -> "FAILED";
                                        }),
                        text("path", "Context path", App::path),
                        text("docBase", "What it was deployed from", one -> one.file().toString()),
                        text("webappVersion", "Version", App::version),
                        count("requestCount", "Requests since the deployment", App::requests),
                        count("errorCount", "Responses with a status from 500 on", App::errors)));
    }

    private ReadOnlyBean<?> sessions(AppRef ref) {
        return new ReadOnlyBean<>(
                "StandardManager",
                () -> app(ref),
                List.of(
                        count("activeSessions", "Sessions now", App::sessions),
                        count("maxActiveSessions", "Sessions at most", App::sessionsMax),
                        property(
                                "sessionCounter",
                                long.class,
                                "Sessions begun since the deployment",
                                one -> one.totals().created()),
                        property(
                                "expiredSessions",
                                long.class,
                                "Sessions that timed out",
                                one -> one.totals().expired()),
                        count(
                                "rejectedSessions",
                                "Sessions that were refused, for there were too many",
                                one -> one.totals().refused())));
    }

    private ReadOnlyBean<?> servlet(AppRef app, String name) {
        return new ReadOnlyBean<>(
                "StandardWrapper",
                () -> server.servlets(app).get(name),
                List.of(
                        count("requestCount", "Requests", ServletReading::requests),
                        count("errorCount", "Of these, those that failed", ServletReading::errors),
                        millis("processingTime", "Time of all requests, ms", ServletReading::nanos),
                        millis("maxTime", "Time of the longest, ms", ServletReading::longestNanos),
                        property(
                                "minTime",
                                long.class,
                                "Time of the shortest, ms",
                                one ->
                                        one.shortestNanos() == Long.MAX_VALUE
                                                ? Long.MAX_VALUE
                                                : toMillis(one.shortestNanos())),
                        count(
                                "classLoadTime",
                                "Time to load its class, ms",
                                one -> toMillis(one.classLoadNanos())),
                        millis(
                                "loadTime",
                                "Time to load and initialise it, ms",
                                ServletReading::loadNanos)));
    }

    private static long toMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private ReadOnlyBean<?> pool(@Nullable AppRef app, String name) {
        return new ReadOnlyBean<>(
                "DataSource",
                () ->
                        first(
                                server.pools(),
                                one ->
                                        one.reading().name().equals(name)
                                                && (app == null
                                                        ? one.app() == null
                                                        : app.equals(one.app()))),
                List.of(
                        count("numActive", "Connections in use", one -> one.reading().active()),
                        count("numIdle", "Connections that wait", one -> one.reading().idle()),
                        count("maxTotal", "Connections at most", one -> one.reading().max())));
    }

    private static <T> @Nullable T first(List<T> all, Predicate<T> wanted) {
        for (T one : all) {
            if (wanted.test(one)) {
                return one;
            }
        }
        return null;
    }

    // Attributes

    private static <T> Property<T> property(
            String name, Class<?> type, String description, Function<T, Object> value) {
        return new Property<>(name, type, description, value);
    }

    private static <T> Property<T> text(
            String name, String description, Function<T, String> value) {
        return property(name, String.class, description, value::apply);
    }

    /// An `int` as Tomcat has it. What has counted beyond begins at 0 again, as counters do for
    /// those who read them.
    private static <T> Property<T> count(String name, String description, ToLongFunction<T> value) {
        return property(
                name,
                int.class,
                description,
                one -> (int) (value.applyAsLong(one) & Integer.MAX_VALUE));
    }

    private static Property<ServletReading> millis(
            String name, String description, ToLongFunction<ServletReading> nanos) {
        return property(name, long.class, description, one -> toMillis(nanos.applyAsLong(one)));
    }

    private static Property<Listener> number(
            String name, String description, ToLongFunction<ServerStats.Reading> value) {
        return count(name, description, one -> value.applyAsLong(one.reading()));
    }

    private static Property<Listener> big(
            String name, String description, ToLongFunction<ServerStats.Reading> value) {
        return property(name, long.class, description, one -> value.applyAsLong(one.reading()));
    }
}
