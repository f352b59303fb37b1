package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
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

/// One connection to a peer: requests and answers one after the other, idle in its pool between
/// them. Confined to its loop.
///
/// ```
/// IDLE --begin--> BUSY --answer complete, reusable--> IDLE
/// IDLE --ping--> PINGING --pong--> IDLE           any --failure, or nothing to reuse--> CLOSED
/// ```
final class PeerChannel implements ConnectionHandler, PeerExchange {
    private enum State {
        IDLE,
        PINGING,
        BUSY,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final byte[] NOTHING = new byte[0];
    private static final FieldList NO_FIELDS = new FieldList();

    private final Connection io;
    private final PeerPool pool;
    private final LoopPeers loop;
    private final PeerProtocol protocol;
    private final PeerConfig config;
    private final long bornNanos = System.nanoTime();

    private State state = State.IDLE;
    private @Nullable PeerAnswer answer;
    private @Nullable Consumer<@Nullable String> pinged;
    private boolean reused;
    private boolean requestEnded;
    private boolean sent;
    private boolean answered;
    private boolean headCame;
    private boolean shutdownDue;
    private boolean paused;
    private boolean broken;
    private Duration reply = Duration.ZERO;
    private long deadlineNanos = Connection.NEVER;

    /// Received but not yet of use, such as a part of a head.
    private byte[] held = NOTHING;

    private int heldLength;

    /// What the peer did not take yet.
    private byte[] pending = NOTHING;

    private int pendingFrom;

    /// Where in the loop's outbox the request lies that is sent at the end of the turn; nowhere
    /// when both are the same.
    private int dueFrom;

    private int dueTo;

    PeerChannel(PeerPool pool, Connection io, PeerProtocol protocol) {
        this.pool = pool;
        this.io = io;
        this.protocol = protocol;
        loop = pool.loop();
        config = pool.peer().config();
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
        Duration lifetime = config.pool().lifetime();
        return !lifetime.isZero() && System.nanoTime() - bornNanos > lifetime.toNanos();
    }

    /// Waits in the pool until `nanoTime`, which [PeerPool#idleDeadline] is then told of.
    void idleUntil(long nanoTime) {
        deadline(nanoTime);
    }

    /// Tries the connection.
    ///
    /// @param then told null, or why it is of no use: it is closed then
    void ping(Consumer<@Nullable String> then) {
        Staging out = loop.staging(this);
        if (!protocol.ping(out)) {
            then.accept(null);
            return;
        }
        state = State.PINGING;
        pinged = then;
        sent = false;
        requestEnded = true;
        flush();
        deadline(System.nanoTime() + config.timeouts().ping().toNanos());
    }

    // The request

    @Override
    public void begin(PeerRequest request, PeerAnswer told) {
        state = State.BUSY;
        answer = told;
        requestEnded = request.contentLength() == RequestHead.NO_BODY;
        sent = false;
        answered = false;
        headCame = false;
        shutdownDue = false;
        reply = request.reply();
        loop.clearStaging();
        protocol.begin(request, loop.staging(this));
    }

    @Override
    public int contentRoom() {
        boolean closed = broken || state != State.BUSY || shutdownDue;
        boolean over = requestEnded && !protocol.raw();
        return closed || over || isUnsent() ? 0 : protocol.contentRoom();
    }

    @Override
    public void content(byte[] source, int offset, int length, boolean last) {
        protocol.content(source, offset, length, loop.staging(this));
    }

    @Override
    public void contentEnd(FieldList trailers) {
        if (!requestEnded) {
            requestEnded = true;
            protocol.contentEnd(trailers, loop.staging(this));
        }
    }

    @Override
    public void flush() {
        Staging out = loop.staging(this);
        if (out.to > 0 && mayWait() && isLater(out.to)) {
            arm();
            return;
        }
        keepDue();
        try {
            if (out.to > 0) {
                int taken = isPending() || broken ? 0 : io.write(out.bytes, 0, out.to);
                sent |= taken > 0;
                if (taken < out.to) {
                    keep(out.bytes, taken, out.to);
                }
            }
        } catch (IOException e) {
            // Some of it may have gone.
            sent = true;
            broken = true;
            io.execute(() -> readOut(e));
        } finally {
            loop.clearStaging();
        }
        arm();
    }

    /// Whether this is all of a request, to which nothing has to be added soon.
    private boolean mayWait() {
        return state == State.BUSY && requestEnded && !sent && !isUnsent() && !broken;
    }

