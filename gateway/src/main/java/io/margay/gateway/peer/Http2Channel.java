package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Buffer;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection to a peer, which carries several requests at a time. Confined to its loop.
///
/// It is always read: what a client does not take is held by its request, within the window of its
/// stream, so that no client can stop the others. What is to be sent collects in the session and
/// leaves once for all that happens in one turn of the loop.
///
/// ```
/// OPEN: takes requests --drain, GOAWAY, age--> draining: ends those it has --> CLOSED
///                       any --failure--> CLOSED
/// ```
final class Http2Channel implements ConnectionHandler {
    private static final byte[] NOTHING = new byte[0];

    /// What is looked at of what has come on a connection that idles, bytes at a time.
    private static final int LOOK_BYTES = 1_024;

    /// Requests in all; the numbers of streams would last for longer.
    private static final int REQUESTS_MAX = 1_000_000;

    /// Requests that were given up, less those that were answered: beyond it another connection is
    /// opened, before the peer takes this one for an attack (CVE-2023-44487) and closes it with the
    /// requests of other clients.
    private static final int CANCELLED_MAX = 50;

    /// A connection that something came on just now needs no ping before a request.
    private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connection io;
    private final Http2Pool pool;
    private final LoopPeers loop;
    private final PeerConfig config;
    private final Http2Session session;
    private final Runnable writeTask = this::writeNow;
    private final long bornNanos = System.nanoTime();
    private final List<Http2PeerStream> streams = new ArrayList<>();

    /// Those for which something has come in what is being looked at.
    private final List<Http2PeerStream> touched = new ArrayList<>();

    private boolean closed;
    private boolean draining;
    private boolean settled;
    private int begun;
    private int cancelled;
    private int roomTurn;

    /// Received but not yet of use, a part of a frame.
    private byte[] held = NOTHING;

    private int heldLength;

    // Content of one request that is passed on together
    private @Nullable Http2PeerStream gathered;
    private int gatheredFrom;
    private int gatheredTo;

    // What the peer did not take yet
    private byte[] pending = NOTHING;
    private int pendingFrom;
    private int pendingTo;
    private long written;
    private boolean writeDue;
    private boolean blocked;
    private long blockedNanos;

