package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection to a peer, which carries several requests at a time. Confined to its loop.
///
/// It is always read: what a client does not take is held by its request, within the window of its
/// stream, so that no client can stop the others.
///
/// ```
/// OPEN: takes requests --drain, GOAWAY, age--> DRAINING: ends those it has --> CLOSED
///                       any --failure--> CLOSED
/// ```
final class Http2Channel implements ConnectionHandler {
    private enum State {
        OPEN,
        DRAINING,
        CLOSED
    }

    private static final byte[] NOTHING = new byte[0];

    /// What is looked at of what has come on a connection that idles, bytes at a time.
    private static final int LOOK_BYTES = 1_024;

    /// Requests in all; the numbers of streams would last for longer.
    private static final int REQUESTS_MAX = 1_000_000;

    /// Requests that were given up, less those that were answered: beyond it another connection is
    /// opened, before the peer takes this one for an attack (CVE-2023-44487) and closes it with the
    /// requests of other clients.
    private static final int CANCELLED_MAX = 50;

    private final Connection io;
    private final Http2Pool pool;
    private final PeerLoop loop;
    private final PeerConfig config;
    private final Http2Session session;
    private final Http2PeerOutput output;
    private final Http2Liveness liveness;
    private final Runnable writeTask = this::writeNow;
    private final List<Http2PeerStream> streams = new ArrayList<>();

    /// Those for which something has come in what is being looked at.
    private final List<Http2PeerStream> touched = new ArrayList<>();

    private State state = State.OPEN;
    private @Nullable IOException failure;

    /// Whether the peer's SETTINGS have come.
    private boolean settled;

    private int begun;
    private int cancelled;
    private int firstForRoom;

    /// Received but not decoded yet, a part of a frame.
    private byte[] held = NOTHING;

    /// Whose content is gathered.
    private @Nullable Http2PeerStream gathering;

    private final Gathered gathered = new Gathered();
    private long deadlineNanos = Connection.NEVER;

    Http2Channel(Http2Pool pool, Connection io) {
        this.pool = pool;
        this.io = io;
        loop = pool.loop();
        config = pool.peer().config();
        session =
                new Http2Session(
                        Http2Session.Role.CLIENT,
                        loop.limits().http2(),
                        config.address().scheme().isSecure(),
                        -1);
        output = new Http2PeerOutput(io, session, loop);
        liveness = new Http2Liveness(output, config, loop.limits().silence(), loop.nanoTime());
        io.interest(Connection.READ);
    }

    Http2Session session() {
        return session;
    }

    Http2PeerOutput output() {
        return output;
    }

    PeerConfig config() {
        return config;
    }

    PeerLoop loop() {
        return loop;
    }

    /// Sends the preface, with what is put meanwhile.
    void start() {
        wake();
        deadlineBy(nextDeadline());
    }

    // In the pool

    /// Whether it can carry requests, now or later, as far as one can know.
    ///
    /// @param probe whether to look at what has come while it idled
    boolean isUsable(boolean probe) {
        boolean moved = !config.address().equals(pool.peer().config().address());
        if (state == State.CLOSED || io.isClosed()) {
            close();
        } else if (moved || liveness.isOld(loop.nanoTime()) || begun >= REQUESTS_MAX) {
            drain();
        } else if (isStale()) {
            if (probe) {
                look();
            }
            boolean pings = state == State.OPEN && pool.pings(PeerConfig.Ping.PREPOST);
            if (pings && !liveness.isAlive(loop.nanoTime()) && !liveness.isPinged()) {
                ping();
            }
        }
        return state == State.OPEN;
    }

    /// Whether it idles and has carried requests: the peer may have closed it meanwhile.
    boolean isStale() {
        return streams.isEmpty() && begun > 0;
    }

    Http2Liveness liveness() {
        return liveness;
    }

    /// Whether it is known how many requests it can carry.
    boolean isReady() {
        return settled && !liveness.holdsRequests();
    }