    private boolean isLater(int length) {
        int from = loop.sendLater(this);
        dueFrom = Math.max(0, from);
        dueTo = from < 0 ? 0 : from + length;
        return from >= 0;
    }

    /// Sends the request that was left to the end of the turn.
    void sendDue() {
        int from = dueFrom;
        int to = dueTo;
        dueFrom = 0;
        dueTo = 0;
        if (from == to) {
            return; // closed meanwhile, or kept
        }
        byte[] bytes = loop.outbox().bytes;
        try {
            int taken = io.write(bytes, from, to - from);
            sent = taken > 0;
            if (taken < to - from) {
                keep(bytes, from + taken, to);
                arm();
            }
        } catch (IOException e) {
            sent = true; // some of it may have gone
            broken = true;
            readOut(e);
        }
    }

    /// The peer takes no more. It may have answered before it closed the connection: that is read
    /// before the request counts as failed.
    private void readOut(IOException cause) {
        try {
            while (state == State.BUSY && !paused && receive()) {}
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "nothing more can be read from the peer", e);
        }
        if (!paused) {
            fail(Outcome.BROKEN, "the connection broke: " + cause.getMessage());
        }
    }

    /// Keeps the order when something follows before the end of the turn.
    private void keepDue() {
        if (dueFrom < dueTo) {
            keep(loop.outbox().bytes, dueFrom, dueTo);
            dueFrom = 0;
            dueTo = 0;
        }
    }

    private boolean isUnsent() {
        return isPending() || dueFrom < dueTo;
    }

    private boolean isPending() {
        return pendingFrom < pending.length;
    }

    private void keep(byte[] source, int from, int to) {
        byte[] rest = Arrays.copyOfRange(pending, pendingFrom, pending.length + to - from);
        System.arraycopy(source, from, rest, pending.length - pendingFrom, to - from);
        pending = rest;
        pendingFrom = 0;
        interest();
    }

    @Override
    public void shutdownOutput() {
        shutdownDue = true;
        if (!isUnsent()) {
            shutdownNow();
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
        return answered;
    }

    @Override
    public boolean reused() {
        return reused;
    }

    // The answer

    @Override
    public void pause() {
        if (!paused) {
            paused = true;
            interest();
            arm();
        }
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            interest();
            arm();
        }
    }

    private void interest() {
        io.interest((paused ? 0 : Connection.READ) | (isPending() ? Connection.WRITE : 0));
    }

