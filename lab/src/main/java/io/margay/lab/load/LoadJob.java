package io.margay.lab.load;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// One piece of load, as it is handed to the generator. Immutable.
///
/// @param shape who asks when
/// @param tls whether to speak HTTPS
/// @param keepAlive false: a connection per request, which the server closes
/// @param paths what to get; for [Shape#PAGES] the page, then what is on it, otherwise in turn;
///   `TRACE FILE` for the requests of a trace
/// @param connections how many connections at most; for [Shape#PAGES] ignored
/// @param requests at least so many answers, 0 for no such bound
/// @param millis at least so long, 0 for no such bound
/// @param millisMax the end in any case
/// @param perSecond requests per second, for [Shape#RATE]; for [Shape#TRACE] how many times as fast
///   as the trace was written down
/// @param users threads that look at pages, for [Shape#PAGES]
/// @param streams requests at a time on each connection, by HTTP/2 or 3; 0 for HTTP/1.1
/// @param quic whether streams are HTTP/3's
/// @param inTurn whether requests at a fixed rate go over all connections in turn, in place of as
///   few as there need be; for a second before the measurement, too
/// @param spin whether the last millisecond before a request is due may be spent waiting busily
/// @param certificate PEM file of the one certificate to accept
@RecordBuilder
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
        int streams,
        boolean quic,
        boolean inTurn,
        boolean spin,
        String certificate)
        implements LoadJobBuilder.With {
    /// Who asks when.
    public enum Shape {
        /// Each connection asks again as soon as it is answered (ApacheBench, JMeter).
        CLOSED,
        /// Requests start at fixed times, answered or not.
        RATE,
        /// Requests of a trace start when they did, or some times as fast, answered or not.
        TRACE,
        /// Each user loads a page, then what is on it over all sockets, then the next page.
        PAGES
    }

    public LoadJob {
        paths = List.copyOf(paths);
        if ((shape == Shape.RATE || shape == Shape.TRACE) && !(perSecond > 0)) {
            throw new IllegalArgumentException("a rate of " + perSecond + " requests a second");
        }
    }

    /// The same with another length.
    public LoadJob lasting(long newRequests, long newMillis, long newMillisMax) {
        return LoadJobBuilder.builder(this)
                .requests(newRequests)
                .millis(newMillis)
                .millisMax(newMillisMax)
                .build();
    }

    /// The same to another server.
    public LoadJob to(int newPort, List<String> newPaths, String newCertificate) {
        return LoadJobBuilder.builder(this)
                .port(newPort)
                .paths(newPaths)
                .certificate(newCertificate)
                .build();
    }

    /// The same without busy waiting, for a generator that shares its processor with the servers.
    public LoadJob patient() {
        return LoadJobBuilder.builder(this).spin(false).build();
    }

    /// The same at another rate.
    public LoadJob at(double newPerSecond) {
        return LoadJobBuilder.builder(this).perSecond(newPerSecond).build();
    }

    /// The same over all connections in turn, of which the first second does not count; for
    /// [Shape#RATE].
    public LoadJob overAllInTurn() {
        return LoadJobBuilder.builder(this).inTurn(true).build();
    }

    private static LoadJobBuilder of(Shape shape) {
        return LoadJobBuilder.builder()
                .shape(shape)
                .keepAlive(true)
                .paths(List.of())
                .certificate("");
    }

    /// So many connections, each asking again when answered.
    public static LoadJob closed(int connections, boolean tls, boolean keepAlive) {
        return of(Shape.CLOSED).connections(connections).tls(tls).keepAlive(keepAlive).build();
    }

    /// So many requests a second over at most so many connections.
    public static LoadJob rate(double perSecond, int connections, boolean tls, boolean keepAlive) {
        return of(Shape.RATE)
                .perSecond(perSecond)
                .connections(connections)
                .tls(tls)
                .keepAlive(keepAlive)
                .spin(true)
                .build();
    }

    /// A trace so many times as fast as it was written down, over at most so many connections.
    public static LoadJob trace(double speed, int connections) {
        return of(Shape.TRACE).perSecond(speed).connections(connections).spin(true).build();
    }

    /// So many users with so many sockets each.
    public static LoadJob pages(int users, int socketsPerUser) {
        return of(Shape.PAGES).connections(users * socketsPerUser).users(users).build();
    }

    /// Connections of each user, for [Shape#PAGES].
    public int socketsPerUser() {
        return connections / Math.max(1, users);
    }

    /// The same by HTTP/3.
    public LoadJob overQuic(int newStreams) {
        return LoadJobBuilder.builder(this).tls(true).streams(newStreams).quic(true).build();
    }

    /// What is spoken.
    public String protocol() {
        if (quic) {
            return "HTTP/3";
        }
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
            case TRACE ->
                    "a trace, %s times as fast as it was written down, up to %d connections, %s"
                            .formatted(
                                    perSecond == Math.rint(perSecond)
                                            ? String.valueOf((long) perSecond)
                                            : String.valueOf(perSecond),
                                    connections,
                                    how);
            case PAGES ->
                    users + " threads × " + socketsPerUser() + " sockets, whole pages, " + how;
        };
    }
}
