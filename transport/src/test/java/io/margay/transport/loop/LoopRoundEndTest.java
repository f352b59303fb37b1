package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.TransportConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a loop leaves for the end of a round.
final class LoopRoundEndTest {
    private final List<String> said = new ArrayList<>();
    private final Round round = new Round();
    private final EventLoop loop =
            new EventLoop(System::nanoTime, round, LoopRoundEndTest::noDialer);

    LoopRoundEndTest() {
        loop.adoptThread(Thread.currentThread());
    }

    /// One round of events, each of which is what the test says.
    private final class Round implements Poller {
        List<Runnable> events = List.of();
        boolean waited;

        @Override
        public int poll(long timeoutNanos) {
            waited = timeoutNanos != 0;
            return events.size();
        }

        @Override
        public Pollable target(int place) {
            return _ -> events.get(place).run();
        }

        @Override
        public int operations(int place) {
            return 1;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    private static Dialer noDialer(EventLoop loop) {
        return new LoopDialer(
                loop,
                new TlsLayer(TransportConfig.defaults(), true),
                (address, of, result) -> {
                    throw new IOException("no sockets");
                });
    }

    /// Sends now, or at the round's end.
    private Runnable sends(String name) {
        return () -> {
            said.add("got " + name);
            if (!loop.dialer().atRoundEnd(() -> said.add("sent " + name))) {
                said.add("sent " + name);
            }
        };
    }

    @Test
    void steps_ofSeveralEvents_comeAfterTheLastInTheirOrder() throws IOException {
        round.events = List.of(sends("a"), sends("b"), sends("c"));
        loop.turn(true);
        assertEquals(List.of("got a", "got b", "got c", "sent a", "sent b", "sent c"), said);
    }

    @Test
    void step_ofALoneEvent_isNotLeft() throws IOException {
        round.events = List.of(sends("a"));
        loop.turn(true);
        assertEquals(List.of("got a", "sent a"), said);
    }

    @Test
    void step_ofTheLastEvent_whereNothingWaits_isNotLeft() throws IOException {
        round.events = List.of(() -> said.add("other"), sends("a"));
        loop.turn(true);
        assertEquals(List.of("other", "got a", "sent a"), said);
        assertFalse(loop.atRoundEnd(() -> said.add("never")), "no round");
    }

    @Test
    void step_thatFails_keepsNoOtherFromItsTurn() throws IOException {
        round.events =
                List.of(
                        () ->
                                assertTrue(
                                        loop.atRoundEnd(() -> {
                                            throw new IllegalStateException("as wanted");
                                        })),
                        sends("b"));
        loop.turn(true);
        assertEquals(List.of("got b", "sent b"), said);
    }

    /// With the values that say nothing.
    private static <T> T inert(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> {
                            Class<?> result = method.getReturnType();
                            return result == boolean.class ? false : result == int.class ? 0 : null;
                        }));
    }

    @Test
    void step_ofAConnection_closesItWhenItFails() throws IOException {
        LoopConnection connection = new LoopConnection(loop, null, inert(LoopSocket.class));
        connection.open(_ -> inert(ConnectionHandler.class));
        Runnable fails =
                () -> {
                    throw new IllegalStateException("as wanted");
                };
        round.events = List.of(() -> assertTrue(connection.atRoundEnd(fails)), sends("b"));
        loop.turn(true);
        assertEquals(List.of("got b", "sent b"), said);
        assertTrue(connection.isClosed());
    }

    @Test
    void step_thatWaitsAtTheLoopsEnd_isDropped() {
        round.events =
                List.of(
                        sends("a"),
                        () -> {
                            throw new IllegalStateException("as wanted");
                        });
        assertThrows(IllegalStateException.class, () -> loop.turn(true));
        assertTrue(loop.hasTasks());
        loop.end();
        assertFalse(loop.hasTasks());
        assertEquals(List.of("got a"), said);
    }

    @Test
    void step_ofARoundThatBroke_isNotWaitedFor() throws IOException {
        round.events =
                List.of(
                        sends("a"),
                        () -> {
                            throw new IllegalStateException("as wanted");
                        });
        try {
            loop.turn(true);
        } catch (IllegalStateException e) {
            said.add("broke");
        }
        round.events = List.of();
        loop.turn(true);
        assertFalse(round.waited, "a step waits");
        assertEquals(List.of("got a", "broke", "sent a"), said);
    }
}
