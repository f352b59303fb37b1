package io.margay.protocol.quic.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.AckFrame;
import io.margay.protocol.quic.frame.FrameReader;
import io.margay.protocol.quic.frame.FrameSink;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.frame.TransportParameters;
import io.margay.protocol.quic.recovery.SentPacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two sides whose packets are lost, repeated and turned around as a test wants.
final class StreamsTest {
    private static final StreamSettings SETTINGS = new StreamSettings(4_000, 10_000, 4, 2, 6_000);

    private record Packet(byte[] octets, SentPacket sent) {}

    private final Streams client = new Streams(false, SETTINGS);
    private final Streams server = new Streams(true, SETTINGS);
    private long number;

    @BeforeEach
    void introduce() {
        TransportParameters ofClient = new TransportParameters();
        client.announce(ofClient);
        server.peerParameters(ofClient);
        TransportParameters ofServer = new TransportParameters();
        server.announce(ofServer);
        client.peerParameters(ofServer);
    }

    private List<Packet> send(Streams from) {
        List<Packet> packets = new ArrayList<>();
        while (from.wantsToSend()) {
            byte[] bytes = new byte[1_200];
            FrameWriter out = new FrameWriter();
            out.begin(bytes, 0, bytes.length);
            SentPacket sent = new SentPacket(number++);
            from.write(out, sent);
            if (out.at() == 0) {
                break;
            }
            packets.add(new Packet(java.util.Arrays.copyOf(bytes, out.at()), sent));
            assertTrue(packets.size() < 1_000, "no end of packets");
        }
        return packets;
    }

    private @Nullable QuicError receive(Streams to, Packet packet) {
        return new FrameReader(false)
                .read(Level.ONE_RTT, packet.octets, 0, packet.octets.length, new StreamFrames(to));
    }

    /// Passes packets until there are none, with losses.
    private void exchange(Random random, int lossPercent) {
        for (int quiet = 0; quiet < 2; ) {
            quiet = pass(client, server, random, lossPercent) ? 0 : quiet + 1;
            quiet = pass(server, client, random, lossPercent) ? 0 : quiet;
        }
    }

    private boolean pass(Streams from, Streams to, Random random, int lossPercent) {
        List<Packet> packets = send(from);
        java.util.Collections.shuffle(packets, random);
        for (Packet packet : packets) {
            if (random.nextInt(100) < lossPercent) {
                packet.sent.forEach(from::lost);
            } else {
                assertNull(receive(to, packet));
                if (random.nextInt(10) == 0) {
                    assertNull(receive(to, packet));
                }
                packet.sent.forEach(from::acked);
            }
        }
        return !packets.isEmpty();
    }

