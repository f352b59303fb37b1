package io.margay.servlet.session.engine;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
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

    /// Writes one, if anybody records it. To be called only when [jdk.jfr.FlightRecorder] is
    /// initialized: the first use of this class initializes all of it, for 0.1 s of CPU time.
    public static void ended(String store, boolean failed, long tookNanos) {
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
