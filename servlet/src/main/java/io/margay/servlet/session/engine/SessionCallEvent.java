package io.margay.servlet.session.engine;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A call of the engine that keeps sessions, for Java Flight Recorder. Written by the thread that
/// has made it.
@Name("io.margay.SessionCall")
@Label("Session store call")
@Description("A call of the engine that keeps sessions that has ended")
@Category("Margay")
@StackTrace(false)
public final class SessionCallEvent extends Event {
    @Label("Store")
    String store = "";

    @Label("Failed")
    boolean failed;

    @Label("Took")
    @Timespan(Timespan.MICROSECONDS)
    long took;

    /// Writes one, if anybody records it; else nothing is made.
    public static void ended(String store, boolean failed, long tookNanos) {
        if (!FlightRecorder.isInitialized()) {
            return;
        }
        SessionCallEvent event = new SessionCallEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.store = store;
        event.failed = failed;
        event.took = TimeUnit.NANOSECONDS.toMicros(tookNanos);
        event.commit();
    }
}
