package io.margay.app.admin;

import io.margay.app.console.ConfigControl;
import io.margay.app.console.HostMap;
import io.margay.app.register.RegistrationReading;
import io.margay.app.shared.SharedStatus;
import io.margay.app.slow.SlowRequests;
import io.margay.gateway.cache.CachePurge;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.discovery.Registrar;
import io.margay.server.config.ServerStats;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.margay.server.sight.Sight;
import io.margay.servlet.ServletReading;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.session.SessionTotals;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.RefusalCounts;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A server as those see it who run it. Thread-safe. The questions never wait; the operations wait
/// until they are done, and requests go on meanwhile.
public interface ManagedServer {
    /// What an application does.
    enum State {
        RUNNING,
        STOPPED,
        FAILED
    }

    /// An application.
    ///
    /// @param host name of its host; empty = any
    /// @param requests begun since it was deployed
    /// @param requestsStuck that have taken too long by now; -1 = nothing watches that
    /// @param errors responses with a status from 500 on
    /// @param totals how many sessions it has had
    /// @param sessionsMax how many it may have at once
    /// @param failure why it, or its last change, could not be deployed; null when it could
    @RecordBuilder
    record App(
            String host,
            String path,
            String version,
            State state,
            int sessions,
            SessionTotals totals,
            int sessionsMax,
            long requests,
            long requestsRunning,
            int requestsStuck,
            long errors,
            Path file,
            @Nullable String failure) {
        private static final MeterTable<App> METERS =
                new MeterTable<App>("margay_application_")
                        .gauge("running", "1 while it runs.", one -> one.runs() ? 1 : 0)
                        .gauge("sessions", "Live sessions.", App::sessions)
                        .counter(
                                "sessions_restored",
                                "Sessions restored from the previous process.",
                                one -> one.totals.restored())
                        .counter(
                                "sessions_lost",
                                "Sessions lost on the way from one process to the next.",
                                one -> one.totals.lost())
                        .counter("requests", "Requests begun.", App::requests)
                        .gauge("requests_active", "Requests in flight.", App::requestsRunning)
                        .counter("errors", "Responses with 5xx.", App::errors);

        private static final MeterTable<App> WATCHED =
                new MeterTable<App>("margay_application_")
                        .gauge(
                                "requests_stuck",
                                "Requests that have taken longer than StuckThreadDetectionValve"
                                        + " allows.",
                                App::requestsStuck);

        private boolean runs() {
            return state == State.RUNNING;
        }

        /// Its numbers.
        public List<Meter> meters() {
            String[] labels = {
                "host", host, "path", path.isEmpty() ? "/" : path, "version", version
            };
            List<Meter> all = METERS.of(this, labels);
            if (requestsStuck >= 0) {
                all.addAll(WATCHED.of(this, labels));
            }
            return all;
        }
    }

    /// A listener and its counters.
    ///
    /// @param connector how Tomcat would call it: `http-nio-8080`
    /// @param address that it is bound to
    /// @param port that it is bound to
    /// @param connectionsMax open connections at most
    /// @param handshakes its TLS handshakes; null where it speaks without TLS
    /// @param refusals connections that it has reset at once
    @RecordBuilder
    record Listener(
            String name,
            String connector,
            String address,
            int port,
            int connectionsMax,
            ServerStats.Reading reading,
            @Nullable HandshakeCounts handshakes,
            RefusalCounts refusals) {
        private static final MeterTable<RefusalCounts> REFUSALS =
                new MeterTable<RefusalCounts>("margay_connections_")
                        .counter(
                                "over_address_limit",
                                "Connections that were reset, since their address had as many as"
                                        + " it may.",
                                RefusalCounts::overAddress)
                        .counter(
                                "without_proxy_header",
                                "Connections that were reset without a trusted PROXY header.",
                                RefusalCounts::withoutHeader);

        private static final MeterTable<HandshakeCounts> HANDSHAKES =
                new MeterTable<HandshakeCounts>("margay_tls_")
                        .counter(
                                "handshakes",
                                "TLS handshakes that ended well.",
                                HandshakeCounts::done)
                        .counter(
                                "handshakes_failed",
                                "TLS handshakes that did not.",
                                HandshakeCounts::failed)
                        .counter(
                                "handshake_seconds",
                                "Time of those that ended well.",
                                one -> one.nanos() / 1e9);

        /// Its numbers.
        public List<Meter> meters() {
            List<Meter> all = new ArrayList<>(reading.meters());
            all.addAll(REFUSALS.of(refusals));
            if (handshakes != null) {
                all.addAll(HANDSHAKES.of(handshakes));
            }
            return Meter.with(all, "listener", name);
        }
    }

    /// A pool of connections to a database.
    ///
    /// @param app that declares it; null = the server
    record Pool(@Nullable AppRef app, PoolReading reading) {
        /// Its numbers.
        public List<Meter> meters() {
            List<Meter> all = reading.meters();
            if (app != null) {
                all = Meter.with(all, "host", app.host());
                all = Meter.with(all, "path", app.shownPath());
                all = Meter.with(all, "version", app.version());
            }
            return all;
        }
    }

