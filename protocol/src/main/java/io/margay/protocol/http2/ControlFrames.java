package io.margay.protocol.http2;

import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http2.Http2Session.Event;
import java.nio.charset.StandardCharsets;

/// What is received beside heads and content: settings, windows, priorities, pings, and the end of
/// streams and of the session. Guarded as its session is.
final class ControlFrames {
    private final SessionState state;
    private final Outcome outcome;
    private final EarlyPriorities early;
    private boolean settingsReceived;

    ControlFrames(SessionState state, Outcome outcome, EarlyPriorities early) {
        this.state = state;
        this.outcome = outcome;
        this.early = early;
    }

    /// Whether the peer has said its settings.
    boolean settingsReceived() {
        return settingsReceived;
    }

    Event priority(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (to - from != 5) {
            return known == null
                    ? outcome.fail(Http2Error.BAD_LENGTH)
                    : outcome.failStream(known, Http2Error.BAD_LENGTH);
        }
        if (PeerSettings.int31(bytes, from) == id) {
            return known == null
                    ? outcome.fail(Http2Error.SELF_DEPENDENCY)
                    : outcome.failStream(known, Http2Error.SELF_DEPENDENCY);
        }
        return outcome.overhead(OverheadBudget.SMALL);
    }

    /// What cannot be read says nothing, as in the field of a request (RFC 9218 §7.1).
    Event priorityUpdate(int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from < 4) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        int target = PeerSettings.int31(bytes, from);
        if (!state.server || target == 0 || (!state.isOfPeer(target) && state.isIdle(target))) {
            return outcome.fail(Http2Error.BAD_STREAM);
        }
        if (state.budget.spend(OverheadBudget.SMALL)) {
            return outcome.fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        String value = new String(bytes, from + 4, to - from - 4, StandardCharsets.ISO_8859_1);
        outcome.priority = Priority.DEFAULT.changedBy(value);
        if (state.isIdle(target)) {
            early.put(target, outcome.priority);
            return Event.NONE;
        }
        outcome.stream = state.streams.get(target);
        return outcome.stream == null ? Event.NONE : Event.PRIORITY;
    }

    Event resetByPeer(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from != 4) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        if (state.isIdle(id)) {
            return outcome.fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (known == null) {
            return outcome.overhead(OverheadBudget.SMALL);
        }
        known.state = Http2Stream.State.CLOSED;
        known.isReset = true;
        state.cancelled(known);
        outcome.code = PeerSettings.int32(bytes, from);
        if (state.budget.spend(OverheadBudget.RESET)) {
            return outcome.fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        outcome.stream = known;
        return Event.RESET;
    }

    Event settings(int flags, int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if ((flags & Http2.FLAG_ACK) != 0) {
            return to == from
                    ? outcome.overhead(OverheadBudget.SMALL)
                    : outcome.fail(Http2Error.BAD_LENGTH);
        }
        if ((to - from) % 6 != 0) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        if ((to - from) / 6 > state.limits.settingsMax()) {
            return outcome.fail(Http2Error.TOO_MUCH_OVERHEAD);
        }
        int windowBefore = state.peer.initialWindow;
        ProtocolError error = state.peer.read(bytes, from, to, state.server);
        if (error != null) {
            return outcome.fail(error);
        }
        if (!moveWindows(state.peer.initialWindow - windowBefore)) {
            return outcome.fail(Http2Error.BAD_WINDOW_SETTING);
        }
        settingsReceived = true;
        state.settled = true;
        state.writer.encoder.tableBytesMax(state.peer.headerTableBytes);
        state.writer.frameBytesMax = Math.min(state.peer.frameBytesMax, Http2.FRAME_SIZE_DEFAULT);
        state.writer.settingsAck();
        return answered(OverheadBudget.SETTINGS) ? Event.ROOM : Event.FAILED;
    }

    /// Counts a frame that was answered.
    ///
    /// @return false when the session has failed now
    private boolean answered(int units) {
        if (state.budget.spend(units)) {
            outcome.fail(Http2Error.TOO_MUCH_OVERHEAD);
            return false;
        }
        if (state.writer.out.size() > state.limits.pendingBytesMax()) {
            outcome.fail(Http2Error.OUTPUT_NOT_TAKEN);
            return false;
        }
        return true;
    }

    private boolean moveWindows(int by) {
        if (by != 0) {
            for (Http2Stream each : state.streams.all()) {
                long moved = (long) each.sendWindow + by;
                if (moved > Http2.WINDOW_MAX) {
                    return false;
                }
                each.sendWindow = (int) moved;
            }
        }
        return true;
    }

    Event ping(int flags, int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from != 8) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        if ((flags & Http2.FLAG_ACK) != 0) {
            return state.budget.spend(OverheadBudget.SMALL)
                    ? outcome.fail(Http2Error.TOO_MUCH_OVERHEAD)
                    : Event.PONG;
        }
        state.writer.ping(Http2.FLAG_ACK, bytes, from);
        return answered(OverheadBudget.PING) ? Event.NONE : Event.FAILED;
    }

    Event goAwayByPeer(int id, byte[] bytes, int from, int to) {
        if (id != 0) {
            return outcome.fail(Http2Error.NOT_ON_STREAM);
        }
        if (to - from < 8) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        outcome.lastKnownId = PeerSettings.int31(bytes, from);
        outcome.code = PeerSettings.int32(bytes, from + 4);
        return state.budget.spend(OverheadBudget.SETTINGS)
                ? outcome.fail(Http2Error.TOO_MUCH_OVERHEAD)
                : Event.GOAWAY;
    }

    Event windowUpdate(int id, byte[] bytes, int from, int to) {
        if (to - from != 4) {
            return outcome.fail(Http2Error.BAD_LENGTH);
        }
        int increment = PeerSettings.int31(bytes, from);
        if (id == 0) {
            if (increment == 0) {
                return outcome.fail(Http2Error.NO_INCREMENT);
            }
            if (increment > Http2.WINDOW_MAX - Math.max(0, state.sendWindow)) {
                return outcome.fail(Http2Error.WINDOW_OVERFLOW);
            }
            state.sendWindow += increment;
            return outcome.overhead(OverheadBudget.SMALL) == Event.NONE ? Event.ROOM : Event.FAILED;
        }
        if (state.isIdle(id)) {
            return outcome.fail(Http2Error.IDLE_STREAM);
        }
        Http2Stream known = state.streams.get(id);
        if (known == null) {
            return outcome.overhead(OverheadBudget.SMALL);
        }
        if (increment == 0) {
            return outcome.failStream(known, Http2Error.NO_INCREMENT);
        }
        if ((long) known.sendWindow + increment > Http2.WINDOW_MAX) {
            return outcome.failStream(known, Http2Error.WINDOW_OVERFLOW);
        }
        known.sendWindow += increment;
        if (outcome.overhead(OverheadBudget.SMALL) != Event.NONE) {
            return Event.FAILED;
        }
        outcome.stream = known;
        return Event.ROOM;
    }
}
