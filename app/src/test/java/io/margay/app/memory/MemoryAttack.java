package io.margay.app.memory;

import io.margay.protocol.http2.Http2;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Ways to make a server hold what nobody asked it to, for nothing. Each goes on until it is told
/// to stop, on the thread that calls it.
enum MemoryAttack {
    /// Asks for pages that need a login, as somebody new each time.
    FORM_LOGIN(800) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] request =
                    latin1(
                            "POST /app/in/index.html?"
                                    + "a".repeat(900)
                                    + " HTTP/1.1\r\nHost: a\r\nContent-Type:"
                                    + " application/x-www-form-urlencoded\r\n"
                                    + "Content-Length: 4000\r\n\r\n"
                                    + "x=".repeat(2_000));
            while (pace.goesOn()) {
                try (RawHttpClient client = RawHttpClient.connect(target)) {
                    for (int i = 0; i < 500 && pace.next(); i++) {
                        client.send(request).response();
                    }
                }
            }
        }
    },

    /// Posts one field of a form without an end, and many that stop just before it is too long, in
    /// pieces: to make a server hold much takes little of a line.
    MULTIPART_FIELD(320) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] begin =
                    latin1(
                            "POST /app/field HTTP/1.1\r\nHost: a\r\nContent-Type:"
                                    + " multipart/form-data; boundary=B\r\n"
                                    + "Content-Length: 200000000\r\n\r\n"
                                    + "--B\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n");
            byte[] piece = new byte[(64 << 10) - 1];
            Arrays.fill(piece, (byte) 'x');
            try (Held held = new Held(150)) {
                for (int i = 0; pace.goesOn(); i++) {
                    Socket socket = held.open(target);
                    boolean open = tryWrite(socket, begin);
                    int pieces = i % 20 == 0 ? 3_000 : 32;
                    for (int n = 0; open && n < pieces && pace.next(); n++) {
                        open = tryWrite(socket, piece);
                    }
                }
            }
        }
    },

    /// Sends as much content as the windows allow to a servlet that does not read it.
    HTTP2_WINDOWS(40) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] frames = http2();
            try (Held held = new Held(1_000)) {
                while (pace.next()) {
                    boolean _ = tryWrite(held.open(target), frames);
                }
            }
        }
    },

    /// Sends content through a gateway, short enough to be kept for another attempt, to a member
    /// that does not read it, and stops before its last octet.
    GATEWAY_CONTENT(40) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] head =
                    latin1(
                            "POST /through/unread HTTP/1.1\r\nHost: a\r\n"
                                    + "Content-Length: 65000\r\n\r\n");
            byte[] content = new byte[65_000 - 1];
            try (Held held = new Held(1_000)) {
                while (pace.next()) {
                    Socket socket = held.open(target);
                    boolean _ = tryWrite(socket, head) && tryWrite(socket, content);
                }
            }
        }
    },

    /// Begins WebSocket frames, and stops before their last octet.
    WEBSOCKET_FRAMES(100) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] handshake =
                    latin1(
                            "GET /app/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection:"
                                    + " Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEC==\r\n\r\n");
            byte[] frame = new byte[8 + 65_000 - 1];
            frame[0] = (byte) 0x81;
            frame[1] = (byte) 0xfe;
            frame[2] = (byte) (65_000 >> 8);
            frame[3] = (byte) 65_000;
            try (Held held = new Held(3_000)) {
                while (pace.next()) {
                    Socket socket = held.open(target);
                    boolean _ = tryWrite(socket, handshake) && tryWrite(socket, frame);
                }
            }
        }
    },

    /// Makes lines of the access log as long as they can be.
    LOG_LINES(800) {
        @Override
        void run(InetSocketAddress target, Pace pace) throws IOException {
            byte[] agent = new byte[11_500];
            Arrays.fill(agent, (byte) 0x80);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes(latin1("GET /app/ok.txt HTTP/1.1\r\nHost: a\r\nUser-Agent: "));
            request.writeBytes(agent);
            request.writeBytes(latin1("\r\n\r\n"));
            while (pace.goesOn()) {
                try (RawHttpClient client = RawHttpClient.connect(target)) {
                    for (int i = 0; i < 500 && pace.next(); i++) {
                        client.send(request.toByteArray()).response();
                    }
                }
            }
        }
    };

    /// Steps a second, where the attack is to leave the processors to others.
    final int perSecond;

    MemoryAttack(int perSecond) {
        this.perSecond = perSecond;
    }

    /// Attacks until it is told to stop.
    abstract void run(InetSocketAddress target, Pace pace) throws IOException;

    /// When an attack takes its next step, and whether it goes on.
    static final class Pace {
        private final BooleanSupplier goesOn;
        private final long periodNanos;
        private long due = System.nanoTime();

        /// @param periodNanos between two steps; 0 = as fast as it can
        Pace(BooleanSupplier goesOn, long periodNanos) {
            this.goesOn = goesOn;
            this.periodNanos = periodNanos;
        }

        boolean goesOn() {
            return goesOn.getAsBoolean();
        }

        boolean next() {
            due += periodNanos;
            LockSupport.parkNanos(periodNanos == 0 ? 0 : due - System.nanoTime());
            return goesOn();
        }
    }

    /// Connections that are kept open, the oldest giving way to new ones.
    private static final class Held implements AutoCloseable {
        private final Deque<Socket> sockets = new ArrayDeque<>();
        private final int max;

        Held(int max) {
            this.max = max;
        }

        Socket open(InetSocketAddress target) throws IOException {
            if (sockets.size() == max) {
                sockets.remove().close();
            }
            Socket socket = new Socket(target.getAddress(), target.getPort());
            sockets.add(socket);
            return socket;
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean tryWrite(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false; // The server has had enough of it.
        }
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// A connection preface, and eight requests with content up to the windows of RFC 9113.
    private static byte[] http2() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(latin1(Http2Wire.PREFACE));
        out.writeBytes(Http2Wire.frame(Http2.SETTINGS, 0, 0, new byte[0]));
        byte[] head = Http2Wire.block(Http2Wire.request("POST", "/app/through/unread"));
        for (int id = 1; id <= 15; id += 2) {
            out.writeBytes(Http2Wire.frame(Http2.HEADERS, Http2.FLAG_END_HEADERS, id, head));
        }
        byte[] data = new byte[8_000];
        for (int id = 1; id <= 15; id += 2) {
            out.writeBytes(Http2Wire.frame(Http2.DATA, 0, id, data));
            out.writeBytes(Http2Wire.frame(Http2.DATA, 0, id, data));
        }
        return out.toByteArray();
    }
}