    /// A session, without anything that would let one use it.
    ///
    /// @param id how its identifier begins
    /// @param key by which [#endSession] finds it: a digest of its identifier
    /// @param timeout how long it may idle; zero = for ever
    /// @param user who has logged in, if anybody has
    record Session(
            String id,
            String key,
            Instant created,
            Duration idle,
            Duration timeout,
            @Nullable String user) {}

    /// An application that has been undeployed and is still in memory.
    ///
    /// @param since how long ago
    /// @param left what it has left behind in the JVM, a line each
    record Leak(AppRef app, Duration since, List<String> left) {}

    /// The server's own version.
    String version();

    /// Since its start.
    Duration uptime();

    /// Whether it takes requests: false from the moment it stops.
    boolean isServing();

    /// Whether a thread has died without which nothing is served.
    boolean isDead();

    /// What it does while it does not serve: `starting`, `stopping` or `failed`.
    String idleState();

    /// Whether the disk of its work folder is full, so that pages cannot be compiled, uploads not
    /// be stored and sessions not be kept.
    boolean isDiskFull();

    /// The upstreams of the gateway.
    List<UpstreamReading> upstreams();

    /// How new versions of applications do that get a part of the clients, by host and path.
    Map<String, CanaryReading> newVersions();

    /// What those hosts have answered that have answered anything.
    List<HostReading> traffic();

    /// Where the requests of each host go.
    List<HostMap> map();

    /// The certificates of the listeners.
    List<CertificateReading> certificates();

    /// What it remembers of its requests.
    Sight sight();

    /// Why requests took long.
    SlowRequests slow();

    /// The numbers of all that count, as they are now.
    List<Meter> meters();

    /// Where servlets run.
    ///
    /// @param active tasks under way
    /// @param queued tasks that wait
    /// @param threads that there are
    /// @param max threads at most
    record Workers(int active, int queued, int threads, int max) {}

    /// The pool in which servlets run.
    Workers workers();

    /// Where its configuration comes from; null = a program has made it.
    @Nullable ConfigControl configuration();

    /// How the last reload of the configuration went; null when there was none.
    @Nullable LastReload lastReload();

    List<Listener> listeners();

    /// The pools that have been made: the server's, then those of applications.
    List<Pool> pools();

    /// The engine that keeps the sessions of applications; none = they are in memory.
    List<EngineReading> sessionEngines();

    /// What it shares with other servers; null = nothing.
    @Nullable SharedStatus shared();

    /// The names of each host, its own first; empty = any name.
    List<List<String>> hosts();

    /// By host, path and version.
    List<App> apps();

    /// The servlets of an application that runs, by name, and what requests to them have come to:
    /// those that came after the first call.
    Map<String, ServletReading> servlets(AppRef app);

    /// What the applications of the server share: names, and the types that they are given out as.
    Map<String, String> resources();

    /// The live sessions of an application.
    List<Session> sessions(AppRef app) throws AdminException;

    /// Changes a member of an upstream at once, until the server ends.
    ///
    /// @param upstream its name
    /// @param member its name
    void changeMember(String upstream, String member, MemberChange change, Operator by)
            throws AdminException;

    /// Removes responses from the caches of all hosts.
    ///
    /// @return how many URLs were kept
    int purge(CachePurge what, Operator by);

    /// How this server does where it registers itself.
    List<RegistrationReading> registrations();

    /// Who lets members of an upstream register; null = nobody does.
    @Nullable Registrar registrar(String upstream);

    /// Ends the sessions of an application that have been idle for longer.
    ///
    /// @return how many
    int expire(AppRef app, Duration idle) throws AdminException;

    /// Ends one session of an application.
    ///
    /// @param key of the session
    void endSession(AppRef app, String key, Operator by) throws AdminException;

    /// The default time-out of an application's sessions; zero = for ever.
    Duration sessionTimeout(AppRef app) throws AdminException;

    /// What else could not be served, a line each.
    List<String> failures();

    /// A folder on the same file system as the applications of a host, for what is received.
    Path receivingFolder(String host) throws AdminException;

    /// The file of an archive that was deployed, or is to be deployed, under a tag.
    ///
    /// @throws AdminException when the tag cannot be one
    Path tagged(AppRef app, String tag) throws AdminException;

    /// Puts an archive among the applications of its host and deploys it.
    ///
    /// @param received a whole WAR in the [#receivingFolder]; it is moved or deleted
    /// @param update whether it may replace an application at the same path
    void deploy(AppRef app, Path received, boolean update, Operator by) throws AdminException;

    /// Undeploys an application and deletes its files.
    void undeploy(AppRef app, Operator by) throws AdminException;

    /// Deploys an application again from its files.
    void reload(AppRef app, Operator by) throws AdminException;

    /// Lets a stopped application run again.
    void start(AppRef app, Operator by) throws AdminException;

    /// Stops an application, which keeps its sessions.
    void stop(AppRef app, Operator by) throws AdminException;

    /// Undeployed applications that are still in memory after everything unused was thrown out.
    /// Takes its time.
    List<Leak> findLeaks();
}
