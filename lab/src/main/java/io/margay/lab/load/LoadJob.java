package io.margay.lab.load;

import java.util.List;

/// One piece of load, as it is handed to the generator. Immutable.
///
/// @param shape who asks when
/// @param tls whether to speak HTTPS
/// @param keepAlive false: a connection per request, which the server closes
/// @param paths what to get; for [Shape#PAGES] the page, then what is on it, otherwise in turn
/// @param connections how many connections at most; for [Shape#PAGES] ignored
/// @param requests at least so many answers, 0 for no such bound
/// @param millis at least so long, 0 for no such bound
/// @param millisMax the end in any case
/// @param perSecond requests per second, for [Shape#RATE]
/// @param users threads that look at pages, for [Shape#PAGES]
/// @param socketsPerUser connections of each of them
/// @param streams requests at a time on each connection, by HTTP/2; 0 for HTTP/1.1
/// @param inTurn whether requests at a fixed rate go over all connections in turn, in place of as
///   few as there need be; for a second before the measurement, too
/// @param spin whether the last millisecond before a request is due may be spent waiting busily
/// @param certificate PEM file of the one certificate to accept
public record LoadJob(
        Shape shape,
        int port,
        boolean tls,
        boolean keepAlive,
        List<String> paths,
        int connections,
        long requests,
        long millis,
        long millisMax,
        double perSecond,
        int users,
        int socketsPerUser,
        int streams,
        boolean inTurn,
        boolean spin,
        String certificate) {
    /// Who asks when.
    public enum Shape {
        /// Each connection asks again as soon as it is answered (ApacheBench, JMeter).
        CLOSED,
        /// Requests start at fixed times, answered or not.
        RATE,
        /// Each user loads a page, then what is on it over all sockets, then the next page.
        PAGES
    }

    public LoadJob {
        paths = List.copyOf(paths);
        if (shape == Shape.RATE && !(perSecond > 0)) {
            throw new IllegalArgumentException("a rate of " + perSecond + " requests a second");
        }
    }

    /// A job while it is made from nothing or from another. Confined to one thread.
    private static final class Draft {
        private final Shape shape;
        private int port;
        private boolean tls;
        private boolean keepAlive = true;
        private List<String> paths = List.of();
        private int connections;
        private long requests;
        private long millis;
        private long millisMax;
        private double perSecond;
        private int users;
        private int socketsPerUser;
        private int streams;
        private boolean inTurn;
        private boolean spin;
        private String certificate = "";

        private Draft(Shape shape) {
            this.shape = shape;
        }

        private static Draft of(LoadJob job) {
            Draft draft = new Draft(job.shape);
            draft.port = job.port;
            draft.tls = job.tls;
            draft.keepAlive = job.keepAlive;
            draft.paths = job.paths;
            draft.connections = job.connections;
            draft.requests = job.requests;
            draft.millis = job.millis;
            draft.millisMax = job.millisMax;
            draft.perSecond = job.perSecond;
            draft.users = job.users;
            draft.socketsPerUser = job.socketsPerUser;
            draft.streams = job.streams;
            draft.inTurn = job.inTurn;
            draft.spin = job.spin;
            draft.certificate = job.certificate;
            return draft;
        }

        private LoadJob job() {
            return new LoadJob(
                    shape,
                    port,
                    tls,
                    keepAlive,
                    paths,
                    connections,
                    requests,
                    millis,
                    millisMax,
                    perSecond,
                    users,
                    socketsPerUser,
                    streams,
                    inTurn,
                    spin,
                    certificate);
        }
    }

    /// The same with another length.
    public LoadJob lasting(long newRequests, long newMillis, long newMillisMax) {
        Draft draft = Draft.of(this);
        draft.requests = newRequests;
        draft.millis = newMillis;
        draft.millisMax = newMillisMax;
        return draft.job();
    }

    /// The same to another server.
    public LoadJob to(int newPort, List<String> newPaths, String newCertificate) {
        Draft draft = Draft.of(this);
        draft.port = newPort;
        draft.paths = newPaths;
        draft.certificate = newCertificate;
        return draft.job();
    }

    /// The same without busy waiting, for a generator that shares its processor with the servers.
    public LoadJob patient() {
        Draft draft = Draft.of(this);
        draft.spin = false;
        return draft.job();
    }

    /// The same at another rate.
    public LoadJob at(double newPerSecond) {
        Draft draft = Draft.of(this);
        draft.perSecond = newPerSecond;
        return draft.job();
    }

    /// The same by HTTP/2 with so many requests at a time on each connection; 0 for HTTP/1.1.
    public LoadJob withStreams(int newStreams) {
        Draft draft = Draft.of(this);
        draft.streams = newStreams;
        return draft.job();
    }

    /// The same over all connections in turn, of which the first second does not count; for
    /// [Shape#RATE].
    public LoadJob overAllInTurn() {
        Draft draft = Draft.of(this);
        draft.inTurn = true;
        return draft.job();
    }

    /// So many connections, each asking again when answered.
    public static LoadJob closed(int connections, boolean tls, boolean keepAlive) {
        Draft draft = new Draft(Shape.CLOSED);
        draft.connections = connections;
        draft.tls = tls;
        draft.keepAlive = keepAlive;
        return draft.job();
    }

    /// So many requests a second over at most so many connections.
    public static LoadJob rate(double perSecond, int connections, boolean tls, boolean keepAlive) {
        Draft draft = new Draft(Shape.RATE);
        draft.perSecond = perSecond;
        draft.connections = connections;
        draft.tls = tls;
        draft.keepAlive = keepAlive;
        draft.spin = true;
        return draft.job();
    }

    /// So many users with so many sockets each.
    public static LoadJob pages(int users, int socketsPerUser) {
        Draft draft = new Draft(Shape.PAGES);
        draft.connections = users * socketsPerUser;
        draft.users = users;
        draft.socketsPerUser = socketsPerUser;
        return draft.job();
    }

    /// What is spoken.
    public String protocol() {
        if (streams > 0) {
            return "HTTP/2 " + (tls ? "over TLS" : "in clear text");
        }
        return tls ? "HTTPS" : "HTTP";
    }

    /// The shape in words.
    public String words() {
        String how =
                protocol()
                        + (streams > 0
                                ? ", " + streams + " streams each"
                                : keepAlive ? ", keep-alive" : ", close");
        return switch (shape) {
            case CLOSED -> connections + " connections, closed, " + how;
            case RATE ->
                    "%.0f requests/s, fixed rate, %s%s"
                            .formatted(
                                    perSecond,
                                    inTurn ? connections + " connections in turn, " : "",
                                    how);
            case PAGES -> users + " threads × " + socketsPerUser + " sockets, whole pages, " + how;
        };
    }
}
