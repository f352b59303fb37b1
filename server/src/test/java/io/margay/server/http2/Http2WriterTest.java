package io.margay.server.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.connection.ScriptedConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// When the output of streams leaves. Each meeting is played on one thread.
final class Http2WriterTest {
    private final ScriptedConnection io = new ScriptedConnection();
    private final Streams streams = new Streams();
    private final Http2Writer writer = new Http2Writer(io, streams, System::nanoTime);
    private int writes;

    Http2WriterTest() {
        io.onWrite = () -> writes++;
    }

    private static final class Streams implements Http2Writer.Source {
        String output = "";
        boolean little = true;
        @Nullable IOException failure;
        private byte[] taken = new byte[0];

        @Override
        public int takeOutput(byte[] empty) {
            taken = output.getBytes(StandardCharsets.ISO_8859_1);
            output = "";
            return taken.length;
        }

        @Override
        public byte[] takenOutput() {
            return taken;
        }

        @Override
        public boolean hasLittle() {
            return little;
        }

        @Override
        public void mayReadAgain() {}

        @Override
        public void wantsToWrite(boolean wants) {}

        @Override
        public void allSent() {}

        @Override
        public void failed(IOException cause) {
            failure = cause;
        }

        @Override
        public void released() {}
    }

    private void put(String text) {
        streams.output += text;
        writer.flush();
    }

    @Test
    void outputOfSeveralStreams_inOneRound_leavesInOneWrite() {
        io.crowded = true;
        put("a");
        put("b");
        put("c");
        assertEquals("", io.written.toString());
        io.endRound();
        assertEquals("abc", io.written.toString());
        assertEquals(1, writes);
        put("d");
        assertEquals("abcd", io.written.toString(), "a lone event");
    }

    @Test
    void muchOutput_leavesAtOnce() {
        io.crowded = true;
        put("a");
        streams.little = false;
        put("b");
        assertEquals("ab", io.written.toString());
        io.endRound();
        assertEquals(1, writes);
    }

    @Test
    void outputOfAnotherThread_leavesAtOnce_withWhatWaits() {
        io.crowded = true;
        put("a");
        io.loop = false;
        put("b");
        assertEquals("ab", io.written.toString());
        io.loop = true;
        io.endRound();
        assertEquals(1, writes);
    }

    @Test
    void outputWithinAnEventOfTheConnection_leavesWithIt() {
        io.crowded = true;
        assertTrue(writer.hold());
        put("a");
        put("b");
        assertEquals("", io.written.toString());
        writer.pushAndRelease();
        assertEquals("ab", io.written.toString());
        assertTrue(io.lasts.isEmpty(), "nothing is left");
    }

    @Test
    void connectionThatEndsBeforeTheRoundsEnd_failsOnce() {
        io.crowded = true;
        put("a");
        io.close();
        io.endRound();
        assertEquals("", io.written.toString());
        assertTrue(streams.failure != null, "nobody was told");
    }
}
