package io.margay.gateway.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a loop's connections to peers send at the end of a round, with batches and without.
final class SendQueueTest {
    private final List<String> said = new ArrayList<>();
    private final Loop loop = new Loop();
    private final SendQueue queue = new SendQueue(loop);

    /// A loop that does what it is told when the test says so.
    private final class Loop implements Dialer, Dialer.WriteBatch {
        final List<Runnable> steps = new ArrayList<>();
        final List<Runnable> tasks = new ArrayList<>();
        final List<String> batch = new ArrayList<>();
        int batchesMax = 100;
        boolean written;
        boolean none;

        @Override
        public boolean atRoundEnd(Runnable step) {
            return steps.add(step);
        }

        void endRound() {
            List<Runnable> due = List.copyOf(steps);
            steps.clear();
            due.forEach(Runnable::run);
        }

        @Override
        public Dialer.@Nullable WriteBatch writeBatch() {
            return none ? null : this;
        }

        @Override
        public boolean add(Connection connection, byte[] source, int offset, int length) {
            if (written) {
                batch.clear();
                written = false;
            }
            if (batch.size() == batchesMax) {
                return false;
            }
            return batch.add(new String(source, offset, length, StandardCharsets.US_ASCII));
        }

        @Override
        public void write() {
            written = true;
            said.add("batch " + batch);
        }

        @Override
        public int taken(int place) throws IOException {
            String text = batch.get(place);
            if (text.startsWith("!")) {
                throw new IOException("broken");
            }
            return text.startsWith("-") ? 0 : text.length();
        }

        @Override
        public void dial(
                DialTarget target,
                ConnectionHandler.Factory handlers,
                Consumer<IOException> failed) {
            throw new IllegalStateException("not dialled here");
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public Timer timer(Runnable action) {
            throw new IllegalStateException("no timers here");
        }
    }

    private final class Channel implements SendQueue.Sender {
        private final Connection io =
                (Connection)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (_, method, arguments) -> {
                                    assertEquals("write", method.getName());
                                    String text =
                                            new String(
                                                    (byte[]) arguments[0],
                                                    (int) arguments[1],
                                                    (int) arguments[2],
                                                    StandardCharsets.US_ASCII);
                                    said.add("write " + text);
                                    return text.length();
                                });
        private final Unsent unsent = new Unsent(MemoryBudget.UNBOUNDED, io, this);
        private final String text;

        Channel(String text) {
            this.text = text;
        }

        boolean put() {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            queue.buffer(this).put(bytes, 0, bytes.length);
            return queue.add(unsent);
        }

        @Override
        public void sendQueued() {
            int from = unsent.queuedFrom();
            int to = unsent.queuedTo();
            if (!unsent.dequeue()) {
                return;
            }
            try {
                said.add(text + " " + queue.write(io, from, to));
            } catch (IOException e) {
                said.add(text + " " + e.getMessage());
            }
            if (text.contains("?")) {
                throw new IllegalStateException(text);
            }
        }
    }

    @Test
    void several_goInOneBatch_andEachLearnsItsOwn() {
        for (String text : List.of("one", "!two", "-three", "four")) {
            assertTrue(new Channel(text).put());
        }
        loop.endRound();
        assertEquals(
                List.of(
                        "batch [one, !two, -three, four]",
                        "one 3",
                        "!two broken",
                        "-three 0",
                        "four 4"),
                said);
    }

    @Test
    void several_moreThanABatchTakes_goInMore() {
        loop.batchesMax = 2;
        for (String text : List.of("a", "bb", "ccc", "dddd", "eeeee")) {
            assertTrue(new Channel(text).put());
        }
        loop.endRound();
        assertEquals(
                List.of(
                        "batch [a, bb]",
                        "a 1",
                        "bb 2",
                        "write ccc",
                        "ccc 3",
                        "batch [dddd, eeeee]",
                        "dddd 4",
                        "eeeee 5"),
                said);
    }

    @Test
    void loneOne_isWrittenByItself() {
        assertTrue(new Channel("alone").put());
        loop.endRound();
        assertEquals(List.of("write alone", "alone 5"), said);
    }

    @Test
    void several_whereThereIsNoBatch_areWrittenOneByOne() {
        loop.none = true;
        assertTrue(new Channel("a").put());
        assertTrue(new Channel("b").put());
        loop.endRound();
        assertEquals(List.of("write a", "a 1", "write b", "b 1"), said);
    }

    @Test
    void oneThatHasGone_isLeftOut() {
        Channel gone = new Channel("gone");
        assertTrue(new Channel("a").put());
        assertTrue(gone.put());
        assertTrue(new Channel("b").put());
        assertTrue(new Channel("c").put());
        gone.unsent.clear();
        loop.endRound();
        assertEquals(List.of("batch [a]", "a 1", "batch [b, c]", "b 1", "c 1"), said);
    }

    @Test
    void sender_thatThrows_keepsNoOtherFromItsResult_andNothingIsSentTwice() {
        for (String text : List.of("a", "b?", "c")) {
            assertTrue(new Channel(text).put());
        }
        assertThrows(IllegalStateException.class, loop::endRound);
        assertEquals(List.of("batch [a, b?, c]", "a 1", "b? 2", "c 1"), said);
        loop.tasks.forEach(Runnable::run);
        loop.endRound();
        assertEquals(4, said.size());
        assertTrue(new Channel("d").put());
        assertTrue(new Channel("e").put());
        loop.endRound();
        assertEquals(List.of("batch [d, e]", "d 1", "e 1"), said.subList(4, 7));
    }

    @Test
    void request_beyondTheQueue_isNotTaken() {
        assertTrue(new Channel("x".repeat(70_000)).put());
        assertFalse(new Channel("y".repeat(4_000)).put());
    }
}
