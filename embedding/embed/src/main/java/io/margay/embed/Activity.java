package io.margay.embed;

import io.margay.server.HttpServer.HttpListener;
import io.margay.server.config.ServerStats;
import io.margay.server.dispatch.Dispatcher;
import io.margay.servlet.WebApp;
import io.margay.servlet.session.SessionTotals;
import io.margay.transport.HandshakeCounts;
import java.util.List;

/// What a server does and has done, all listeners and contexts together. Immutable, and no snapshot
/// of one instant.
///
/// @param traffic of the listeners since they were opened
/// @param workers what servlets run on
/// @param sessions of the contexts and applications since they were started
public record Activity(Traffic traffic, Workers workers, Sessions sessions) {
    /// Of listeners; all zero while there are none.
    ///
    /// @param connections accepted
    /// @param connectionsOpen open now
    /// @param requests ended
    /// @param requestsActive begun and not ended
    /// @param requestsFailed ended by the client's fault, or given up
    /// @param clientErrors responses with 4xx
    /// @param serverErrors responses with 5xx
    /// @param bytesReceived heads included
    /// @param bytesSent heads included
    /// @param nanos time from complete heads to the ends of the responses
    /// @param nanosLongest the longest of them
    /// @param handshakes of TLS that ended well
    /// @param handshakesFailed of TLS that did not
    public record Traffic(
            long connections,
            long connectionsOpen,
            long requests,
            long requestsActive,
            long requestsFailed,
            long clientErrors,
            long serverErrors,
            long bytesReceived,
            long bytesSent,
            long nanos,
            long nanosLongest,
            long handshakes,
            long handshakesFailed) {
        static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        static Traffic of(List<HttpListener> listeners) {
            Traffic sum = NONE;
            for (HttpListener listener : listeners) {
                sum = sum.plus(listener.stats().read(), listener.socket().handshakes());
            }
            return sum;
        }

        private Traffic plus(ServerStats.Reading more, HandshakeCounts shaken) {
            return new Traffic(
                    connections + more.connections(),
                    connectionsOpen + more.connectionsOpen(),
                    requests + more.requests(),
                    requestsActive + more.requestsActive(),
                    requestsFailed + more.requestsFailed(),
                    clientErrors + more.clientErrors(),
                    serverErrors + more.serverErrors(),
                    bytesReceived + more.bytesReceived(),
                    bytesSent + more.bytesSent(),
                    nanos + more.nanos(),
                    Math.max(nanosLongest, more.longestNanos()),
                    handshakes + shaken.done(),
                    handshakesFailed + shaken.failed());
        }
    }

    /// What servlets run on; all but `max` zero while the server does not listen.
    ///
    /// @param busy requests that run
    /// @param threads that there are for them
    /// @param queued requests that wait for one
    /// @param max threads, or virtual threads, at most
    public record Workers(int busy, int threads, int queued, int max) {
        static Workers of(Dispatcher workers, int max) {
            return new Workers(workers.active(), workers.threads(), workers.queued(), max);
        }
    }

    /// Sessions.
    ///
    /// @param active live now
    /// @param created begun by requests
    /// @param expired ended because nobody used them
    /// @param refused not begun, because there were too many
    public record Sessions(long active, long created, long expired, long refused) {
        static final Sessions NONE = new Sessions(0, 0, 0, 0);

        static Sessions of(List<WebApp> apps) {
            Sessions sum = NONE;
            for (WebApp app : apps) {
                SessionTotals totals = app.sessionTotals();
                sum =
                        new Sessions(
                                sum.active + app.sessions(),
                                sum.created + totals.created(),
                                sum.expired + totals.expired(),
                                sum.refused + totals.refused());
            }
            return sum;
        }
    }
}