    @Test
    void streams_withLossAndReordering_carryEverything() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            byte[] data = new byte[30_000];
            random.nextBytes(data);
            QuicStream ours = client.open(true);
            assertNotNull(ours, "stream " + seed + " of " + client.openable(true));
            byte[] got = new byte[data.length];
            int sent = 0;
            int count = 0;
            QuicStream theirs = null;
            while (theirs == null || !theirs.isAtEnd()) {
                if (!ours.isEnded()) {
                    sent += ours.write(data, sent, data.length, true);
                }
                exchange(random, 20);
                for (QuicStream news = server.next(); news != null; news = server.next()) {
                    theirs = news;
                }
                if (theirs != null) {
                    count += theirs.read(got, count, got.length);
                }
            }
            assertArrayEquals(data, got);
            theirs.write(data, 0, 10, true);
            exchange(random, 20);
            assertEquals(10, ours.read(got, 0, 100));
            assertTrue(ours.isAtEnd());
            ours.release();
            theirs.release();
            exchange(random, 20);
            assertTrue(ours.isForgotten());
            assertTrue(theirs.isForgotten());
        }
        assertEquals(0, client.count());
        assertEquals(0, server.count());
    }

    @Test
    void sender_stopsAtTheWindows_ofStreamAndConnection() {
        byte[] data = new byte[20_000];
        for (int i = 0; i < 4; i++) {
            QuicStream stream = client.open(true);
            assertEquals(6_000, stream.write(data, 0, data.length, false));
        }
        exchange(new Random(1), 0);
        assertEquals(0, client.connectionRoom());
        int received = 0;
        for (QuicStream news = server.next(); news != null; news = server.next()) {
            assertTrue(news.readable() <= 4_000);
            received += news.readable();
            news.read(data, 0, data.length);
        }
        assertEquals(10_000, received);
        exchange(new Random(1), 0);
        assertTrue(client.connectionRoom() < 10_000);
    }

    @Test
    void streams_beyondTheLimit_cannotBeOpened_untilOthersAreReleased() {
        List<QuicStream> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(client.open(true));
        }
        assertNull(client.open(true));
        for (QuicStream stream : open) {
            stream.write(new byte[0], 0, 0, true);
        }
        exchange(new Random(1), 0);
        List<QuicStream> theirs = new ArrayList<>();
        for (QuicStream news = server.next(); news != null; news = server.next()) {
            news.write(new byte[0], 0, 0, true);
            theirs.add(news);
        }
        exchange(new Random(1), 0);
        assertNull(client.open(true), "the server still works on them");
        theirs.forEach(QuicStream::release);
        exchange(new Random(1), 0);
        assertNotNull(client.open(true));
    }

    /// What CVE-2023-44487 does with HTTP/2: a reset frees no place as long as work goes on.
    @Test
    void streamsThatWereReset_count_asLongAsWorkOnThemGoesOn() {
        for (int i = 0; i < 4; i++) {
            QuicStream stream = client.open(true);
            stream.write(new byte[1], 0, 1, false);
            stream.reset(9);
            stream.stop(9);
            stream.release();
        }
        exchange(new Random(1), 0);
        assertEquals(4, server.count());
        assertNull(client.open(true));
        for (QuicStream news = server.next(); news != null; news = server.next()) {
            assertEquals(9, news.resetCode());
            assertEquals(9, news.stopCode());
            news.release();
        }
        exchange(new Random(1), 0);
        assertEquals(0, server.count());
        assertNotNull(client.open(true));
    }

    @Test
    void stop_ofTheReader_resetsTheWriter_andFreesTheWindow() {
        QuicStream ours = client.open(true);
        ours.write(new byte[5_000], 0, 5_000, false);
        exchange(new Random(1), 0);
        QuicStream theirs = server.next();
        theirs.stop(7);
        exchange(new Random(3), 30);
        assertEquals(7, ours.stopCode());
        assertTrue(ours.isEnded());
        QuicStream next = client.open(true);
        byte[] data = new byte[4_000];
        next.write(data, 0, data.length, false);
        exchange(new Random(1), 0);
        assertTrue(client.connectionRoom() > 0, "the window moves on without reading");
    }

    // What a peer can do wrong

    private static final byte[] DATA = new byte[5_000];

    @Test
    void dataBeyondTheWindow_ofAStream_endsTheConnection() {
        assertNull(server.data(0, 0, DATA, 0, 4_000, false));
        assertSame(StreamError.WINDOW_EXCEEDED, server.data(0, 4_000, DATA, 0, 1, false));
        assertSame(StreamError.WINDOW_EXCEEDED, server.reset(4, 1, 4_001));
    }

    @Test
    void dataBeyondTheWindow_ofTheConnection_endsTheConnection() {
        assertNull(server.data(0, 0, DATA, 0, 4_000, false));
        assertNull(server.data(4, 3_999, DATA, 0, 1, false));
        assertNull(server.data(4, 0, DATA, 0, 4_000, false));
        assertSame(
                StreamError.CONNECTION_WINDOW_EXCEEDED, server.data(8, 2_000, DATA, 0, 1, false));
    }

    @Test
    void finalSize_thatChanges_endsTheConnection() {
        assertNull(server.data(0, 0, DATA, 0, 10, true));
        assertNull(server.data(0, 0, DATA, 0, 10, true));
        assertSame(StreamError.SIZE_CHANGED, server.data(0, 10, DATA, 0, 1, false));
        assertSame(StreamError.SIZE_CHANGED, server.data(0, 0, DATA, 0, 9, true));
        assertSame(StreamError.SIZE_CHANGED, server.reset(0, 1, 11));
        assertNull(server.data(4, 0, DATA, 0, 10, false));
        assertSame(StreamError.SIZE_CHANGED, server.data(4, 0, DATA, 0, 9, true));
        assertSame(StreamError.SIZE_CHANGED, server.reset(4, 1, 9));
        assertNull(server.reset(4, 1, 10));
        assertSame(StreamError.SIZE_CHANGED, server.data(4, 10, DATA, 0, 1, false));
    }

    @Test
    void streams_thatThePeerMayNotOpen_endTheConnection() {
        assertSame(StreamError.TOO_MANY_STREAMS, server.data(16, 0, DATA, 0, 1, false));
        assertSame(StreamError.TOO_MANY_STREAMS, server.data(10, 0, DATA, 0, 1, false));
        assertSame(StreamError.NOT_OPEN, server.data(1, 0, DATA, 0, 1, false));
        assertSame(StreamError.NOT_FOR_SENDING, server.data(3, 0, DATA, 0, 1, false));
        assertSame(StreamError.NOT_FOR_SENDING, server.dataBlocked(3));
        assertSame(StreamError.NOT_FOR_RECEIVING, server.stopSending(2, 0));
        assertSame(StreamError.NOT_FOR_RECEIVING, server.maxStreamData(2, 9));
        assertSame(StreamError.NOT_OPEN, server.maxStreamData(3, 9));
        assertNull(server.stopSending(12, 0));
        assertEquals(4, server.count());
    }

    @Test
    void framesOfStreamsThatAreOver_areIgnored() {
        assertNull(server.data(2, 0, DATA, 0, 10, true));
        QuicStream stream = server.next();
        assertEquals(10, stream.read(new byte[10], 0, 10));
        stream.release();
        assertTrue(stream.isForgotten());
        assertNull(server.data(2, 0, DATA, 0, 10, true));
        assertNull(server.reset(2, 1, 10));
        assertNull(server.next());
        assertFalse(server.wantsToSend() && server.count() > 0);
    }

    /// Gives the frames of streams to one side.
    private record StreamFrames(Streams to) implements FrameSink {
        @Override
        public @Nullable QuicError ack(AckFrame ack) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError resetStream(long id, long code, long finalSize) {
            return to.reset(id, code, finalSize);
        }

        @Override
        public @Nullable QuicError stopSending(long id, long code) {
            return to.stopSending(id, code);
        }

        @Override
        public @Nullable QuicError crypto(long offset, byte[] bytes, int from, int end) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError newToken(byte[] bytes, int from, int end) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError stream(
                long id, long offset, byte[] bytes, int from, int end, boolean ends) {
            return to.data(id, offset, bytes, from, end, ends);
        }

        @Override
        public @Nullable QuicError maxData(long most) {
            to.maxData(most);
            return null;
        }

        @Override
        public @Nullable QuicError maxStreamData(long id, long most) {
            return to.maxStreamData(id, most);
        }

        @Override
        public @Nullable QuicError maxStreams(boolean bidirectional, long most) {
            to.maxStreams(bidirectional, most);
            return null;
        }

        @Override
        public @Nullable QuicError dataBlocked(long id, long limit) {
            return id < 0 ? null : to.dataBlocked(id);
        }

        @Override
        public @Nullable QuicError streamsBlocked(boolean bidirectional, long limit) {
            return null;
        }

        @Override
        public @Nullable QuicError newConnectionId(
                long sequence, long retirePriorTo, byte[] id, byte[] token) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError retireConnectionId(long sequence) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError pathChallenge(long data) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError pathResponse(long data) {
            throw new AssertionError();
        }

        @Override
        public void close(boolean application, long code, byte[] bytes, int from, int end) {
            throw new AssertionError();
        }

        @Override
        public @Nullable QuicError handshakeDone() {
            throw new AssertionError();
        }
    }
}
