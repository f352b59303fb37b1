package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.protocol.PeerProtocol;
import io.margay.gateway.protocol.PeerRequest;
import io.margay.gateway.protocol.ProxyPrefix;
import io.margay.gateway.protocol.SendBuffer;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection to a peer: requests and responses one after the other, idle in its pool between
/// them. Confined to its loop.
///
/// ```
/// IDLE --begin--> BUSY --response complete, reusable--> IDLE
/// IDLE --ping--> PINGING --pong--> IDLE           any --failure, or nothing to reuse--> CLOSED
/// ```
final class PeerChannel implements ConnectionHandler, PeerExchange, SendQueue.Sender {
    private enum State {
        IDLE,
        PINGING,
        BUSY,
        CLOSED
    }

    /// How far the request has been put.
    private enum Request {
        /// Its content may go on.
        OPEN,
        /// It is whole; after a switch of protocols, bytes may follow.
        ENDED,
        /// Nothing follows, after a switch of protocols: the output ends when all is sent.
        SHUT,
        /// The peer takes no more of it.
        BROKEN
    }

    /// How far the response has come.
    private enum Response {
        AWAITED,
        BEGUN,
        HEAD
    }

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final byte[] NOTHING = new byte[0];
    private static final FieldList NO_FIELDS = new FieldList();

    private final Connection io;
    private final SerialPool pool;
    private final PeerLoop loop;
    private final PeerProtocol protocol;
    private final PeerConfig config;
    private final long bornNanos;
    private final Unsent unsent;

    private State state = State.IDLE;
    private Request request = Request.ENDED;
    private Response response = Response.AWAITED;
    private @Nullable ResponseListener listener;
    private @Nullable Consumer<@Nullable String> pinged;

    /// Requests before this one.
    private long carried;

    /// Whether any of the request has been handed to the operating system.
    private boolean sent;

    private boolean paused;
    private Duration reply = Duration.ZERO;
    private long deadlineNanos = Connection.NEVER;

    private final Gathered gathered = new Gathered();

    /// Received but not decoded yet, such as a part of a head.
    private byte[] held = NOTHING;

    PeerChannel(SerialPool pool, Connection io, PeerProtocol protocol) {
        this.pool = pool;
        this.io = io;
        this.protocol = protocol;
        loop = pool.loop();
        config = pool.peer().config();
        bornNanos = loop.nanoTime();
        unsent = new Unsent(loop.memory(), io, this);
        io.interest(Connection.READ);
    }

    // In the pool

    /// Whether it can carry another request, as far as one can know.
    ///
    /// @param probe whether to look at the socket, too
    boolean isUsable(boolean probe) {
        boolean moved = !config.address().equals(pool.peer().config().address());
        if (moved || state != State.IDLE || io.isClosed() || isOld()) {
            close();
            return false;
        }
        try {
            if (probe) {
                closeUnlessQuiet();
            }
        } catch (IOException e) {
            close();
        }
        return state == State.IDLE;
    }

    boolean isOld() {
        long end = Deadlines.after(bornNanos, config.pool().lifetime());
        return Deadlines.isPast(end, loop.nanoTime());
    }

    /// Tries the connection.
    ///
    /// @param then told null, or why the connection is unusable: it is closed then
    void ping(Consumer<@Nullable String> then) {
        if (!protocol.ping(output())) {
            then.accept(null);
            return;
        }
        state = State.PINGING;
        pinged = then;
        sent = false;
        request = Request.ENDED;
        flush();
        deadline(loop.nanoTime() + config.timeouts().ping().toNanos());
    }

    // The request

    @Override
    public void begin(PeerRequest begun, ResponseListener told) {
        state = State.BUSY;
        listener = told;
        boolean whole = begun.contentLength() == RequestHead.NO_BODY;
        request = whole ? Request.ENDED : Request.OPEN;
        response = Response.AWAITED;
        sent = false;
        reply = begun.reply();
        loop.output().clear();
        ProxyPrefix.put(begun, output());
        protocol.begin(begun, output());
    }

