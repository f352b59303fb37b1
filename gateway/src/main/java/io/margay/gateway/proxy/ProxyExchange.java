package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.peer.ConnectionWaiter;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.gateway.peer.ResponseListener;
import io.margay.gateway.retry.RetryRule;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.UndecidedException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One request on its way through the gateway: peers are tried until one responds, content streams
/// both ways. Confined to the loop that carries it.
///
/// ```
/// COLLECTING --> CONNECTING --acquired--> SENDING --head--> RESPONDING --end--> OVER
///                    ^                       |   \--101--> SWITCHED ----end-----^
///                    +---- RetryRule --------+---------> 502, 503, 504, abort --^
/// ```
///
/// Back-pressure: content is taken from the client when the peer has taken what came before, and
/// the response is read when the client has. Nothing here grows with the length of a message.
final class ProxyExchange implements ConnectionWaiter, ResponseListener {
    private enum Phase {
        /// The whole content is taken before a peer is chosen.
        COLLECTING,
        /// A peer, a connection to it, or the time for another attempt is waited for.
        CONNECTING,
        /// A peer has the request, or is getting it.
        SENDING,
        /// The head of its response has come.
        RESPONDING,
        /// Both sides speak another protocol now.
        SWITCHED,
        OVER
    }

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private static final ProtocolError SLOW_CLIENT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the content did not arrive in time");

    private final Exchange exchange;
    private final LoopConnections loop;
    private final PeerRequests requests;
    private final ProxyTarget target;
    private final RequestHead head;
    private final ProxyRules rules;
    private final RequestContent content;
    private final ResponseRelay relay;
    private final boolean upgrading;

    private PeerAttempts attempts;
    private Phase phase = Phase.CONNECTING;

    /// Where a second peer may be asked beside the first one.
    private @Nullable Hedge hedge;

    /// While a peer is at work on the request.
    private @Nullable PeerExchange channel;

    /// Whether the client is waited for.
    private boolean awaitsInput;

    ProxyExchange(
            Exchange exchange, LoopConnections loop, PeerRequests requests, ProxyTarget target) {
        this.exchange = exchange;
        this.loop = loop;
        this.requests = requests;
        this.target = target;
        head = exchange.request();
        rules = target.rules();
        attempts = new PeerAttempts(exchange, target);
        relay = new ResponseRelay(exchange, loop.limits().heldResponseBytesMax(), loop.memory());
        upgrading = WebSocketUpgrade.isAsked(exchange, rules);
        content = RequestContent.of(exchange, upgrading, rules, loop);
    }

    void begin() {
        exchange.onEnd(this::downstreamEnded);
        int refusal = upgrading ? WebSocketUpgrade.refusal(head, target.upstream()) : 0;
        if (refusal != 0) {
            giveUp(refusal, WebSocketUpgrade.text(refusal));
        } else if (attempts.came()) {
            giveUp(502, "Servers behind this gateway have failed on this request.");
        } else if (head.contentLength() == RequestHead.UNKNOWN_LENGTH && target.needsLength()) {
            phase = Phase.COLLECTING;
            collect();
        } else {
            hedge = upgrading ? null : Hedge.of(this, exchange, requests, target, loop);
            choose();
        }
    }

    /// Takes the whole content before a peer is chosen.
    private void collect() {
        try {
            if (content.collect(exchange, loop.content())) {
                awaitInput();
                return;
            }
        } catch (IOException e) {
            clientFailed(e);
            return;
        }
        if (content.isRepeatable()) {
            choose();
        } else if (content.isWithoutMemory()) {
            giveUp(503, FailureResponse.text(Outcome.NO_MEMORY));
        } else {
            giveUp(411, "Content of this size needs a Content-Length here.");
        }
    }

    // Which peer

    private void choose() {
        phase = Phase.CONNECTING;
        Peer chosen = attempts.choose();
        if (chosen != null) {
            acquire(chosen, false);
        } else if (!nextRound()) {
            giveUp(attempts.statusOfNone(), "No server can take the request.");
        }
    }

    private void acquire(Peer on, boolean fresh) {
        boolean probe = !RetryRule.isIdempotent(head.method()) || !content.isRepeatable();
        ConnectionWaiter waiter = hedge == null ? this : hedge.first();
        PeerExchange found = loop.pool(on).acquire(waiter, fresh, probe);
        if (found != null) {
            acquired(found);
        }
    }