    /// Why it has ended, by the peer's doing, before it carried a request; null = it has not.
    @Nullable IOException early() {
        return begun == 0 ? failure : null;
    }

    int requests() {
        return streams.size();
    }

    /// Whether it carries another request now. Until the peer has said how many it allows, it is
    /// given one.
    boolean hasRoom() {
        if (state != State.OPEN || liveness.holdsRequests() || output.room() <= 0) {
            return false;
        }
        int allowed = settled ? Math.min(session.peerStreamsMax(), streamsMax()) : 1;
        return Math.max(streams.size(), session.slots()) < allowed;
    }

    private int streamsMax() {
        return config.pool().reuse() ? loop.limits().http2().streamsMax() : 1;
    }

    /// A request on this connection, to be begun at once.
    Http2PeerStream open() {
        Http2PeerStream stream = new Http2PeerStream(this, begun > 0);
        if (!config.pool().reuse()) {
            drainAfter();
        }
        return stream;
    }

    private void drainAfter() {
        if (state == State.OPEN) {
            state = State.DRAINING;
        }
        pool.forget(this);
    }

    /// Takes no further requests, and closes when those that it has are over.
    void drain() {
        drainAfter();
        closeIfUnused();
    }

    private void closeIfUnused() {
        if (streams.isEmpty()) {
            close();
        }
    }

    /// Asks for a sign of life; until it comes there are no further requests.
    void ping() {
        sendPing(config.timeouts().ping(), true);
    }

    private void sendPing(Duration patience, boolean beforeRequests) {
        session.ping();
        wake();
        deadlineBy(liveness.pinged(loop.nanoTime(), patience, beforeRequests));
    }

    // What requests tell

    void begun(Http2PeerStream stream) {
        begun++;
        streams.add(stream);
        if (streams.size() == 1) {
            liveness.busy(loop.nanoTime());
            deadlineBy(nextDeadline());
        }
    }

    void answered() {
        liveness.answered();
        cancelled = Math.max(0, cancelled - 1);
    }

    void cancelled() {
        if (++cancelled > CANCELLED_MAX && state == State.OPEN) {
            drainAfter();
        }
    }

    /// A request is over, in whichever way.
    void ended(Http2PeerStream stream) {
        boolean _ = streams.remove(stream);
        boolean _ = touched.remove(stream);
        if (streams.isEmpty()) {
            liveness.idle(loop.nanoTime());
            if (state == State.DRAINING) {
                loop.dialer().execute(this::closeIfUnused);
            }
            deadlineBy(nextDeadline());
        }
        pool.requestEnded();
    }

    // Sending

    /// Sends what was put, once this round of the loop has put all of it.
    void wake() {
        if (output.wake()) {
            io.execute(writeTask);
        }
    }

    private void writeNow() {
        try {
            if (output.write()) {
                giveRoom();
            }
            if (output.isBlocked()) {
                deadlineBy(nextDeadline());
            }
        } catch (IOException e) {
            look();
            broke(e);
        }
    }

    @Override
    public void onWritable() {
        output.unblock();
        writeNow();
    }

    /// Has requests whose content waited for room go on, another one first each time.
    private void giveRoom() {
        if (streams.isEmpty() || output.room() <= 0) {
            return;
        }
        List<Http2PeerStream> all = List.copyOf(streams);
        firstForRoom = (firstForRoom + 1) % all.size();
        for (int i = 0; i < all.size() && state != State.CLOSED; i++) {
            all.get((firstForRoom + i) % all.size()).roomCame();
        }
    }

    // Receiving

    @Override
    public void onReadable() {
        if (state == State.CLOSED) {
            return;
        }
        try {
            receive(loop.input());
        } catch (IOException e) {
            broke(e);
        }
        writeNow();
    }

    /// Looks at what has come, after which it may have been closed.
    private void look() {
        try {
            boolean more = true;
            while (more && state != State.CLOSED) {
                more = receive(new byte[held.length + LOOK_BYTES]);
            }
        } catch (IOException e) {
            close();
        }
    }