    private SendBuffer output() {
        return loop.output().buffer(this);
    }

    @Override
    public int contentRoom() {
        boolean open = request == Request.OPEN || (request == Request.ENDED && protocol.raw());
        return open && state == State.BUSY && unsent.isEmpty() ? protocol.contentRoom() : 0;
    }

    @Override
    public void content(byte[] source, int offset, int length, boolean last) {
        protocol.content(source, offset, length, output());
    }

    @Override
    public void contentEnd(FieldList trailers) {
        if (request == Request.OPEN) {
            request = Request.ENDED;
            protocol.contentEnd(trailers, output());
        }
    }

    @Override
    public void flush() {
        SendBuffer out = output();
        if (out.size() > 0 && mayWait() && loop.output().add(unsent)) {
            arm();
            return;
        }
        keepQueued();
        try {
            if (out.size() > 0 && request != Request.BROKEN) {
                int taken = unsent.isKept() ? 0 : io.write(out.bytes(), 0, out.size());
                sent |= taken > 0;
                if (taken < out.size()) {
                    keep(out.bytes(), taken, out.size());
                }
            }
        } catch (IOException e) {
            broken(e);
        } finally {
            loop.output().clear();
        }
        arm();
    }

    /// Whether this is all of a request, to which nothing has to be added soon.
    private boolean mayWait() {
        return state == State.BUSY && request == Request.ENDED && !sent && unsent.isEmpty();
    }

    @Override
    public void sendQueued() {
        int from = unsent.queuedFrom();
        int to = unsent.queuedTo();
        if (!unsent.dequeue()) {
            return; // closed meanwhile, or kept
        }
        try {
            int taken = loop.output().write(io, from, to);
            sent = taken > 0;
            if (taken < to - from) {
                keep(loop.output().queued(), from + taken, to);
                arm();
            }
        } catch (IOException e) {
            broken(e);
        }
    }

    /// The peer took no more, but some of it may have gone.
    private void broken(IOException cause) {
        sent = true;
        request = Request.BROKEN;
        io.execute(() -> readOut(cause));
    }