    private long receivedNanos = bornNanos;
    private long secondsNanos = bornNanos;
    private boolean pinged;
    private boolean pingHolds;
    private long pongDueNanos;
    private long idleNanos = bornNanos;
    private long busyNanos = bornNanos;
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
        io.interest(Connection.READ);
    }

    Http2Session session() {
        return session;
    }

    PeerConfig config() {
        return config;
    }

    PeerLimits limits() {
        return loop.limits();
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
        if (closed || io.isClosed()) {
            close();
        } else if (moved || isOld() || begun >= REQUESTS_MAX) {
            drain();
        } else if (streams.isEmpty() && begun > 0) {
            if (probe) {
                look();
            }
            if (!draining && pool.pings(PeerConfig.Ping.PREPOST) && !isAlive() && !pinged) {
                ping();
            }
        }
        return !closed && !draining;
    }

    private boolean isAlive() {
        return System.nanoTime() - receivedNanos < ALIVE_NANOS;
    }

    private boolean isOld() {
        Duration lifetime = config.pool().lifetime();
        return !lifetime.isZero() && System.nanoTime() - bornNanos > lifetime.toNanos();
    }

    /// Whether it idles and has carried requests: the peer may have closed it meanwhile.
    boolean isStale() {
        return streams.isEmpty() && begun > 0;
    }

    /// Whether the peer has said what it takes.
    boolean isSettled() {
        return settled;
    }

    /// Whether it is known how many requests it can carry.
    boolean isReady() {
        return settled && !pingHolds;
    }

    int requests() {
        return streams.size();
    }

    /// Whether it carries another request now. Until the peer has said how many it allows, it is
    /// given one.
    boolean hasRoom() {
        if (closed || draining || pingHolds || outputRoom() <= 0) {
            return false;
        }
        int allowed = settled ? Math.min(session.peerStreamsMax(), streamsMax()) : 1;
        return Math.max(streams.size(), session.slots()) < allowed;
    }

    private int streamsMax() {
        return config.pool().reuse() ? loop.limits().http2().streamsMax() : 1;
    }

    void give(Acquirer acquirer) {
        Http2PeerStream stream = new Http2PeerStream(this, begun > 0);
        if (!config.pool().reuse()) {
            drainAfter();
        }
        acquirer.acquired(stream);
    }

    private void drainAfter() {
        draining = true;
        pool.forget(this);
    }

    /// Takes no further requests, and closes when those that it has are over.
    void drain() {
        drainAfter();
        if (streams.isEmpty()) {
            close();
        }
    }

    /// Asks for a sign of life; until it comes there are no further requests.
    void ping() {
        pingHolds = true;
        sendPing(config.timeouts().ping());
    }

    private void sendPing(Duration patience) {
        pinged = true;
        pongDueNanos = System.nanoTime() + patience.toNanos();
        session.ping();
        wake();
        deadlineBy(pongDueNanos);
    }

    // What requests tell

    void begun(Http2PeerStream stream) {
        begun++;
        streams.add(stream);
        if (streams.size() == 1) {
            busyNanos = System.nanoTime();
            deadlineBy(nextDeadline());
        }
    }

    void answered() {
        cancelled = Math.max(0, cancelled - 1);
    }

    void cancelled() {
        if (++cancelled > CANCELLED_MAX && !draining) {
            drainAfter();
        }
    }

    /// A request is over, in whichever way.
    void ended(Http2PeerStream stream) {
        boolean _ = streams.remove(stream);
        boolean _ = touched.remove(stream);
        if (streams.isEmpty()) {
            idleNanos = System.nanoTime();
            if (draining) {
                later(this::closeIfUnused);
            }
            deadlineBy(nextDeadline());
        }
        pool.requestEnded();
    }

    private void closeIfUnused() {
        if (streams.isEmpty()) {
            close();
        }
    }

    /// Runs a task on the loop, after what runs now.
    void later(Runnable task) {
        loop.dialer().execute(task);
    }

    // Sending

    /// Octets that the session has put so far.
    long put() {
        return written + pendingTo - pendingFrom + session.output().size();
    }

    /// Octets that the operating system has taken so far.
    long written() {
        return written;
    }

    /// Content that may be put before the peer takes what there is.
    int outputRoom() {
        int waits = pendingTo - pendingFrom + session.output().size();
        return closed ? 0 : loop.limits().contentPieceBytes() - waits;
    }

    /// Sends what was put, once this turn of the loop has put all of it.
    void wake() {
        if (!writeDue && !closed) {
            writeDue = true;
            io.execute(writeTask);
        }
    }

    private void writeNow() {
        writeDue = false;
        if (closed || blocked) {
            return;
        }
        try {
            write();
            giveRoom();
        } catch (IOException e) {
            broke(e);
        }
    }

    private void write() throws IOException {
        while (pendingFrom < pendingTo || next()) {
            int count = io.write(pending, pendingFrom, pendingTo - pendingFrom);
            pendingFrom += count;
            written += count;
            if (pendingFrom < pendingTo) {
                if (!blocked || count > 0) {
                    blockedNanos = System.nanoTime();
                }
                blocked(true);
                deadlineBy(nextDeadline());
                return;
            }
        }
        blocked(false);
    }

    private boolean next() {
        Http2Buffer output = session.output();
        int size = output.size();
        pendingFrom = 0;
        pendingTo = size;
        if (size > 0) {
            pending = output.exchange(pending);
        }
        return size > 0;
    }

    private void blocked(boolean now) {
        if (blocked != now) {
            blocked = now;
            io.interest(Connection.READ | (now ? Connection.WRITE : 0));
        }
    }

    @Override
    public void onWritable() {
        if (closed) {
            return;
        }
        blocked(false);
        writeNow();
    }

    /// Has requests whose content waited for room go on, another one first each time.
    private void giveRoom() {
        if (streams.isEmpty() || outputRoom() <= 0) {
            return;
        }
        List<Http2PeerStream> all = List.copyOf(streams);
        roomTurn = (roomTurn + 1) % all.size();
        for (int i = 0; i < all.size() && !closed; i++) {
            all.get((roomTurn + i) % all.size()).roomCame();
        }
    }

    // Receiving

    @Override
    public void onReadable() {
        if (closed) {
            return;
        }
        try {
            receive(loop.input());
        } catch (IOException e) {
            broke(e);
        }
        if (!closed) {
            writeNow();
        }
    }

    /// Looks at what has come while it idled; it may have been closed.
    private void look() {
        try {
            boolean more = true;
            while (more && !closed) {
                more = receive(new byte[heldLength + LOOK_BYTES]);
            }
        } catch (IOException e) {
            close();
        }
    }

    private boolean receive(byte[] buffer) throws IOException {
        int kept = heldLength;
        System.arraycopy(held, 0, buffer, 0, kept);
        int count = io.read(buffer, kept, buffer.length - kept);
        if (count < 0) {
            failAll(Outcome.BROKEN, "the peer closed the connection");
            return false;
        }
        if (count > 0) {
            heldLength = 0;
            alive();
            process(buffer, kept + count);
        }
        return count > 0;
    }

    private void alive() {
        receivedNanos = System.nanoTime();
        pinged = false;
        if (pingHolds) {
            pingHolds = false;
            feedLater();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(receivedNanos - secondsNanos);
        if (seconds > 0) {
            secondsNanos += TimeUnit.SECONDS.toNanos(seconds);
            session.seconds((int) Math.min(seconds, 3_600));
        }
    }

    private void feedLater() {
        if (pool.isAwaited()) {
            later(pool::feed);
        }
    }

    private void process(byte[] buffer, int to) {
        int from = 0;
        boolean room = false;
        while (!closed) {
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
                    hold(buffer, from, to);
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
        int from = session.dataFrom();
        int length = session.dataTo() - from;
        if (owner == null) {
            return;
        }
        if (!owner.equals(gathered)) {
            Http2Stream stream = session.stream();
            boolean ends = stream != null && stream.isInputEnded();
            passOn(buffer);
            gathered = owner;
            gatheredFrom = from;
            gatheredTo = from + length;
            if (ends) {
                finish(buffer);
            }
            return;
        }
        if (gatheredTo != from) {
            System.arraycopy(buffer, from, buffer, gatheredTo, length);
        }
        gatheredTo += length;
        Http2Stream stream = session.stream();
        if (stream != null && stream.isInputEnded()) {
            finish(buffer);
        }
    }

    private void finish(byte[] buffer) {
        Http2PeerStream owner = gathered;
        gathered = null;
        if (owner != null) {
            owner.end(buffer, gatheredFrom, gatheredTo, Fields.EMPTY);
        }
    }

    private void passOn(byte[] buffer) {
        Http2PeerStream owner = gathered;
        gathered = null;
        if (owner != null) {
            owner.received(buffer, gatheredFrom, gatheredTo);
            touched.add(owner);
        }
    }

    private @Nullable Http2PeerStream owner() {
        Http2Stream stream = session.stream();
        return stream == null ? null : (Http2PeerStream) stream.owner();
    }

    private void hold(byte[] buffer, int from, int to) {
        heldLength = to - from;
        held = heldLength == 0 ? NOTHING : Arrays.copyOfRange(buffer, from, to);
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
        drainAfter();
        int last = session.lastKnownId();
        for (Http2PeerStream each : List.copyOf(streams)) {
            if (each.isBeyond(last)) {
                each.passedBy();
            }
        }
        if (streams.isEmpty()) {
            close();
        } else {
            feedLater();
        }
    }

    private void sessionFailed() {
        ProtocolError why = session.refusal();
        failAll(Outcome.BROKEN, why == null ? "the connection failed" : why.text());
    }

    // Deadlines

    /// Something is due by then.
    void deadlineBy(long nanoTime) {
        if (nanoTime == Connection.NEVER || closed) {
            return;
        }
        if (deadlineNanos == Connection.NEVER || nanoTime - deadlineNanos < 0) {
            deadlineNanos = nanoTime;
            io.deadline(nanoTime);
        }
    }

    private long nextDeadline() {
        long next = Connection.NEVER;
        if (blocked) {
            next = earlier(next, after(blockedNanos, config.timeouts().io()));
        }
        if (pinged && !blocked) {
            next = earlier(next, pongDueNanos);
        } else if (!streams.isEmpty()) {
            next = blocked ? next : earlier(next, after(quietSince(), silence()));
        } else if (pool.pings(PeerConfig.Ping.INTERVAL)) {
            next = earlier(next, receivedNanos + loop.pingIntervalNanos(pool.peer()));
        }
        if (streams.isEmpty()) {
            next = earlier(next, after(idleNanos, config.pool().idle()));
        }
        for (Http2PeerStream each : streams) {
            next = earlier(next, each.deadlineNanos);
        }
        return next;
    }

    private Duration silence() {
        return loop.limits().silence();
    }

    /// Since when requests have been waiting for anything to come.
    private long quietSince() {
        return receivedNanos - busyNanos > 0 ? receivedNanos : busyNanos;
    }

    private static long after(long nanoTime, Duration time) {
        return time.isZero() ? Connection.NEVER : nanoTime + time.toNanos();
    }

    private static long earlier(long one, long other) {
        if (one == Connection.NEVER || other == Connection.NEVER) {
            return one == Connection.NEVER ? other : one;
        }
        return one - other < 0 ? one : other;
    }

    private static boolean isPast(long due, long now) {
        return due != Connection.NEVER && due - now <= 0;
    }

    @Override
    public void onDeadline() {
        deadlineNanos = Connection.NEVER;
        if (closed) {
            return;
        }
        long now = System.nanoTime();
        for (Http2PeerStream each : List.copyOf(streams)) {
            if (isPast(each.deadlineNanos, now)) {
                each.expire();
            }
        }
        if (pinged && !blocked && isPast(pongDueNanos, now)) {
            lost();
        } else if (blocked && isPast(after(blockedNanos, config.timeouts().io()), now)) {
            failAll(Outcome.BROKEN, "the peer does not take the request");
        } else if (streams.isEmpty()) {
            idle(now);
        } else if (!pinged && !blocked && isPast(after(quietSince(), silence()), now)) {
            sendPing(silence());
        }
        deadlineBy(nextDeadline());
    }

    private void idle(long now) {
        boolean pings = pool.pings(PeerConfig.Ping.INTERVAL);
        if (pings && isPast(receivedNanos + loop.pingIntervalNanos(pool.peer()), now)) {
            if (!pinged) {
                ping();
            }
        } else if (isPast(after(idleNanos, config.pool().idle()), now)) {
            if (pings || !pool.mayClose()) {
                idleNanos = now;
            } else {
                close();
            }
        }
    }

    /// A ping was not answered.
    private void lost() {
        boolean fresh = begun == 0;
        List<Http2PeerStream> all = List.copyOf(streams);
        close();
        for (Http2PeerStream each : all) {
            each.lost("the peer does not answer a ping");
        }
        if (fresh) {
            pool.refuseAll(Outcome.PING_FAILED, "the peer does not answer a ping");
        }
    }

    // The end

    @Override
    public void onClosed() {
        failAll(Outcome.BROKEN, "the connection was closed");
        pool.closed();
    }

    private void broke(IOException e) {
        failAll(Outcome.BROKEN, "the connection broke: " + e.getMessage());
    }

    private void failAll(Outcome outcome, String why) {
        List<Http2PeerStream> all = List.copyOf(streams);
        close();
        for (Http2PeerStream each : all) {
            each.fail(outcome, why);
        }
    }

    /// Closes the connection and leaves the pool; what is still to be sent, GOAWAY among it, is
    /// sent as far as the peer takes it now.
    void close() {
        if (closed) {
            return;
        }
        pool.forget(this);
        if (settled && !blocked && !io.isClosed()) {
            session.goAway(0, Http2.NO_ERROR);
            try {
                write();
            } catch (IOException e) {
                blocked = true; // nothing more is sent
            }
        }
        closed = true;
        draining = true;
        held = NOTHING;
        heldLength = 0;
        pending = NOTHING;
        pendingFrom = 0;
        pendingTo = 0;
        gathered = null;
        touched.clear();
        io.close();
    }
}