    @Override
    public boolean waits() {
        return phase == Phase.CONNECTING;
    }

    @Override
    public void acquired(PeerExchange found) {
        if (phase != Phase.CONNECTING || !attempts.isUnderWay()) {
            found.cancel();
            return;
        }
        Peer peer = attempts.connected();
        content.begin();
        boolean ping = peer.config().asksForContinue() && content.isAny() && !upgrading;
        boolean expect = ContinueWait.isWanted(exchange, peer, content, ping);
        phase = Phase.SENDING;
        channel = found;
        try {
            found.begin(
                    requests.of(exchange, loop, target, peer, content.length(), expect, upgrading),
                    this);
        } catch (IllegalArgumentException | UndecidedException e) {
            cannotBeSent(e);
            return;
        }
        if (expect) {
            ContinueWait.begin(this, found, content, loop, ping);
        }
        pump();
    }

    private void cannotBeSent(RuntimeException cause) {
        LOG.log(Level.DEBUG, "a request cannot be sent to a member", cause);
        dropChannel();
        ended(Outcome.CLIENT_FAILED);
        giveUp(FailureResponse.statusOfUnsent(cause), FailureResponse.textOfUnsent(cause));
    }

    void continued() {
        if (phase != Phase.OVER && content.goAhead()) {
            pump();
        }
    }

    // The request's content

    /// Passes on what the client has sent, as long as the peer takes it.
    private void pump() {
        PeerExchange to = channel;
        if (to == null) {
            return;
        }
        try {
            if (content.pass(exchange, to, loop.content())) {
                awaitInput();
            }
        } catch (IOException e) {
            clientFailed(e);
            return;
        }
        to.flush();
    }

    private void awaitInput() {
        if (!awaitsInput) {
            awaitsInput = true;
            exchange.onReadable(this::inputCame);
        }
    }

    private void inputCame() {
        awaitsInput = false;
        switch (phase) {
            case COLLECTING -> collect();
            case CONNECTING, SENDING, RESPONDING -> pump();
            case SWITCHED -> pumpRaw();
            case OVER -> {}
        }
    }

    @Override
    public void room() {
        if (phase == Phase.SWITCHED) {
            pumpRaw();
        } else if (!awaitsInput || content.isBehind()) {
            pump();
        }
    }

    // The response

    @Override
    public void interim(ResponseHead interim) {
        if (interim.status() == 100) {
            continued();
            return;
        }
        FieldList list = new FieldList();
        ResponseFields.put(interim, exchange, attempts.peer(), rules, list);
        try {
            exchange.interim(interim.status(), list);
        } catch (IOException | IllegalStateException e) {
            clientFailed(e);
        }
    }

    @Override
    public void head(ResponseHead response) {
        int status = response.status();
        Peer peer = attempts.answered(content.passedNanos(), response);
        Outcome failure = failure(peer, response);
        if (failure != null && secondGoesOn(failure)) {
            return;
        }
        stopHedge(!Outcome.hasFailed(status));
        if (failure == Outcome.DECLINED) {
            dropChannel();
            phase = Phase.CONNECTING;
            retry(Outcome.DECLINED, true, true);
        } else if (failure != null) {
            replace(failure, 503);
        } else if (rules.overrides(status)) {
            replace(Outcome.OK, status);
        } else if (status == 101) {
            switchProtocols(response);
        } else {
            phase = Phase.RESPONDING;
            FieldList list = relay.fields(status);
            ResponseFields.put(response, exchange, peer, rules, list);
            if (!attempts.isSticky()) {
                StickyCookie.add(list, peer, rules.selection());
            }
            relay.head(response, RetryRule.isIdempotent(head.method()) && content.isRepeatable());
        }
    }

    /// What a response says of the peer, where it does not go to the client as it is; else null. A
    /// peer that has not run the request, for it cannot look up the session now, is left for
    /// another.
    @Nullable Outcome failure(Peer peer, ResponseHead response) {
        boolean another = response.status() == 503 && mayRetry(true, true) && attempts.hasMore();
        return FailureResponse.outcome(response, peer.config(), rules, another);
    }

