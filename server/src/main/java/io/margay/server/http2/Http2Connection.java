package io.margay.server.http2;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.server.config.RequestProtocol;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.connection.ServedConnection;
import io.margay.server.connection.StalledException;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.multiplex.StreamExchange;
import io.margay.server.multiplex.StreamExchanges;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// HTTP/2 on one connection (RFC 9113): frames in, an exchange for each stream to the handler,
/// deadlines, and the end.
///
/// Only the loop reads. What it shares with the threads of the exchanges is in [Http2Streams]; who
/// sends is decided by [Http2Writer]. `phase`, `interest` and what is marked so are guarded by the
/// lock of the streams.
///
/// ```
/// OPEN --GOAWAY sent, nothing under way--> CLOSING --all sent--> LINGER --> CLOSED
/// ```
public final class Http2Connection
        implements ConnectionHandler,
                ServedConnection,
                StreamExchanges.Owner,
                Http2Writer.Source,
                DialingExchange.Carrier {
    private enum Phase {
        OPEN,
        /// Nothing more is read; what was put is sent still.
        CLOSING,
        /// Output is ended; input is thrown away until the peer has read ours.
        LINGER,
        CLOSED
    }

    /// A frame with its header, plus the first octet of the next.
    private static final int INPUT_BYTES_MAX =
            Http2.FRAME_SIZE_DEFAULT + Http2.FRAME_HEADER_BYTES + 1;

    /// How often it is looked whether more has come before requests in doubt begin.
    private static final int DOUBT_READS_MAX = 64;

    private static final ProtocolError NO_ROOM =
            new ProtocolError(
                    503,
                    Http2.ENHANCE_YOUR_CALM,
                    "RFC 9110 §15.6.4",
                    "there is no memory for another request now");

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Connection io;
    private final ConnectionContext context;
    private final ConnectionInput input;
    private final Http2Writer writer;
    private final Http2Streams streams;
    private final StreamExchanges exchanges;
    private final Http2Session session;
    private final long tickNanos;

    // Guarded by the lock
    private volatile Phase phase = Phase.OPEN;
    private int interest;
    private long phaseNanos;

    // Of the loop
    private long partialSinceNanos;
    private long tickedNanos;
    private long forgivenNanos;
    private long deadlineNanos;
    private long lingered;
    private @Nullable TlsInfo tls;

    /// Requests whose client may have given up while this process stood still.
    private final ArrayDeque<StreamExchange> inDoubt = new ArrayDeque<>(0);

    /// @param input what has been received already, and where more goes
    private Http2Connection(Connection io, ConnectionContext context, ConnectionInput input) {
        this.io = io;
        this.context = context;
        this.input = input;
        writer = new Http2Writer(io, this, context.clock());
        streams = new Http2Streams(io, context, writer, this);
        exchanges = streams.exchanges;
        session = streams.session;
        long shortest =
                Math.min(
                        Math.min(context.headNanos, context.idleNanos),
                        Math.min(context.bodyNanos, context.writeNanos));
        tickNanos = Math.clamp(shortest / 4, 25_000_000L, NANOS_PER_SECOND);
        long now = context.now();
        tickedNanos = now;
        forgivenNanos = now;
        partialSinceNanos = now;
    }

    /// Has a new connection speak it, as TLS has agreed.
    public static Http2Connection open(Connection io, ConnectionContext context) {
        ConnectionInput input =
                new ConnectionInput(
                        io,
                        context.newWait(io),
                        context.bodyNanos,
                        context.smallBuffers,
                        context.largeBuffers);
        Http2Connection made = new Http2Connection(io, context, input);
        context.opened(made);
        made.start();
        if (context.isDraining()) {
            made.drain(true); // It was in its handshake when the server began to drain.
        }
        return made;
    }

    /// Takes over a connection that has begun with the preface. Loop thread, within an event.
    ///
    /// @param input what has been received
    /// @param before told who has it now
    public static void takeOver(
            Connection io,
            ConnectionContext context,
            ConnectionInput input,
            Consumer<ServedConnection> before) {
        Http2Connection made = new Http2Connection(io, context, input);
        before.accept(made);
        io.handler(made);
        made.start();
    }

    /// Begins, on the loop, with what has been received already.
    private void start() {
        tickAt(context.now() + tickNanos);
        streams.lock();
        try {
            interest(Connection.READ, 0);
        } finally {
            streams.unlock();
        }
        boolean held = writer.hold();
        try {
            process();
            if (!inDoubt.isEmpty()) {
                beginInDoubt();
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            send(held);
        }
    }

    private void send(boolean held) {
        if (held) {
            writer.pushAndRelease();
        } else {
            writer.flush();
        }
    }

    // What exchanges see

    @Override
    public DialingExchange.Carrier carrier() {
        return this;
    }

    @Override
    public Dialer dialer() {
        return io.dialer();
    }

    @Override
    public boolean waits() {
        return io.blocking();
    }

    /// What a stream's reader and its writer share is guarded by the lock.
    @Override
    public boolean duplex() {
        return true;
    }

    @Override
    public boolean isKept() {
        return phase == Phase.OPEN && !streams.isGoingAway();
    }

    @Override
    public @Nullable TlsInfo tlsInfo() {
        if (tls == null) {
            tls = ClientIdentity.info(io);
        }
        return tls;
    }

    @Override
    public void sendOutput() {
        writer.flush();
    }

    // Events, on the loop thread

    @Override
    public void onReadable() {
        boolean held = !io.blocking() && writer.hold();
        if (!io.blocking() && !held && !holdToRead()) {
            return;
        }
        held |= !io.blocking();
        try {
            int count = input.fill();
            if (io.blocking()) {
                held = writer.hold();
            }
            if (count < 0) {
                io.close();
            } else if (phase == Phase.OPEN) {
                process();
                if (!inDoubt.isEmpty()) {
                    beginInDoubt();
                }
            } else {
                linger(count);
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            send(held);
        }
    }

    /// Takes the connection to read from it, or has the event come again when it is free.
    private boolean holdToRead() {
        streams.lock();
        try {
            if (writer.holdToRead()) {
                return true;
            }
            interest(0, Connection.READ);
            return false;
        } finally {
            streams.unlock();
        }
    }

    @Override
    public void mayReadAgain() {
        streams.lock();
        try {
            interest(Connection.READ, 0);
        } finally {
            streams.unlock();
        }
    }

    @Override
    public void wantsToWrite(boolean wants) {
        streams.lock();
        try {
            interest(wants ? Connection.WRITE : 0, wants ? 0 : Connection.WRITE);
        } finally {
            streams.unlock();
        }
    }

    private void interest(int add, int remove) {
        int wanted = (interest & ~remove) | add;
        if (wanted != interest) {
            interest = wanted;
            io.interest(wanted);
        }
    }

    @Override
    public void onWritable() {
        writer.writable();
    }

    @Override
    public void onClosed() {
        phase = Phase.CLOSED;
        context.closed(this);
        input.release();
        exchanges.failAll(new ClosedChannelException());
    }

    /// The connection is unusable. Any thread.
    @Override
    public void failed(IOException cause) {
        context.log.clientFailed(io.id(), cause);
        io.reset();
    }

    private void linger(int count) {
        lingered += Math.max(0, count);
        input.clear();
        if (phase == Phase.LINGER && lingered > context.limits.lingerBytesMax()) {
            io.close();
        }
    }

    // Frames

    /// Looks at all frames that have been received.
    private void process() {
        streams.receivedNanos = context.now();
        Event event = Event.NONE;
        while (event != Event.NEED_MORE && phase == Phase.OPEN) {
            event = next();
        }
        if (phase != Phase.OPEN) {
            input.clear();
            return;
        }
        if (!streams.hasRoomForHead()) {
            end(Http2.ENHANCE_YOUR_CALM, "there is no memory for its head");
            return;
        }
        boolean partial = !input.isEmpty() || session.isWithinBlock();
        if (!partial) {
            partialSinceNanos = 0;
            input.releaseIfEmpty();
        } else {
            if (partialSinceNanos == 0) {
                partialSinceNanos = context.now();
                tickSoon(partialSinceNanos);
            }
            if (input.isFull()) {
                boolean _ = input.makeRoom(INPUT_BYTES_MAX);
            }
        }
    }

    /// One step of the session, and what it leads to.
    private Event next() {
        Event event = streams.receive(input);
        if (event != Event.NEED_MORE) {
            partialSinceNanos = 0;
            act(event, streams.exchange());
        }
        return event;
    }

    /// What an event leads to, without the lock.
    private void act(Event event, @Nullable StreamExchange exchange) {
        if (event == Event.FAILED) {
            ProtocolError error = session.refusal();
            IOException cause = Http2Streams.resetOf(error);
            context.log.clientFailed(io.id(), cause);
            exchanges.failAll(cause);
            phase(Phase.CLOSING);
        } else if (event == Event.PONG) {
            if (streams.drained()) {
                closeGracefully();
            }
        } else if (exchange != null) {
            switch (event) {
                case HEAD -> begin(exchange, exchange.isTooMuch() ? NO_ROOM : null);
                case REFUSED -> begin(exchange, session.refusal());
                case DATA, TRAILERS -> exchange.arrived();
                case RESET -> exchange.tasks.failed(false);
                default -> {}
            }
        }
    }

    private void begin(StreamExchange exchange, @Nullable ProtocolError refusal) {
        context.stats.requestStarted(RequestProtocol.HTTP_2);
        tickSoon(exchange.startNanos());
        if (exchanges.requests() >= context.limits.requestsMax()) {
            streams.goAway(session.lastPeerId());
        }
        if (refusal != null) {
            exchange.refuse(refusal);
        } else if (exchange.isMisdirected()) {
            exchange.refuse(ClientIdentity.MISDIRECTED);
        } else if (context.standstill.isDoubtful(exchange.startNanos())) {
            inDoubt.add(exchange);
        } else {
            exchange.tasks.begin(context.handler);
        }
    }

    /// Begins the requests that are in doubt, but for those that their client has taken back by
    /// what has come since. Loop thread.
    private void beginInDoubt() throws IOException {
        for (int i = 0; i < DOUBT_READS_MAX && phase == Phase.OPEN; i++) {
            int count = input.fillNow();
            if (count < 0 || io.hasHungUp()) {
                exchanges.failAll(new ClosedChannelException());
                io.close();
            } else if (count > 0) {
                process();
                continue;
            }
            break;
        }
        for (StreamExchange next = inDoubt.poll(); next != null; next = inDoubt.poll()) {
            if (phase == Phase.OPEN) { // Else all have failed.
                next.tasks.beginIfAwaited(context.handler);
            }
        }
    }

    // Output

    @Override
    public int takeOutput(byte[] empty) {
        return streams.takeOutput(empty);
    }

    @Override
    public byte[] takenOutput() {
        return streams.takenOutput();
    }

    @Override
    public boolean hasLittle() {
        return streams.hasLittleOutput();
    }

    @Override
    public void released() {
        exchanges.runNotices();
    }

    /// By the holder of the writer's token.
    @Override
    public void allSent() throws IOException {
        if (phase == Phase.CLOSING && streams.isOutputEmpty()) {
            phase(Phase.LINGER);
            io.shutdownOutput();
        }
    }

    private void phase(Phase next) {
        streams.lock();
        try {
            if (phase.compareTo(next) < 0) {
                phase = next;
                phaseNanos = context.now();
            }
        } finally {
            streams.unlock();
        }
        io.execute(() -> tickAt(context.now() + tickNanos));
    }

    // The end

    @Override
    public void allEnded() {
        closeGracefully();
    }

    private void closeGracefully() {
        phase(Phase.CLOSING);
        writer.flush();
    }

    @Override
    public void drain(boolean patient) {
        io.execute(() -> drainOnLoop(patient));
    }

    private void drainOnLoop(boolean patient) {
        if (streams.isGoingAway() || phase != Phase.OPEN) {
            return;
        }
        if (streams.drain(patient)) {
            closeGracefully();
        } else {
            exchanges.flush();
        }
    }

    @Override
    public void closeNow() {
        io.close();
    }

    // Time

    private void tickSoon(long now) {
        if (deadlineNanos - now > tickNanos) {
            tickAt(now + tickNanos);
        }
    }

    private void tickAt(long nanos) {
        deadlineNanos = nanos;
        io.deadline(nanos);
    }

    @Override
    public void onDeadline() {
        long now = context.now();
        if (deadlineNanos - now > 0) {
            io.deadline(deadlineNanos);
            return;
        }
        long elapsed = now - tickedNanos;
        tickedNanos = now;
        long stalled = writer.stalledSinceNanos();
        if (stalled != 0 && now - stalled > context.writeNanos) {
            failed(new StalledException("the client does not take the response"));
            return;
        }
        if (phase != Phase.OPEN) {
            long patience = phase == Phase.LINGER ? context.lingerPauseNanos : context.writeNanos;
            if (now - phaseNanos > patience) {
                io.close();
                return;
            }
        } else if (partialSinceNanos != 0 && now - partialSinceNanos > context.headNanos) {
            end(Http2.ENHANCE_YOUR_CALM, "the client sends nothing whole");
        } else {
            look(now, elapsed);
        }
        if (deadlineNanos - now <= 0) {
            tickAt(now + tickNanos);
        }
    }

    /// Looks at the exchanges, and whether there are any.
    private void look(long now, long elapsed) {
        int seconds = (int) Math.min(3_600, (now - forgivenNanos) / NANOS_PER_SECOND);
        if (seconds > 0) {
            forgivenNanos = now;
        }
        StreamExchange[] all = streams.pass(seconds, now);
        boolean idle = all.length == 0 && partialSinceNanos == 0;
        long idleNanos = idle ? now - streams.idleSinceNanos() : -1;
        exchanges.flush();
        for (StreamExchange exchange : all) {
            exchanges.look(exchange, now, elapsed);
        }
        if (idleNanos > context.idleNanos) {
            end(Http2.NO_ERROR, "the client sends nothing whole");
        } else if (idleNanos > tickNanos && writer.stalledSinceNanos() == 0) {
            streams.trim();
            tickAt(now - idleNanos + context.idleNanos + 1_000_000);
        }
    }

    /// Ends the connection before its time.
    private void end(int code, String why) {
        streams.goAwayNow(code);
        exchanges.failAll(new StalledException(why));
        closeGracefully();
    }
}