    private boolean receive(byte[] buffer) throws IOException {
        int kept = held.length;
        System.arraycopy(held, 0, buffer, 0, kept);
        int count = io.read(buffer, kept, buffer.length - kept);
        if (count < 0) {
            failAll(Outcome.BROKEN, "the member closed the connection");
            return false;
        }
        if (count > 0) {
            held = NOTHING;
            alive();
            process(buffer, kept + count);
        }
        return count > 0;
    }

    private void alive() {
        long now = loop.nanoTime();
        if (liveness.received(now)) {
            feedLater();
        }
        session.seconds(liveness.takeSeconds(now));
    }

    private void feedLater() {
        if (pool.isAwaited()) {
            loop.dialer().execute(pool::feed);
        }
    }

    private void process(byte[] buffer, int to) {
        int from = 0;
        boolean room = false;
        while (state != State.CLOSED) {
            Http2Session.Event event = session.receive(buffer, from, to);
            from = session.consumed();
            if (event == Http2Session.Event.DATA) {
                gather(buffer);
                continue;
            }
            if (event == Http2Session.Event.NONE) {
                continue;
            }
            passOn(buffer);
            switch (event) {
                case NEED_MORE -> {
                    held = from == to ? NOTHING : Arrays.copyOfRange(buffer, from, to);
                    received(room);
                    return;
                }
                case ROOM -> room = true;
                case HEAD -> head();
                case TRAILERS -> trailers();
                case RESET -> reset();
                case GOAWAY -> goAway();
                case FAILED -> sessionFailed();
                case REFUSED, DATA, NONE, PRIORITY, PONG -> {}
            }
        }
    }

    /// Content of one request that came in several frames is passed on in one.
    private void gather(byte[] buffer) {
        Http2PeerStream owner = owner();
        if (owner == null) {
            return;
        }
        Http2Stream stream = session.stream();
        boolean ends = stream != null && stream.isInputEnded();
        int from = session.dataFrom();
        int to = session.dataTo();
        if (!owner.equals(gathering)) {
            passOn(buffer);
            gathering = owner;
            gathered.clear();
        }
        gathered.add(buffer, from, to);
        if (ends) {
            gathering = null;
            owner.end(buffer, gathered.from(), gathered.to(), Fields.EMPTY);
        }
    }

    private void passOn(byte[] buffer) {
        Http2PeerStream owner = gathering;
        gathering = null;
        if (owner != null) {
            owner.received(buffer, gathered.from(), gathered.to());
            touched.add(owner);
        }
    }

    private @Nullable Http2PeerStream owner() {
        Http2Stream stream = session.stream();
        return stream == null ? null : (Http2PeerStream) stream.owner();
    }

    /// Everything that was received has been looked at.
    private void received(boolean room) {
        if (!settled && session.isSettled()) {
            settled = true;
            pool.allowed(Math.min(session.peerStreamsMax(), streamsMax()));
            for (Http2PeerStream each : List.copyOf(streams)) {
                each.settingsCame();
            }
            feedLater();
        }
        List<Http2PeerStream> all = List.copyOf(touched);
        touched.clear();
        for (Http2PeerStream each : all) {
            each.settle();
        }
        if (room) {
            giveRoom();
        }
    }

    private void head() {
        Http2PeerStream owner = owner();
        Http2Stream stream = session.stream();
        if (owner != null && stream != null) {
            touched.add(owner);
            owner.head(session.responseHead(), stream.isInputEnded());
        }
    }

    private void trailers() {
        Http2PeerStream owner = owner();
        if (owner != null) {
            owner.end(NOTHING, 0, 0, session.trailers());
        }
    }

    private void reset() {
        Http2PeerStream owner = owner();
        ProtocolError why = session.refusal();
        if (owner == null) {
            return;
        }
        if (why == null) {
            owner.resetByPeer(session.code());
        } else {
            owner.fail(Outcome.BROKEN, why.text() + " (" + why.section() + ")");
        }
    }