    @Override
    public void cancel() {
        answer = null;
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
    /// speaks out of turn. The event alone is only a hint.
    private void closeUnlessQuiet() throws IOException {
        if (io.read(loop.probe(), 0, 1) != 0) {
            close();
        }
    }

    /// @return whether anything was received
    private boolean receive() throws IOException {
        byte[] buffer = loop.input();
        int kept = heldLength;
        System.arraycopy(held, 0, buffer, 0, kept);
        int count = io.read(buffer, kept, buffer.length - kept);
        if (count > 0) {
            answered = true;
            heldLength = 0;
            process(buffer, kept + count);
        } else if (count < 0) {
            inputEnded();
        }
        return count > 0;
    }

    private void inputEnded() {
        switch (protocol.inputEnded()) {
            case END -> finish(NOTHING, 0, 0, true);
            default -> fail(Outcome.BROKEN, protocol.error());
        }
    }

    /// Takes messages out of what was received; content is gathered, so that one read leads to one
    /// call.
    private void process(byte[] buffer, int to) {
        int from = 0;
        int gatheredFrom = 0;
        int gatheredTo = 0;
        boolean passOn = false;
        while (state == State.BUSY || state == State.PINGING) {
            PeerProtocol.Step step = protocol.decode(buffer, from, to);
            from = protocol.consumed();
            if (step == PeerProtocol.Step.DATA) {
                int dataFrom = protocol.dataFrom();
                int length = protocol.dataTo() - dataFrom;
                if (gatheredFrom == gatheredTo) {
                    gatheredFrom = dataFrom;
                } else if (gatheredTo != dataFrom) {
                    System.arraycopy(buffer, dataFrom, buffer, gatheredTo, length);
                    dataFrom = gatheredTo;
                }
                gatheredTo = dataFrom + length;
            } else if (step == PeerProtocol.Step.END) {
                finish(buffer, gatheredFrom, gatheredTo, from < to);
                return;
            } else if (step == PeerProtocol.Step.NEED_MORE) {
                hold(buffer, from, to);
                passOn(buffer, gatheredFrom, gatheredTo, passOn);
                return;
            } else {
                passOn |= step == PeerProtocol.Step.HEAD || step == PeerProtocol.Step.FLUSH;
                take(step);
            }
        }
    }

    private void passOn(byte[] buffer, int from, int to, boolean evenNothing) {
        PeerAnswer told = answer;
        if (told != null && (from < to || evenNothing)) {
            told.content(buffer, from, to);
        }
        arm();
    }

    private void take(PeerProtocol.Step step) {
        PeerAnswer told = answer;
        switch (step) {
            case INTERIM -> {
                if (told != null) {
                    told.interim(protocol.head());
                }
            }
            case HEAD -> {
                headCame = true;
                if (told != null) {
                    told.head(protocol.head());
                }
            }
            case ROOM -> {
                if (requestEnded) {
                    protocol.contentEnd(NO_FIELDS, loop.staging(this));
                    flush();
                } else if (told != null) {
                    told.room();
                }
            }
            case PONG -> ponged();
            case ERROR -> fail(Outcome.BROKEN, protocol.error());
            case FLUSH, DATA, END, NEED_MORE -> {}
        }
    }

    private void hold(byte[] buffer, int from, int to) {
        if (state == State.CLOSED) {
            return;
        }
        heldLength = to - from;
        if (heldLength == 0) {
            held = NOTHING;
        } else if (heldLength == buffer.length) {
            fail(Outcome.BROKEN, "the peer sends more than fits without making sense");
        } else {
            held = Arrays.copyOfRange(buffer, from, to);
        }
    }

    private void ponged() {
        Consumer<@Nullable String> then = pinged;
        if (state != State.PINGING || then == null) {
            fail(Outcome.BROKEN, "the peer answers a ping that was not sent");
            return;
        }
        pinged = null;
        state = State.IDLE;
        deadline(Connection.NEVER);
        then.accept(null);
    }

    /// The answer is complete. The connection goes first, so that the next request finds it.
    private void finish(byte[] buffer, int from, int to, boolean more) {
        PeerAnswer told = answer;
        Fields trailers = protocol.trailers();
        answer = null;
        if (!more && requestEnded && !isUnsent() && !broken && protocol.reusable()) {
            state = State.IDLE;
            reused = true;
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
        if (!isPending() || state == State.CLOSED) {
            interest();
            return;
        }
        try {
            int taken = io.write(pending, pendingFrom, pending.length - pendingFrom);
            sent |= taken > 0;
            pendingFrom += taken;
        } catch (IOException e) {
            broken = true;
            pending = NOTHING;
            pendingFrom = 0;
            readOut(e);
            return;
        }
        if (!isPending()) {
            pending = NOTHING;
            pendingFrom = 0;
            interest();
            if (shutdownDue) {
                shutdownNow();
            }
        }
        arm();
        PeerAnswer told = answer;
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
        } else if (isPending()) {
            patience = timeouts.io();
        } else if (paused || !requestEnded) {
            patience = Duration.ZERO; // it is the client's turn
        } else {
            patience = headCame ? timeouts.io() : reply;
        }
        deadline(patience.isZero() ? Connection.NEVER : System.nanoTime() + patience.toNanos());
    }

    private void deadline(long nanoTime) {
        deadlineNanos = nanoTime;
        io.deadline(nanoTime);
    }

    @Override
    public void onDeadline() {
        if (deadlineNanos == Connection.NEVER) {
            return;
        }
        if (deadlineNanos - System.nanoTime() > 0) {
            io.deadline(deadlineNanos);
            return;
        }
        switch (state) {
            case IDLE -> pool.idleDeadline(this);
            case PINGING -> fail(Outcome.PING_FAILED, "the peer does not answer a ping");
            case BUSY -> {
                if (isPending()) {
                    fail(Outcome.BROKEN, "the peer does not take the request");
                } else if (!headCame) {
                    fail(Outcome.REPLY_TIMEOUT, "the answer did not begin in time");
                } else {
                    fail(Outcome.BROKEN, "the answer stopped");
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
        PeerAnswer told = answer;
        Consumer<@Nullable String> then = pinged;
        answer = null;
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
            loop.dropStaging(this);
            held = NOTHING;
            heldLength = 0;
            pending = NOTHING;
            pendingFrom = 0;
            dueFrom = 0;
            dueTo = 0;
            pool.forget(this);
            io.close();
        }
    }
}