    /// The gateway's own page takes the place of the response.
    private void replace(Outcome outcome, int status) {
        dropChannel();
        ended(outcome);
        giveUp(status, "");
    }

    @Override
    public void content(byte[] bytes, int from, int to) {
        try {
            relay.content(bytes, from, to);
            if (relay.isHeldOpen()) {
                relay.releaseSoon(loop, this::release);
            }
            pauseUnlessTaken();
        } catch (IOException | IllegalStateException e) {
            clientFailed(e);
        }
    }

    private void release() {
        if (phase != Phase.OVER && relay.isHeldOpen()) {
            try {
                relay.release();
                pauseUnlessTaken();
            } catch (IOException | IllegalStateException e) {
                clientFailed(e);
            }
        }
    }

    /// Has the peer wait until the client takes more.
    private void pauseUnlessTaken() {
        if (!exchange.writable() && channel != null) {
            channel.pause();
            exchange.onWritable(this::clientTook);
        }
    }

    private void clientTook() {
        if (phase != Phase.OVER && channel != null) {
            channel.resume();
        }
    }

    @Override
    public void end(byte[] bytes, int from, int to, Fields trailers) {
        channel = null;
        over();
        try {
            relay.end(bytes, from, to, trailers);
            ended(Outcome.OK);
        } catch (IOException | IllegalStateException e) {
            ended(Outcome.CLIENT_FAILED);
            exchange.abort();
        }
    }

    // WebSocket

    private void switchProtocols(ResponseHead response) {
        String upgrade = response.field("upgrade");
        if (upgrade == null || !upgrade.equalsIgnoreCase("websocket")) {
            if (channel != null) {
                channel.cancel();
            }
            failed(Outcome.BROKEN, "the member switches to another protocol");
            return;
        }
        try {
            FieldList list = exchange.fields();
            ResponseFields.put(response, exchange, attempts.peer(), rules, list);
            list.add("Upgrade", "websocket");
            relay.upgrade();
            phase = Phase.SWITCHED;
            pumpRaw();
        } catch (IOException e) {
            clientFailed(e);
        }
    }

    /// Passes on what the client sends after the switch of protocols.
    private void pumpRaw() {
        PeerExchange to = channel;
        if (to == null || awaitsInput) {
            return;
        }
        try {
            if (content.passRaw(exchange, to, loop.content())) {
                awaitInput();
            }
        } catch (IOException e) {
            clientFailed(e);
        }
    }

    // A second peer beside the first one

    /// Those of the response that the client gets.
    PeerAttempts attempts() {
        return attempts;
    }

    /// Whether a response is waited for.
    boolean isWaiting() {
        return phase == Phase.CONNECTING || phase == Phase.SENDING;
    }

    /// Whether the request has been sent on this connection, and no response has come.
    boolean isSentOn(PeerExchange connection) {
        return phase == Phase.SENDING && connection.equals(channel);
    }

    /// Leaves the request to the second peer where that is at work.
    ///
    /// @param ended how the attempt on the first one has ended
    boolean secondGoesOn(Outcome ended) {
        Hedge known = hedge;
        if (known == null || !known.isUnderWay()) {
            return false;
        }
        dropChannel();
        attempts.giveUpPeer();
        ended(ended);
        attempts = known.adopt();
        attempts.takePlace();
        channel = known.channel();
        phase = channel == null ? Phase.CONNECTING : Phase.SENDING;
        return true;
    }

    private void stopHedge(boolean answered) {
        Hedge known = hedge;
        if (known != null) {
            known.stop(answered);
        }
    }

    // Failure

    @Override
    public void unavailable(Outcome outcome, String why) {
        if (phase != Phase.OVER) {
            LOG.log(Level.DEBUG, () -> attempts.peer().config().name() + ": " + why);
            if (attempts.hasReconnected()) {
                attempts.lost(outcome, loop, true);
            }
            retry(outcome, false, false);
        }
    }

