package io.margay.server.exchange;

import io.margay.server.timing.Phases;
import io.margay.server.timing.RequestPhase;
import org.jspecify.annotations.Nullable;

/// One request and its response, whichever protocol and transport carry it. Engines see nothing
/// below this; who needs one side of it takes that alone.
///
/// Used by one thread at a time: first the connection's loop thread, then whichever thread the
/// handler works on; passing it on needs a happens-before edge, which [#dispatch] and the callbacks
/// give. [#end], [#abort], [#dispatch] and the getters of the request may be called from any
/// thread. Never reused: after the end every method that moves bytes throws
/// `IllegalStateException`.
///
/// **Two ways to move bytes.** `read`, `write` and `sendFile` wait, and so are allowed only after
/// [#dispatch]; `poll` and `offer` never wait, and `onReadable` and `onWritable` say when to go on.
public interface Exchange extends ExchangeRequest, ExchangeResponse, ExchangeScheduling {
    /// The authenticated user for the access log, or null.
    @Nullable String remoteUser();

    /// Sets the authenticated user.
    void remoteUser(@Nullable String user);

    /// How the user was authenticated, by this server's host or a front end; null when not known.
    default @Nullable String authType() {
        String ofHost = notes().userMethod();
        return ofHost != null ? ofHost : attribute(AUTH_TYPE) instanceof String type ? type : null;
    }

    /// What is noted of it; one object as long as it lives, made when it is first asked for.
    default ExchangeNotes notes() {
        return new ExchangeNotes();
    }

    /// How much content whoever answers may read, because its length was not told; -1 = any.
    default long contentBytesMax() {
        return notes().contentBytesMax();
    }

    /// Whether a file of a media type is sent whole and as it is stored, since its content is
    /// changed on its way.
    default boolean isWhole(@Nullable String type) {
        return notes().isWhole(type);
    }

    /// Who watches it.
    default ExchangeObserver observer() {
        return ExchangeObserver.NONE;
    }

    /// Tells an observer of its end, as [#onEnd(Runnable)] does: no object is made for it.
    default void onEnd(ExchangeObserver observer) {
        onEnd(() -> observer.ended(this));
    }

    /// Where stages and the gateway note how long it was in which phase: one object as long as it
    /// lives, made when it is first asked for.
    default Phases phases() {
        return new Phases();
    }

    /// How long it was in a phase, microseconds.
    default long micros(RequestPhase phase) {
        return phases().micros(phase);
    }

    /// The phase in which it is and of which [#micros] does not tell yet; null = that is not known.
    /// Any thread.
    default @Nullable RequestPhase underWay() {
        return phases().underWay();
    }

    /// How often a member was asked.
    default int attempts() {
        return phases().attempts();
    }

    /// From the whole head of the request to the head of the response, microseconds up to 35
    /// minutes; -1 = that has not been sent.
    default int headMicros() {
        return -1;
    }

    /// The thread that works on it now and may wait, or null; another one at any moment. Any
    /// thread.
    default @Nullable Thread worker() {
        return null;
    }

    /// Who answered in place of this server, or null.
    default @Nullable Relay relay() {
        return notes().relay();
    }
}
