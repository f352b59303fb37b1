package io.margay.server.http3;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http3.Http3Error;
import io.margay.protocol.http3.Http3Session;
import io.margay.protocol.http3.Http3Stream;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.server.config.RequestProtocol;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ServedConnection;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.multiplex.StreamExchange;
import io.margay.server.multiplex.StreamExchanges;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// HTTP/3 on one QUIC connection (RFC 9114): datagrams in, an exchange for each request to the
/// handler, deadlines, and the end.
///
/// The QUIC connection and its session are guarded by the lock of the exchanges, whose threads
/// write responses to the streams; datagrams are received and sent on the loop alone. What events
/// lead to is done after them, without the lock.
final class Http3Connection
        implements ServedConnection,
                StreamExchanges.Owner,
                DialingExchange.Carrier,
                Http3Session.Events {
    private static final ProtocolError NO_ROOM =
            ProtocolError.of(503, "RFC 9110 §15.6.4", "there is no memory for another request now");

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /// What each connection takes, with its keys and tables, roughly.
    static final int CONNECTION_BYTES = 32_768;

    private final Http3Endpoint endpoint;
    private final ConnectionContext context;

    private final QuicConnection quic;
    private final Http3Link link;
    private final StreamExchanges exchanges;
    private final Http3Session session;
    private final MemoryBudget.Share held;
    private final long tickNanos;
    private final AtomicBoolean asked = new AtomicBoolean();

    // Guarded by the lock
    private final ArrayDeque<Runnable> acts = new ArrayDeque<>();
    private boolean begun;

    /// The exchange that the last of [#acts] tells of its content, or null.
    private @Nullable StreamExchange arriving;

    // Of the loop
    private final long acceptedNanos;
    private long receivedNanos;
    private long tickedNanos;
    private long forgivenNanos;
    private long tickAtNanos;
    private boolean drains;
    private boolean refuses;
    private long drainsNanos;
    private boolean forgotten;
    private final Uptake uptake;
    private @Nullable TlsInfo tls;

    /// Where the endpoint has it.
    long deadline = Connection.NEVER;

    boolean isDirty;

    boolean isWaiting;

    /// Whether nothing more comes of it, as the exchanges see it.
    private volatile boolean over;

    Http3Connection(
            Http3Endpoint endpoint,
            ConnectionContext context,
            ServerDoor.Accepted first,
            InetAddress local,
            long now) {
        this.endpoint = endpoint;
        this.context = context;
        link = new Http3Link(endpoint.socket(), this, first.client(), local);
        exchanges =
                new StreamExchanges(
                        link,
                        context,
                        this,
                        endpoint.memory(),
                        context.limits.http2().executionsMax(),
                        this::outputBytes);
        quic =
                QuicConnection.server(
                        endpoint.options(),
                        new Http3Handshake(endpoint.socket().handshake(), link::agreed),
                        endpoint.ids(this),
                        endpoint.chance(),
                        first,
                        endpoint.scratch(),
                        now);
        session =
                new Http3Session(
                        true,
                        context.limits.http2(),
                        quic.streams(),
                        this,
                        context.limits.http1().bodyBytesMax(),
                        context.characters);
        held = endpoint.memory().share(0);
        uptake = new Uptake(context, now);
        long shortest =
                Math.min(
                        Math.min(context.headNanos, context.idleNanos),
                        Math.min(context.bodyNanos, context.writeNanos));
        tickNanos = Math.clamp(shortest / 4, 25_000_000L, NANOS_PER_SECOND);
        acceptedNanos = now;
        tickedNanos = now;
        forgivenNanos = now;
        tickAtNanos = now + tickNanos;
    }

    private int outputBytes() {
        return session.output();
    }

    // What exchanges see

    @Override
    public DialingExchange.Carrier carrier() {
        return this;
    }

    @Override
    public Dialer dialer() {
        return link.dialer();
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public boolean duplex() {
        return true;
    }

    @Override
    public boolean isKept() {
        return !over && !drains;
    }

    @Override
    public @Nullable TlsInfo tlsInfo() {
        if (tls == null) {
            tls = ClientIdentity.info(link);
        }
        return tls;
    }

    @Override
    public void sendOutput() {
        if (link.inLoop()) {
            endpoint.changed(this);
        } else if (asked.compareAndSet(false, true)) {
            link.execute(() -> {
                asked.set(false);
                endpoint.changed(this);
            });
        }
    }

    /// Whether it has ended, or is about to.
    boolean isOver() {
        return over;
    }

    // On the loop

    /// Whether it can begin: its first datagram was a client's, and there is memory for it.
    boolean begins() {
        return quic.isGenuine() && hasRoom();
    }

    /// Counts what it holds.
    private boolean hasRoom() {
        return held.hold(CONNECTION_BYTES + quic.bytes() + session.bytes());
    }

    /// Whether it can be forgotten.
    boolean isClosed() {
        return quic.isClosed();
    }

    /// Its number, by which it can be told from others.
    long number() {
        return link.id();
    }

    /// The address of the client.
    InetSocketAddress remote() {
        return link.remote();
    }

    /// Notes that the endpoint knows it no more.
    ///
    /// @return whether that was so before
    boolean forgotten() {
        boolean before = forgotten;
        forgotten = true;
        forgetQuic();
        held.release();
        return before;
    }

    /// Forgets what has never begun.
    void discard() {
        over = true;
        forgetQuic();
        held.release();
    }

    /// Ends after a fault of ours, without a word to the client.
    void abandon() {
        forgetQuic();
        ended();
    }

    private void forgetQuic() {
        exchanges.lock.lock();
        try {
            quic.forget();
        } finally {
            exchanges.lock.unlock();
        }
    }

    /// Ends at once, with the loop: the client is told.
    void end() {
        if (!over) {
            closeQuic("the server ends");
            send();
            ended();
        }
    }

    private void closeQuic(String why) {
        exchanges.lock.lock();
        try {
            quic.close(Http3Error.NO_ERROR, why, context.now());
        } finally {
            exchanges.lock.unlock();
        }
    }

    void received(byte[] datagram, int from, int to, Origin origin, long now) {
        receivedNanos = now;
        exchanges.lock.lock();
        try {
            quic.receive(datagram, from, to, origin.peer(), origin.ecn(), now);
        } finally {
            exchanges.lock.unlock();
        }
    }

    /// Looks at what has come, does what it leads to, and sends what there is.
    void work() {
        exchanges.lock.lock();
        try {
            follow();
            process();
        } finally {
            exchanges.lock.unlock();
        }
        act();
        send();
        if (!quic.isOpen()) {
            ended();
        }
    }

    /// Requests from now on are those of the address to which the client has moved, if that may be.
    /// Under the lock.
    private void follow() {
        InetSocketAddress from = link.remote();
        InetSocketAddress to = quic.peer();
        if (to.equals(from) || !quic.isOpen()) {
            return;
        }
        if (endpoint.moves(from, to)) {
            link.moved(to);
        } else {
            quic.close(Http3Error.EXCESSIVE_LOAD, "too many connections", context.now());
        }
    }

    /// Under the lock.
    private void process() {
        if (!quic.isOpen()) {
            return;
        }
        if (!begun && quic.isEstablished()) {
            begun = true;
            endpoint.established(true);
            session.begin(endpoint.chance().nextInt());
            quic.giveToken(endpoint.token(link.remote()));
        }
        Http3Error error = begun ? session.process(endpoint.piece()) : null;
        if (error == null && !hasRoom()) {
            error = Http3Error.NO_MEMORY;
        }
        if (error != null) {
            context.log.clientFailed(
                    link.id(), new IOException(error.text() + " (" + error.section() + ")"));
            quic.close(error.code(), error.text(), context.now());
        }
    }

    private void act() {
        for (Runnable next = nextAct(); next != null; next = nextAct()) {
            next.run();
        }
    }

    private @Nullable Runnable nextAct() {
        exchanges.lock.lock();
        try {
            arriving = null;
            return acts.poll();
        } finally {
            exchanges.lock.unlock();
        }
    }

    private void send() {
        Flight flight = endpoint.flight();
        boolean room = flight.send();
        for (boolean any = true; any && room; room = flight.send()) {
            exchanges.lock.lock();
            try {
                exchanges.pump();
                any = flight.build(quic, link.asked(), context.now());
            } finally {
                exchanges.lock.unlock();
            }
        }
        if (!room && !isWaiting) {
            isWaiting = true;
            endpoint.waits(this);
        }
        exchanges.runNotices();
    }

    /// When [#passed] is to be called next.
    long nextDeadline() {
        exchanges.lock.lock();
        try {
            // What waits for room has nothing to do at its deadline.
            long next = isWaiting ? context.now() + tickNanos : quic.deadline();
            return over ? next : Math.min(next, tickAtNanos);
        } finally {
            exchanges.lock.unlock();
        }
    }

    /// Time has passed.
    void passed(long now) {
        exchanges.lock.lock();
        try {
            quic.timeout(now);
        } finally {
            exchanges.lock.unlock();
        }
        if (!over && tickAtNanos - now <= 0) {
            tickAtNanos = now + tickNanos;
            look(now);
        }
    }

    private void ended() {
        if (!over) {
            over = true;
            if (!begun) {
                endpoint.established(false);
            }
            context.closed(this);
            exchanges.failAll(new ClosedChannelException());
            exchanges.lock.lock();
            try {
                quic.streams().clear();
            } finally {
                exchanges.lock.unlock();
            }
            boolean _ = held.hold(CONNECTION_BYTES);
        }
    }

    // Events, under the lock

    @Override
    public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {
        StreamExchange made = exchanges.open(stream, head, receivedNanos, refusal == null);
        acts.add(() -> begin(made, made.isTooMuch() ? NO_ROOM : refusal));
    }

    private void begin(StreamExchange exchange, @Nullable ProtocolError refusal) {
        context.stats.requestStarted(RequestProtocol.HTTP_3);
        if (exchanges.requests() >= context.limits.requestsMax()) {
            goAway(true);
        }
        if (refusal != null) {
            exchange.refuse(refusal);
        } else if (exchange.isMisdirected()) {
            exchange.refuse(ClientIdentity.MISDIRECTED);
        } else {
            exchange.tasks.begin(context.handler);
        }
    }

    @Override
    public void response(Http3Stream stream, ResponseHead head) {
        throw new IllegalStateException("a server gets no responses");
    }

    @Override
    public void data(Http3Stream stream, byte[] bytes, int from, int to) {
        StreamExchange exchange = StreamExchanges.of(stream);
        if (exchange != null) {
            exchange.received(to - from);
            exchanges.content(exchange, bytes, from, to);
            if (arriving != exchange) {
                // Once for all frames that have come together, of which each may have one octet.
                arriving = exchange;
                acts.add(exchange::arrived);
            }
        }
    }

    @Override
    public void trailers(Http3Stream stream, Fields trailers) {
        StreamExchange exchange = StreamExchanges.of(stream);
        if (exchange != null) {
            exchanges.trailers(exchange, trailers);
            acts.add(exchange::arrived);
        }
    }

    @Override
    public void reset(Http3Stream stream, @Nullable ProtocolError why) {
        StreamExchange exchange = StreamExchanges.of(stream);
        if (exchange != null) {
            exchange.failed(
                    new IOException(
                            why == null
                                    ? "the client has reset the stream"
                                    : why.text() + " (" + why.section() + ")"));
            acts.add(() -> exchange.tasks.failed(false));
        }
    }

    @Override
    public void room(Http3Stream stream) {
        StreamExchange exchange = StreamExchanges.of(stream);
        if (exchange != null) {
            exchanges.enqueue(exchange);
        }
    }

    @Override
    public void priority(Http3Stream stream, Priority priority) {
        StreamExchange exchange = StreamExchanges.of(stream);
        if (exchange != null) {
            exchanges.priority(exchange, priority);
        }
    }

    /// A client says so of pushes, of which there are none.
    @Override
    public void goAway(long id) {}

    // The end

    /// @param now whether requests are refused that come from now on
    private void goAway(boolean now) {
        exchanges.lock.lock();
        try {
            drains = true;
            refuses |= now && exchanges.leave();
            session.goAway(now);
        } finally {
            exchanges.lock.unlock();
        }
    }

    private void close(String why) {
        closeQuic(why);
        endpoint.changed(this);
    }

    /// Closes when the last response is on its way; [#look] waits for what is sent again.
    @Override
    public void allEnded() {
        link.execute(() -> endpoint.changed(this));
    }

    @Override
    public void drain(boolean patient) {
        link.execute(() -> {
            if (!over) {
                goAway(!begun || !patient);
                endpoint.changed(this);
                drainsNanos = context.now();
                tickAtNanos = Math.min(tickAtNanos, context.now() + 25_000_000L);
            }
        });
    }

    @Override
    public void closeNow() {
        link.execute(() -> {
            if (!over) {
                close("the server ends");
            }
        });
    }

    // Time, on the loop

    private void look(long now) {
        long elapsed = now - tickedNanos;
        tickedNanos = now;
        if (!begun) {
            if (now - acceptedNanos > context.headNanos) {
                close("the handshake takes too long");
            }
            return;
        }
        int seconds = (int) Math.min(3_600, (now - forgivenNanos) / NANOS_PER_SECOND);
        StreamExchange[] all;
        boolean idle;
        long idleSince;
        long patience;
        boolean takes;
        exchanges.lock.lock();
        try {
            if (seconds > 0) {
                forgivenNanos = now;
                session.seconds(seconds);
            }
            session.late(now, context.headNanos);
            takes = uptake.goesOn(quic.streams(), now, elapsed);
            exchanges.hasten(now);
            exchanges.roomForAll();
            all = exchanges.live();
            idle = exchanges.isEmpty();
            idleSince = idle ? exchanges.idleSinceNanos() : now;
            boolean sent =
                    quic.streams().count() <= Http3Endpoint.OWN_STREAMS && session.output() == 0;
            patience = sent ? Http3Endpoint.LINGER_NANOS : context.writeNanos;
        } finally {
            exchanges.lock.unlock();
        }
        for (StreamExchange exchange : all) {
            exchanges.look(exchange, now, elapsed);
        }
        if (!takes) {
            close("what was sent is not taken");
        } else if (drains && !refuses && now - drainsNanos > Http3Endpoint.GRACE_NANOS) {
            goAway(true);
        } else if (idle && refuses && now - idleSince > patience) {
            close("the server drains");
        } else if (idle && now - idleSince > context.idleNanos) {
            close("no request has come for long");
        }
    }
}
