package io.margay.protocol.http2;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Session.Event;
import org.jspecify.annotations.Nullable;

/// What frames were found to say: the details of an event, and what a fault of the peer's leads to.
/// Guarded as its session is.
final class Outcome {
    private final SessionState state;

    int consumed;
    @Nullable Http2Stream stream;
    @Nullable RequestHead requestHead;
    @Nullable ResponseHead responseHead;
    @Nullable ProtocolError refusal;
    Fields trailers = Fields.EMPTY;
    Priority priority = Priority.DEFAULT;
    int dataFrom;
    int dataTo;

    /// Of RST_STREAM and GOAWAY: the error code.
    int code;

    /// Of GOAWAY: the last stream of ours that the peer has looked at, or may.
    int lastKnownId;

    Outcome(SessionState state) {
        this.state = state;
    }

    /// Ends the session because of what the peer did.
    Event fail(ProtocolError error) {
        state.failure = error;
        refusal = error;
        state.goingAway = true;
        state.writer.goAway(state.lastPeerId, error.http2Code());
        return Event.FAILED;
    }

    /// Counts a frame that moves nothing.
    Event overhead(int units) {
        return state.budget.spend(units) ? fail(Http2Error.TOO_MUCH_OVERHEAD) : Event.NONE;
    }

    /// Ends a stream because of what the peer did on it.
    Event failStream(Http2Stream failed, ProtocolError error) {
        state.reset(failed, error.http2Code());
        if (state.budget.spend(OverheadBudget.RESET)) {
            return fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        stream = failed;
        refusal = error;
        return Event.RESET;
    }

    /// The same for a stream that nobody knows of.
    Event refuseStream(int id, ProtocolError error) {
        state.writer.reset(id, error.http2Code());
        state.remember(id);
        return overhead(OverheadBudget.RESET);
    }
}
