package io.margay.server.timing;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What was noted of where the time of one request went, in microseconds up to 35 minutes: by
/// stages of its host and by the gateway. Owned as its exchange is, which knows the other phases
/// itself; any thread may ask which phase is under way.
public final class Phases {
    private int head;
    private int held;
    private int connect;
    private int send;
    private int answer;
    private int attempts;
    private @Nullable RequestPhase underWay;

    /// A phase begins, or, with null, none. It is not counted before it is [added][#add].
    public void begin(@Nullable RequestPhase phase) {
        underWay = phase;
    }

    /// The phase that has begun and was not added; null = there is none.
    public @Nullable RequestPhase underWay() {
        return underWay;
    }

    /// So much more time went into a phase, which is over.
    ///
    /// @param nanos adds nothing when negative
    /// @throws IllegalArgumentException for a phase that the exchange knows itself
    public void add(RequestPhase phase, long nanos) {
        underWay = null;
        switch (phase) {
            case HEAD -> head = sum(head, nanos);
            case HELD -> held = sum(held, nanos);
            case CONNECT -> connect = sum(connect, nanos);
            case SEND -> send = sum(send, nanos);
            case ANSWER -> answer = sum(answer, nanos);
            case QUEUED, CONTENT, CLIENT ->
                    throw new IllegalArgumentException(phase + " is not for others to note");
        }
    }

    private static int sum(int before, long nanos) {
        long all = before + TimeUnit.NANOSECONDS.toMicros(Math.max(0, nanos));
        return (int) Math.min(Integer.MAX_VALUE, all);
    }

    /// Microseconds that were noted, 0 for none.
    public int micros(RequestPhase phase) {
        return switch (phase) {
            case HEAD -> head;
            case HELD -> held;
            case CONNECT -> connect;
            case SEND -> send;
            case ANSWER -> answer;
            case QUEUED, CONTENT, CLIENT -> 0;
        };
    }

    /// A member is about to be asked.
    public void attempt() {
        attempts++;
    }

    /// How often a member was asked.
    public int attempts() {
        return attempts;
    }
}