    @Override
    public void failed(Outcome outcome, String why) {
        PeerExchange was = channel;
        channel = null;
        if (phase == Phase.OVER || was == null) {
            return;
        }
        LOG.log(Level.DEBUG, () -> attempts.peer().config().name() + ": " + why);
        boolean slowClient = outcome == Outcome.BROKEN && content.isClientSlow();
        if (relay.isCommitted()) {
            breakOff(slowClient ? Outcome.CLIENT_FAILED : outcome);
            return;
        }
        if (slowClient) {
            clientFailed(new RequestBodyException(SLOW_CLIENT));
            return;
        }
        boolean headCame = phase == Phase.RESPONDING;
        boolean sent = was.sent() && outcome != Outcome.PING_FAILED;
        phase = Phase.CONNECTING;
        if (attempts.mayReconnect(outcome, was) && mayRetry(sent, false)) {
            acquire(attempts.peer(), true);
            return;
        }
        if (sent) {
            boolean unanswered = !headCame && !was.answered();
            attempts.lost(outcome, loop, unanswered && mayRetry(true, false));
        }
        retry(outcome, sent, headCame);
    }

    /// The client has seen a part of the response, and will see that it is not whole.
    private void breakOff(Outcome outcome) {
        boolean switched = phase == Phase.SWITCHED;
        over();
        relay.drop();
        ended(outcome);
        if (switched) {
            relay.endRaw();
        } else {
            exchange.abort();
        }
    }

    private boolean mayRetry(boolean sent, boolean headCame) {
        return RetryRule.allows(
                head.method(),
                attempts.peer().config().failures(),
                sent,
                headCame,
                content.isRepeatable());
    }

    private void retry(Outcome outcome, boolean sent, boolean headCame) {
        if (!headCame && secondGoesOn(outcome)) {
            return;
        }
        stopHedge(false);
        if (attempts.awaitsCasualties(whileConnecting(() -> retry(outcome, sent, headCame)))) {
            return;
        }
        boolean may =
                mayRetry(sent, headCame)
                        && outcome != Outcome.NO_MEMORY
                        && attempts.mayGoOn(outcome);
        relay.reset();
        if (may && attempts.trySameAgain(outcome)) {
            Peer same = attempts.peer();
            Duration pause = same.config().failures().retryInterval();
            after(pause.toNanos(), () -> acquire(same, true));
            return;
        }
        attempts.giveUpPeer();
        ended(outcome);
        if (may && attempts.hasMore()) {
            choose();
        } else if (!may || !nextRound()) {
            Outcome shown = attempts.shown(outcome);
            giveUp(attempts.status(shown), FailureResponse.text(shown));
        }
    }

    /// Goes through the peers once more after a pause, where that is wanted.
    private boolean nextRound() {
        long pause = attempts.nextRound(loop.nanoTime());
        if (pause >= 0) {
            after(pause, this::choose);
        }
        return pause >= 0;
    }

    private void after(long nanos, Runnable next) {
        loop.dialer().timer(whileConnecting(next)).at(loop.nanoTime() + nanos);
    }

    private Runnable whileConnecting(Runnable next) {
        return () -> {
            if (phase == Phase.CONNECTING) {
                next.run();
            }
        };
    }

    /// Responds in the place of the peers.
    private void giveUp(int status, String text) {
        over();
        try {
            relay.respond(status, text);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the client is gone", e);
        }
    }

    /// The client broke its request off, or does not take the response.
    private void clientFailed(Exception cause) {
        if (phase == Phase.OVER) {
            return;
        }
        over();
        LOG.log(Level.DEBUG, "the client failed", cause);
        dropChannel();
        ended(Outcome.CLIENT_FAILED);
        relay.clientFailed(cause);
    }

    /// The exchange is over, in whichever way.
    private void downstreamEnded() {
        if (phase == Phase.OVER) {
            return;
        }
        if (!loop.dialer().inLoop()) {
            loop.dialer().execute(this::downstreamEnded);
            return;
        }
        over();
        relay.drop();
        dropChannel();
        ended(Outcome.CLIENT_FAILED);
    }

    private void over() {
        phase = Phase.OVER;
        stopHedge(false);
        content.drop();
    }

    private void dropChannel() {
        PeerExchange was = channel;
        channel = null;
        if (was != null) {
            was.cancel();
        }
    }

    private void ended(Outcome outcome) {
        attempts.end(outcome, content.sent(), relay.received());
    }
}