    /// The peer takes no more. It may have responded before it closed the connection: that is read
    /// before the request counts as failed.
    private void readOut(IOException cause) {
        try {
            while (state == State.BUSY && !paused && receive()) {}
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "nothing more can be read from the member", e);
        }
        if (!paused) {
            fail(Outcome.BROKEN, "the connection broke: " + cause.getMessage());
        }
    }

    /// Keeps the order when something follows before the end of the round.
    private void keepQueued() {
        int from = unsent.queuedFrom();
        int to = unsent.queuedTo();
        if (unsent.dequeue()) {
            keep(loop.output().queued(), from, to);
        }
    }

    private void keep(byte[] source, int from, int to) {
        if (unsent.keep(source, from, to)) {
            interest();
        } else {
            request = Request.BROKEN;
            io.execute(() -> fail(Outcome.NO_MEMORY, "no memory for what it does not take"));
        }
    }

    @Override
    public void shutdownOutput() {
        if (request != Request.BROKEN) {
            request = Request.SHUT;
            if (unsent.isEmpty()) {
                shutdownNow();
            }
        }
    }

    private void shutdownNow() {
        try {
            io.shutdownOutput();
        } catch (IOException e) {
            fail(Outcome.BROKEN, "the connection broke: " + e.getMessage());
        }
    }

    @Override
    public boolean sent() {
        return sent;
    }

    @Override
    public boolean answered() {
        return response != Response.AWAITED;
    }

    @Override
    public boolean stale() {
        return carried > 0;
    }

    // The response

    @Override
    public void pause() {
        paused(true);
    }

    @Override
    public void resume() {
        paused(false);
    }

    private void paused(boolean now) {
        if (paused != now) {
            paused = now;
            interest();
            arm();
        }
    }

    private void interest() {
        io.interest((paused ? 0 : Connection.READ) | (unsent.isKept() ? Connection.WRITE : 0));
    }

    @Override
    public void cancel() {
        listener = null;
        close();
    }

    @Override
    public void onReadable() {
        try {
            switch (state) {
                case IDLE -> closeUnlessQuiet();
                case PINGING, BUSY -> {
                    var _ = receive();
                }
                case CLOSED -> {}
            }
        } catch (IOException e) {
            fail(Outcome.BROKEN, "the connection broke: " + e.getMessage());
        }
    }

    /// Nothing is due: if there is something all the same, the peer has closed the connection or
    /// sends what nobody asked for. The event alone is only a hint.
    private void closeUnlessQuiet() throws IOException {
        if (io.read(loop.probe(), 0, 1) != 0) {
            close();
        }
    }

    /// @return whether anything was received
    private boolean receive() throws IOException {
        byte[] buffer = loop.input();
        int kept = held.length;
        System.arraycopy(held, 0, buffer, 0, kept);
        int count = io.read(buffer, kept, buffer.length - kept);
        if (count > 0) {
            if (response == Response.AWAITED) {
                response = Response.BEGUN;
            }
            held = NOTHING;
            process(buffer, kept + count);
        } else if (count < 0 && protocol.inputEnded() == PeerProtocol.Step.END) {
            finish(NOTHING, 0, 0, true);
        } else if (count < 0) {
            fail(Outcome.BROKEN, protocol.error());
        }
        return count > 0;
    }

    /// Takes messages out of what was received; content is gathered, so that one read leads to one
    /// call.
    private void process(byte[] buffer, int to) {
        int from = 0;
        gathered.clear();
        boolean passOn = false;
        while (state == State.BUSY || state == State.PINGING) {
            PeerProtocol.Step step = protocol.decode(buffer, from, to);
            from = protocol.consumed();
            if (step == PeerProtocol.Step.DATA) {
                gathered.add(buffer, protocol.dataFrom(), protocol.dataTo());
            } else if (step == PeerProtocol.Step.END) {
                finish(buffer, gathered.from(), gathered.to(), from < to);
                return;
            } else if (step == PeerProtocol.Step.NEED_MORE) {
                hold(buffer, from, to);
                passOn(buffer, passOn);
                return;
            } else {
                passOn |= step == PeerProtocol.Step.HEAD || step == PeerProtocol.Step.FLUSH;
                take(step);
            }
        }
    }

    private void passOn(byte[] buffer, boolean evenNothing) {
        ResponseListener told = listener;
        if (told != null && (evenNothing || !gathered.isEmpty())) {
            told.content(buffer, gathered.from(), gathered.to());
        }
        arm();
    }

    private void take(PeerProtocol.Step step) {
        ResponseListener told = listener;
        switch (step) {
            case INTERIM -> {
                if (told != null) {
                    told.interim(protocol.head());
                }
            }
            case HEAD -> {
                response = Response.HEAD;
                if (told != null) {
                    told.head(protocol.head());
                }
            }
            case ROOM -> contentAsked();
            case PONG -> ponged();
            case ERROR -> fail(Outcome.BROKEN, protocol.error());
            case FLUSH, DATA, END, NEED_MORE -> {}
        }
    }

    private void contentAsked() {
        ResponseListener told = listener;
        switch (request) {
            case OPEN -> {
                if (told != null) {
                    told.room();
                }
            }
            case ENDED, SHUT -> {
                protocol.contentEnd(NO_FIELDS, output());
                flush();
            }
            case BROKEN -> {}
        }
    }

    private void hold(byte[] buffer, int from, int to) {
        if (state == State.CLOSED) {
            return;
        }
        if (from == to) {
            held = NOTHING;
        } else if (to - from == buffer.length) {
            fail(Outcome.BROKEN, "the member sends too many bytes that make no message");
        } else {
            held = Arrays.copyOfRange(buffer, from, to);
        }
    }

    private void ponged() {
        Consumer<@Nullable String> then = pinged;
        if (state != State.PINGING || then == null) {
            fail(Outcome.BROKEN, "the member responds to a ping that was not sent");
            return;
        }
        pinged = null;
        state = State.IDLE;
        deadline(Connection.NEVER);
        then.accept(null);
    }

    /// The response is complete. The connection goes first, so that the next request finds it.
    private void finish(byte[] buffer, int from, int to, boolean more) {
        ResponseListener told = listener;
        Fields trailers = protocol.trailers();
        listener = null;
        boolean whole = request == Request.ENDED && unsent.isEmpty();
        if (!more && whole && protocol.reusable()) {
            state = State.IDLE;
            carried++;
            paused = false;
            interest();
            pool.release(this);
        } else {
            close();
        }
        if (told != null) {
            told.end(buffer, from, to, trailers);
        }
    }

    // The rest

    @Override
    public void onWritable() {
        if (!unsent.isKept() || state == State.CLOSED) {
            interest();
            return;
        }
        try {
            int taken = io.write(unsent.kept(), unsent.keptFrom(), unsent.keptLength());
            sent |= taken > 0;
            unsent.taken(taken);
        } catch (IOException e) {
            request = Request.BROKEN;
            unsent.drop();
            readOut(e);
            return;
        }
        if (!unsent.isKept()) {
            interest();
            if (request == Request.SHUT) {
                shutdownNow();
            }
        }
        arm();
        ResponseListener told = listener;
        if (told != null && contentRoom() > 0) {
            told.room();
        }
    }

    /// Sets the deadline for what is waited for now.
    private void arm() {
        if (state != State.BUSY) {
            return;
        }
        PeerConfig.Timeouts timeouts = config.timeouts();
        Duration patience;
        if (protocol.raw()) {
            patience = loop.limits().upgradedIdle();
        } else if (unsent.isKept()) {
            patience = timeouts.io();
        } else if (paused || request == Request.OPEN) {
            patience = Duration.ZERO; // the client is waited for
        } else {
            patience = response == Response.HEAD ? timeouts.io() : reply;
        }
        deadline(patience.isZero() ? Connection.NEVER : loop.nanoTime() + patience.toNanos());
    }

    /// While it idles, [SerialPool#idleDeadline] is told when the time has come.
    void deadline(long nanoTime) {
        deadlineNanos = nanoTime;
        io.deadline(nanoTime);
    }

    @Override
    public void onDeadline() {
        if (deadlineNanos == Connection.NEVER) {
            return;
        }
        if (deadlineNanos - loop.nanoTime() > 0) {
            io.deadline(deadlineNanos);
            return;
        }
        switch (state) {
            case IDLE -> pool.idleDeadline(this);
            case PINGING -> fail(Outcome.PING_FAILED, "the member does not respond to a ping");
            case BUSY -> {
                if (unsent.isKept()) {
                    fail(Outcome.BROKEN, "the member does not take the request");
                } else if (response != Response.HEAD) {
                    fail(Outcome.REPLY_TIMEOUT, "the response did not begin in time");
                } else {
                    fail(Outcome.BROKEN, "the response stopped");
                }
            }
            case CLOSED -> {}
        }
    }

    @Override
    public void onClosed() {
        fail(Outcome.BROKEN, "the connection was closed");
        pool.closed();
    }

    private void fail(Outcome outcome, String why) {
        ResponseListener told = listener;
        Consumer<@Nullable String> then = pinged;
        listener = null;
        pinged = null;
        close();
        if (told != null) {
            told.failed(outcome, why);
        }
        if (then != null) {
            then.accept(why);
        }
    }

    /// Closes the connection and leaves the pool.
    void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            loop.output().drop(this);
            held = NOTHING;
            unsent.clear();
            pool.forget(this);
            io.close();
        }
    }
}
