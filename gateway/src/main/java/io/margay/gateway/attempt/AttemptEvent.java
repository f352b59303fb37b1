package io.margay.gateway.attempt;

import io.margay.server.exchange.Exchange;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// An attempt to have a member answer that has ended, for Java Flight Recorder. Written by the loop
/// that carries it.
@Name("io.margay.Attempt")
@Label("Attempt")
@Description("An attempt to have a member of an upstream answer that has ended")
@Category("Margay")
@StackTrace(false)
public final class AttemptEvent extends Event {
    @Label("Identifier of the request")
    String request = "";

    @Label("Upstream")
    String upstream = "";

    @Label("Member")
    String member = "";

    @Label("Outcome")
    String outcome = "";

    @Label("Status")
    int status;

    @Label("Took")
    @Timespan(Timespan.MICROSECONDS)
    long took;

    /// Writes one, if anybody records it. To be called only when [jdk.jfr.FlightRecorder] is
    /// initialized: the first use of this class initializes all of it, for 0.1 s of CPU time.
    ///
    /// @param status of the answer; 0 = there was none
    public static void ended(
            Exchange exchange,
            String upstream,
            String member,
            String outcome,
            int status,
            long tookNanos) {
        AttemptEvent event = new AttemptEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.request = exchange.requestId();
        event.upstream = upstream;
        event.member = member;
        event.outcome = outcome;
        event.status = status;
        event.took = TimeUnit.NANOSECONDS.toMicros(tookNanos);
        event.commit();
    }
}
