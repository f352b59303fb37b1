package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.protocol.http.Priority;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.protocol.multiplex.SendSchedule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Whose frame is next, by priorities (RFC 9218 §10).
final class SendScheduleTest {
    private final SendSchedule schedule = new SendSchedule();
    private final Http2Session session =
            new Http2Session(Http2Session.Role.SERVER, Http2Limits.defaults(), false, -1);

    private Http2Stream add(int id, @Nullable Priority priority) {
        Http2Stream stream = new Http2Stream(session, id, 0, 0);
        stream.priority(priority);
        schedule.add(stream);
        return stream;
    }

    private static Priority urgency(int urgency) {
        return new Priority(urgency, false);
    }

    private static Priority inTurns(int urgency) {
        return new Priority(urgency, true);
    }

    /// The streams of so many frames, each of which leaves more to send.
    private String frames(int count) {
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < count; i++) {
            MessageStream next = schedule.next();
            order.append(order.isEmpty() ? "" : " ").append(next == null ? "-" : next.number());
            if (next != null) {
                schedule.add(next);
            }
        }
        return order.toString();
    }

    @Test
    void nothing_waits_nothingIsNext() {
        assertEquals("-", frames(1));
        assertEquals(0, schedule.size());
    }

    @Test
    void urgentOnes_goFirst() {
        add(1, urgency(7));
        add(3, urgency(3));
        add(5, inTurns(0));
        assertEquals("5 5", frames(2));
        assertEquals(3, schedule.size());
    }

    @Test
    void wholeOnes_goOneAfterTheOther_inTheOrderOfTheirRequests() {
        add(5, urgency(3));
        add(1, urgency(3));
        add(3, urgency(3));
        assertEquals("1 1", frames(2));
        schedule.next();
        assertEquals("3 3", frames(2));
    }

    @Test
    void incrementalOnes_takeTurns() {
        add(1, inTurns(3));
        add(3, inTurns(3));
        add(5, inTurns(3));
        assertEquals("1 3 5 1 3 5", frames(6));
    }

    @Test
    void bothKinds_ofOneUrgency_alternate() {
        add(1, urgency(3));
        add(3, urgency(3));
        add(5, inTurns(3));
        add(7, inTurns(3));
        assertEquals("5 1 7 1 5 1", frames(6));
    }

    @Test
    void unknownOnes_takeTurns_amongTheUsualUrgency() {
        add(1, null);
        add(3, null);
        add(5, urgency(2));
        add(7, urgency(4));
        assertEquals("5 5", frames(2));
        schedule.next();
        assertEquals("1 3 1", frames(3));
    }

    @Test
    void change_movesWhoWaits_andOnlyThem() {
        Http2Stream first = add(1, urgency(3));
        Http2Stream second = add(3, urgency(3));
        schedule.change(second, urgency(1));
        assertEquals("3 3", frames(2));
        assertEquals(second, schedule.next());
        schedule.change(second, urgency(0));
        assertEquals(1, schedule.size());
        assertEquals("1", frames(1));
        schedule.change(first, inTurns(6));
        schedule.add(second);
        assertEquals("3", frames(1));
    }

    @Test
    void hasten_givesOneFrameBeforeAllOthers() {
        add(1, urgency(0));
        add(3, urgency(7));
        add(5, inTurns(6));
        schedule.hasten(stream -> stream.number() > 1);
        assertEquals("5 3 1 1", frames(4));
        assertEquals(3, schedule.size());
    }
}
