package io.margay.protocol.http3;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.quic.connection.AddressTokens;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.protocol.quic.connection.StatelessReset;
import io.margay.protocol.quic.tls.ScriptedTls;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A client and a server of HTTP/3 on two QUIC connections, between which datagrams are lost and
/// overtake each other, in virtual time.
final class Http3Rig {
    private static final int STEPS_MAX = 200_000;
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5_000);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 443);

    /// What one side was told.
    static final class Told implements Http3Session.Events {
        final List<String> events = new ArrayList<>();
        final Map<Long, Http3Stream> streams = new HashMap<>();
        final Map<Long, RequestHead> requests = new HashMap<>();
        final Map<Long, ResponseHead> responses = new HashMap<>();
        final Map<Long, ByteArrayOutputStream> content = new HashMap<>();
        final Map<Long, Fields> trailers = new HashMap<>();
        long goAway = -1;

        /// Whether content is said to be used as soon as it comes.
        boolean uses = true;

        byte[] content(long id) {
            return content.getOrDefault(id, new ByteArrayOutputStream()).toByteArray();
        }

        boolean isEnded(long id) {
            Http3Stream stream = streams.get(id);
            return stream != null && stream.isInputEnded();
        }

        @Override
        public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {
            streams.put(stream.number(), stream);
            requests.put(stream.number(), head);
            events.add("head " + stream.number() + (refusal == null ? "" : " " + refusal.status()));
        }

        @Override
        public void response(Http3Stream stream, ResponseHead head) {
            streams.put(stream.number(), stream);
            responses.put(stream.number(), head);
            events.add("response " + stream.number() + " " + head.status());
        }

        @Override
        public void data(Http3Stream stream, byte[] bytes, int from, int to) {
            content.computeIfAbsent(stream.number(), _ -> new ByteArrayOutputStream())
                    .write(bytes, from, to - from);
            if (uses) {
                boolean _ = stream.used(to - from);
            }
        }

        @Override
        public void trailers(Http3Stream stream, Fields fields) {
            trailers.put(stream.number(), fields);
        }

        @Override
        public void reset(Http3Stream stream, @Nullable ProtocolError why) {
            events.add("reset " + stream.number() + (why == null ? "" : " " + why.text()));
        }

        @Override
        public void room(Http3Stream stream) {}

        @Override
        public void priority(Http3Stream stream, Priority priority) {
            events.add("priority " + stream.number() + " " + priority.urgency());
        }

        @Override
        public void goAway(long id) {
            goAway = id;
        }
    }

    private record Flying(byte[] datagram, boolean toServer, long at) {}

    private static final class Ids implements ConnectionIdSource {
        private final Random random;

        Ids(long seed) {
            random = new Random(seed);
        }

        @Override
        public byte[] issue() {
            byte[] id = new byte[8];
            random.nextBytes(id);
            return id;
        }

        @Override
        public void accept(byte[] id) {}

        @Override
        public void retire(byte[] id) {}

        @Override
        public byte[] resetToken(byte[] id) {
            return StatelessReset.token(new byte[32], id);
        }
    }

    final Told told = new Told();
    final Told toldServer = new Told();
    final QuicConnection client;
    QuicConnection server;
    final Http3Session browser;
    Http3Session site;
    private final Random random;
    private final int lossPercent;
    private final ServerDoor door;
    private final Ids ids;
    private final Http2Limits limits;
    private final List<Flying> flying = new ArrayList<>();
    private final byte[] scratch = new byte[65_536];
    private final byte[] buffer = new byte[2_048];
    private final byte[] piece;
    private long now = 1_000;
    private boolean clientBegun;
    private boolean serverBegun;

    Http3Rig(long seed) {
        this(seed, 0, 4_096, Http2Limits.defaults());
    }

    /// @param lossPercent of datagrams; as many overtake others
    /// @param pieceBytes octets that are looked at together
    Http3Rig(long seed, int lossPercent, int pieceBytes, Http2Limits limits) {
        random = new Random(seed);
        this.lossPercent = lossPercent;
        this.limits = limits;
        piece = new byte[pieceBytes];
        ids = new Ids(seed);
        door = new ServerDoor(new AddressTokens(new byte[16], random), random, 8);
        client =
                QuicConnection.client(
                        ConnectionOptions.defaults(),
                        new ScriptedTls(false, 0x1301, "h3", 300),
                        ids,
                        random,
                        SERVER,
                        scratch,
                        new byte[0],
                        now);
        browser = session(false, client, told);
        run(() -> client.isEstablished() && server != null && serverBegun && clientBegun);
    }

    private Http3Session session(boolean server, QuicConnection on, Told to) {
        return new Http3Session(
                server, limits, on.streams(), to, 100_000_000, RequestTarget.Characters.STRICT);
    }

    /// Goes on until something holds.
    void run(BooleanSupplier until) {
        for (int step = 0; step < STEPS_MAX; step++) {
            begin();
            boolean holds = until.getAsBoolean();
            pump(client, true);
            if (server != null) {
                pump(server, false);
            }
            if (holds) {
                return;
            }
            long next = client.deadline();
            next = server == null ? next : Math.min(next, server.deadline());
            for (Flying one : flying) {
                next = Math.min(next, one.at);
            }
            if (next == QuicConnection.NEVER) {
                break;
            }
            now = Math.max(now, next);
            deliver();
            client.timeout(now);
            if (server != null) {
                server.timeout(now);
            }
        }
        throw new AssertionError(
                "it does not come to hold: " + told.events + " " + toldServer.events);
    }

    private void begin() {
        if (client.isEstablished() && !clientBegun) {
            clientBegun = true;
            browser.begin(7);
        }
        if (server != null && server.isEstablished() && !serverBegun) {
            serverBegun = true;
            site.begin(8);
        }
        process(browser, client);
        if (server != null && site != null) {
            process(site, server);
        }
    }

    private void process(Http3Session session, QuicConnection on) {
        Http3Error error = session.process(piece);
        if (error != null) {
            on.close(error.code(), error.text(), now);
        }
    }

    private void pump(QuicConnection from, boolean toServer) {
        for (int size = from.send(buffer, now); size > 0; size = from.send(buffer, now)) {
            if (random.nextInt(100) >= lossPercent) {
                long delay = random.nextInt(100) < lossPercent ? 30_000_000 : 10_000_000;
                flying.add(new Flying(Arrays.copyOf(buffer, size), toServer, now + delay));
            }
        }
    }

    private void deliver() {
        for (Flying one : List.copyOf(flying)) {
            if (one.at > now) {
                continue;
            }
            flying.remove(one);
            byte[] datagram = one.datagram;
            if (!one.toServer) {
                client.receive(datagram, 0, datagram.length, SERVER, 0, now);
            } else if (server != null) {
                server.receive(datagram, 0, datagram.length, CLIENT, 0, now);
            } else if (door.look(datagram, 0, datagram.length, CLIENT, false, 0)
                    instanceof ServerDoor.Accepted accepted) {
                QuicConnection made =
                        QuicConnection.server(
                                ConnectionOptions.defaults(),
                                new ScriptedTls(true, 0x1301, "h3", 2_500),
                                ids,
                                random,
                                accepted,
                                scratch,
                                now);
                made.receive(datagram, 0, datagram.length, CLIENT, 0, now);
                site = session(true, made, toldServer);
                server = made;
            }
        }
    }

    static FieldList get(String path) {
        FieldList head = new FieldList();
        head.add(":method", "GET");
        head.add(":scheme", "https");
        head.add(":authority", "example.org");
        head.add(":path", path);
        return head;
    }

    static FieldList post(String path) {
        FieldList head = new FieldList();
        head.add(":method", "POST");
        head.add(":scheme", "https");
        head.add(":authority", "example.org");
        head.add(":path", path);
        return head;
    }

    Http3Stream request(FieldList head, long length, boolean ends) {
        Http3Stream made = browser.request(head, length, ends);
        if (made == null) {
            throw new AssertionError("no stream can be opened");
        }
        return made;
    }
}