    private void goAway() {
        failure = new IOException("the member is going away");
        drainAfter();
        liveness.leaving();
        for (Http2PeerStream each : List.copyOf(streams)) {
            if (each.isBeyond(session.lastKnownId())) {
                each.passedBy();
            }
        }
        closeIfUnused();
        feedLater();
    }

    private void sessionFailed() {
        ProtocolError why = session.refusal();
        failAll(Outcome.BROKEN, why == null ? "the connection failed" : why.text());
    }

    // Deadlines

    /// Something is due by then.
    void deadlineBy(long nanoTime) {
        if (nanoTime == Connection.NEVER || state == State.CLOSED) {
            return;
        }
        if (deadlineNanos == Connection.NEVER || nanoTime - deadlineNanos < 0) {
            deadlineNanos = nanoTime;
            io.deadline(nanoTime);
        }
    }

    private long nextDeadline() {
        long next = liveness.deadline(!streams.isEmpty(), idlePingNanos());
        for (Http2PeerStream each : streams) {
            next = Deadlines.earlier(next, each.deadlineNanos());
        }
        return next;
    }

    private long idlePingNanos() {
        return pool.pings(PeerConfig.Ping.INTERVAL) ? loop.pingIntervalNanos(pool.peer()) : 0;
    }

    @Override
    public void onDeadline() {
        deadlineNanos = Connection.NEVER;
        if (state == State.CLOSED) {
            return;
        }
        long now = loop.nanoTime();
        for (Http2PeerStream each : List.copyOf(streams)) {
            if (Deadlines.isPast(each.deadlineNanos(), now)) {
                each.expire();
            }
        }
        switch (liveness.due(!streams.isEmpty(), idlePingNanos(), now)) {
            case NOTHING -> {}
            case PONG -> lost();
            case OUTPUT -> failAll(Outcome.BROKEN, "the member does not take the request");
            case PING -> sendPing(loop.limits().silence(), false);
            case IDLE_PING -> ping();
            case IDLE -> idle(now);
        }
        deadlineBy(nextDeadline());
    }

    private void idle(long now) {
        if (pool.pings(PeerConfig.Ping.INTERVAL) || !pool.mayClose()) {
            liveness.idle(now);
        } else {
            close();
        }
    }

    /// A ping was not acknowledged.
    private void lost() {
        boolean fresh = begun == 0;
        List<Http2PeerStream> all = List.copyOf(streams);
        close();
        for (Http2PeerStream each : all) {
            each.lost("the member does not respond to a ping");
        }
        if (fresh) {
            pool.refuseAll(Outcome.PING_FAILED, "the member does not respond to a ping");
        }
    }

    // The end

    @Override
    public void onClosed() {
        failAll(Outcome.BROKEN, "the connection was closed");
        pool.closed(early());
    }

    private void broke(IOException e) {
        failure = e;
        failAll(Outcome.BROKEN, "the connection broke: " + e.getMessage());
    }

    private void failAll(Outcome outcome, String why) {
        List<Http2PeerStream> all = List.copyOf(streams);
        failure = failure == null && state != State.CLOSED ? new IOException(why) : failure;
        close();
        for (Http2PeerStream each : all) {
            each.fail(outcome, why);
        }
    }

    /// Closes the connection and leaves the pool; what is still to be sent, GOAWAY among it, is
    /// sent as far as the peer takes it now.
    void close() {
        if (state == State.CLOSED) {
            return;
        }
        pool.forget(this);
        if (settled && !output.isBlocked() && !io.isClosed()) {
            session.goAway(0, Http2.NO_ERROR);
            try {
                boolean _ = output.write();
            } catch (IOException e) {
                output.close(); // nothing more is sent
            }
        }
        state = State.CLOSED;
        output.close();
        held = NOTHING;
        gathering = null;
        touched.clear();
        io.close();
    }
}
