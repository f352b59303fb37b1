package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import io.margay.server.timing.RequestPhase;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A request that has ended, for Java Flight Recorder. Written by the thread that has ended it.
@Name("io.margay.Request")
@Label("Request")
@Description("A request that has ended, and where its time went")
@Category("Margay")
@StackTrace(false)
final class RequestEvent extends Event {
    @Label("Identifier")
    String id = "";

    @Label("Method")
    String method = "";

    @Label("Path")
    @Description("Without the query")
    String path = "";

    @Label("Host")
    String host = "";

    @Label("Route")
    String route = "";

    @Label("Application")
    String application = "";

    @Label("Status")
    int status;

    @Label("Failed")
    boolean failed;

    @Label("Attempts")
    int attempts;

    @Label("Took")
    @Timespan(Timespan.MICROSECONDS)
    long took;

    @Label("Held")
    @Timespan(Timespan.MICROSECONDS)
    long held;

    @Label("Queued")
    @Timespan(Timespan.MICROSECONDS)
    long queued;

    @Label("Content")
    @Timespan(Timespan.MICROSECONDS)
    long content;

    @Label("Connect")
    @Timespan(Timespan.MICROSECONDS)
    long connect;

    @Label("Send")
    @Timespan(Timespan.MICROSECONDS)
    long send;

    @Label("Answer")
    @Timespan(Timespan.MICROSECONDS)
    long answer;

    @Label("Client")
    @Timespan(Timespan.MICROSECONDS)
    long client;

    /// Writes one, if anybody records it. To be called only when [jdk.jfr.FlightRecorder] is
    /// initialized: the first use of this class initializes all of it, for 0.1 s of CPU time.
    static void ended(Exchange exchange, SightKey at, long tookNanos) {
        RequestEvent event = new RequestEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.id = exchange.requestId();
        event.method = exchange.request().method();
        event.path = exchange.request().target().rawPath();
        event.host = at.of();
        event.route = at.name();
        event.application = at.application();
        event.status = exchange.status();
        event.failed = exchange.failure() != null;
        event.attempts = exchange.attempts();
        event.took = TimeUnit.NANOSECONDS.toMicros(tookNanos);
        event.held = exchange.micros(RequestPhase.HELD);
        event.queued = exchange.micros(RequestPhase.QUEUED);
        event.content = exchange.micros(RequestPhase.CONTENT);
        event.connect = exchange.micros(RequestPhase.CONNECT);
        event.send = exchange.micros(RequestPhase.SEND);
        event.answer = exchange.micros(RequestPhase.ANSWER);
        event.client = exchange.micros(RequestPhase.CLIENT);
        event.commit();
    }
}
