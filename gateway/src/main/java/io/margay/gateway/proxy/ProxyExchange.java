package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Selection;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.Acquirer;
import io.margay.gateway.peer.LargeHeadException;
import io.margay.gateway.peer.LoopPeers;
import io.margay.gateway.peer.PeerAnswer;
import io.margay.gateway.peer.PeerExchange;
import io.margay.gateway.peer.PeerRequest;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.RequestBodyException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request on its way through the gateway: peers are tried until one answers, content streams
/// both ways. Confined to the loop that carries it.
///
/// ```
/// choose peer -> wait for a connection -> send, and pass content on -> head -> content -> end
///      ^                  |                          |                  |
///      +--- RetryRule ----+--------------------------+------------------+--> 502, 503, 504, abort
/// ```
///
/// Back-pressure: content is taken from the client when the peer has taken what came before, and
/// the answer is read when the client has. Nothing here grows with the length of a message.
final class ProxyExchange implements Acquirer, PeerAnswer {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private static final ProtocolError SLOW_CLIENT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the content did not arrive in time");

    /// Connections of one peer that end, one after the other, before they come to a request.
    private static final int PASSED_BY_MAX = 8;

    private final Exchange exchange;
    private final LoopPeers loop;
    private final RequestFields fields;
    private final ProxyTarget target;
    private final RequestHead head;
    private final ProxyRules rules;
    private final RequestContent content;
    private final AnswerRelay relay;
    private List<Peer> tried = List.of();

    private @Nullable Peer peer;
    private @Nullable PeerExchange channel;
    private boolean sticky;
    private final Rounds rounds = new Rounds();
    private int attempts;
    private int attemptsOnPeer;
    private boolean freshTried;
    private int timesPassedBy;

    private boolean over;
    private boolean awaitsInput;
    private boolean awaitsContinue;
    private boolean collecting;
    private boolean upgrading;
    private boolean answering;
    private boolean releases;

    ProxyExchange(Exchange exchange, LoopPeers loop, RequestFields fields, ProxyTarget target) {
        this.exchange = exchange;
        this.loop = loop;
        this.fields = fields;
        this.target = target;
        head = exchange.request();
        rules = target.rules();
        relay = new AnswerRelay(exchange, loop.limits().heldAnswerBytesMax());
        upgrading = WebSocketUpgrade.isAsked(exchange, rules);
        content = RequestContent.of(exchange, upgrading, rules, loop.limits());
    }

    void begin() {
        exchange.onEnd(this::downstreamEnded);
        collecting =
                head.contentLength() == RequestHead.UNKNOWN_LENGTH
                        && needsLength(target.upstream());
        int refusal = upgrading ? WebSocketUpgrade.refusal(head, target.upstream()) : 0;
        if (refusal != 0) {
            giveUp(refusal, WebSocketUpgrade.text(refusal));
        } else if (collecting) {
            collect();
        } else {
            choose();
        }
    }

    /// A CGI program reads as much as it was told, so that it must be told.
    private static boolean needsLength(Upstream upstream) {
        for (Peer each : upstream.peers()) {
            if (each.config().address().scheme() == PeerScheme.FCGI) {
                return true;
            }
        }
        return false;
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
        collecting = false;
        if (content.isRepeatable()) {
            choose();
        } else {
            giveUp(411, "Content of this size needs a Content-Length here.");
        }
    }

    // Which peer

    private void choose() {
        Upstream upstream = target.upstream();
        Selection selection = selection(upstream.config());
        Upstream.Choice choice = upstream.choose(selection);
        if (choice == null) {
            choice = lastResort(upstream, selection);
        }
        if (choice == null) {
            if (!nextRound()) {
                giveUp(503, "No server can take the request.");
            }
            return;
        }
        peer = choice.peer();
        sticky = choice.sticky();
        attempts++;
        attemptsOnPeer = 1;
        freshTried = false;
        String name = choice.peer().config().name();
        exchange.notes().relay(new Relay(upstream.config().name(), name, choice.sticky()));
        choice.peer().begin();
        acquire(choice.peer(), false);
    }

    /// A peer that its checks have taken out, when there is no other: it may be back already, and
    /// the client has nothing to lose.
    private static Upstream.@Nullable Choice lastResort(Upstream upstream, Selection selection) {
        UpstreamConfig config = upstream.config();
        if (!config.forceRecovery() || config.dialect() != BalanceDialect.MOD_JK) {
            return null;
        }
        for (Peer each : upstream.peers()) {
            if (!each.healthy()
                    && selection.activation(each) == Activation.ACTIVE
                    && !selection.tried().contains(each)) {
                return new Upstream.Choice(each, false);
            }
        }
        return null;
    }

    private Selection selection(UpstreamConfig config) {
        ProxyRules.SelectionRules selection = rules.selection();
        List<String> sessions = Sessions.of(exchange, config.sticky(), selection);
        if (sessions.isEmpty() && tried.isEmpty() && selection.equals(NO_RULES)) {
            return Selection.FIRST;
        }
        return new Selection(
                sessions,
                tried,
                selection.stateless(),
                selection.ignoreSessions(),
                null,
                selection.activations());
    }

    private static final ProxyRules.SelectionRules NO_RULES = ProxyRules.SelectionRules.NONE;

    private void acquire(Peer on, boolean fresh) {
        boolean probe = !RetryRule.isIdempotent(head.method()) || !content.isRepeatable();
        loop.acquire(on, this, fresh, probe);
    }

    @Override
    public boolean wanted() {
        return !over && channel == null;
    }

    @Override
    public void acquired(PeerExchange found) {
        if (over || peer == null) {
            found.cancel();
            return;
        }
        channel = found;
        content.begin();
        PeerScheme scheme = peer.config().address().scheme();
        boolean expect =
                scheme.isHttp()
                        && head.expectContinue()
                        && !exchange.inputEnded()
                        && content.isUntouched();
        try {
            found.begin(request(peer, expect), this);
        } catch (IllegalArgumentException e) {
            LOG.log(Level.DEBUG, "a request cannot be sent to a peer", e);
            found.cancel();
            channel = null;
            ended(Outcome.CLIENT_FAILED);
            if (e instanceof LargeHeadException) {
                giveUp(431, "The head is larger than the server behind this gateway takes.");
            } else {
                giveUp(502, "The request cannot be passed on.");
            }
            return;
        }
        awaitsContinue = expect;
        if (expect) {
            continueAfter(loop.limits().continueWait());
        }
        pump();
    }

    /// A peer that does not know the expectation gets the content all the same (RFC 9110 §10.1.1).
    private void continueAfter(Duration patience) {
        loop.dialer()
                .timer(() -> {
                    if (awaitsContinue && !over) {
                        awaitsContinue = false;
                        pump();
                    }
                })
                .at(System.nanoTime() + patience.toNanos());
    }

    private PeerRequest request(Peer on, boolean expect) {
        PeerConfig config = on.config();
        PeerScheme scheme = config.address().scheme();
        boolean upgrade = upgrading && scheme.isHttp();
        Duration reply = rules.replyTimeout();
        return new PeerRequest(
                exchange,
                config,
                head.method(),
                config.path().isEmpty() ? target.target() : config.path() + target.target(),
                fields.of(exchange, loop, config, rules, expect, upgrade),
                contentLength(config),
                expect,
                upgrade,
                reply == null ? config.timeouts().reply() : reply,
                scheme.isHttp() ? Map.of() : attributes(on));
    }

    private long contentLength(PeerConfig config) {
        long declared = head.contentLength();
        boolean collected =
                declared == RequestHead.UNKNOWN_LENGTH
                        && config.address().scheme() == PeerScheme.FCGI;
        return collected ? content.length() : declared;
    }

    private Map<String, String> attributes(Peer on) {
        Map<String, String> byRule = rules.attributes();
        Activation ruled = rules.selection().activations().get(on.config().name());
        Activation activation = ruled == null ? on.activation() : ruled;
        if (byRule.isEmpty()) {
            return Map.of("JK_LB_ACTIVATION", activation.code());
        }
        Map<String, String> attributes = new HashMap<>(byRule);
        attributes.put("JK_LB_ACTIVATION", activation.code());
        return attributes;
    }

    // The request's content

    /// Passes on what the client has sent, as long as the peer takes it.
    private void pump() {
        PeerExchange to = channel;
        if (to == null) {
            return;
        }
        try {
            if (!awaitsContinue && content.pass(exchange, to, loop.content())) {
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
        if (over) {
            return;
        }
        if (collecting) {
            collect();
        } else if (relay.isRaw()) {
            pumpRaw();
        } else {
            pump();
        }
    }

    @Override
    public void room() {
        PeerExchange to = channel;
        if (to == null || over) {
            return;
        }
        if (relay.isRaw()) {
            pumpRaw();
        } else if (!awaitsInput || content.isBehind()) {
            pump();
        }
    }

    // The answer

    @Override
    public void interim(ResponseHead interim) {
        if (interim.status() == 100) {
            if (awaitsContinue) {
                awaitsContinue = false;
                pump();
            }
            return;
        }
        FieldList list = new FieldList();
        AnswerFields.put(interim, exchange, peer().config(), rules, list);
        try {
            exchange.interim(interim.status(), list);
        } catch (IOException | IllegalStateException e) {
            clientFailed(e);
        }
    }

    @Override
    public void head(ResponseHead answer) {
        PeerConfig config = peer().config();
        PeerConfig.Failures failures = config.failures();
        List<Integer> hard = rules.failStatuses();
        List<Integer> soft = rules.softFailStatuses();
        int status = answer.status();
        if ((hard == null ? failures.failStatuses() : hard).contains(status)) {
            replace(Outcome.BAD_STATUS, 503);
        } else if ((soft == null ? failures.softFailStatuses() : soft).contains(status)) {
            replace(Outcome.SOFT_BAD_STATUS, 503);
        } else if (rules.overrideStatuses() > 0 && status >= rules.overrideStatuses()) {
            replace(Outcome.OK, status);
        } else if (status == 101) {
            switchProtocols(answer);
        } else {
            answering = true;
            FieldList list = relay.fields(status);
            AnswerFields.put(answer, exchange, config, rules, list);
            String cookie = stickyCookie();
            if (cookie != null) {
                list.add("Set-Cookie", cookie);
            }
            relay.head(answer, RetryRule.isIdempotent(head.method()) && content.isRepeatable());
        }
    }

    /// What a client without a session on this peer is told to send from now on, or null.
    private @Nullable String stickyCookie() {
        UpstreamConfig.Sticky config = target.upstream().config().sticky();
        ProxyRules.SelectionRules ruled = rules.selection();
        String name = ruled.setCookie() == null ? config.setCookie() : ruled.setCookie();
        String route = peer().config().share().route();
        if (name == null || name.isEmpty() || sticky || route.isEmpty()) {
            return null;
        }
        String ownPath = ruled.setCookiePath();
        String path = ownPath == null ? config.setCookiePath() : ownPath;
        return name
                + "="
                + config.separator().charAt(0)
                + route
                + ";path="
                + (path == null ? "/" : path);
    }

    /// The gateway's own page takes the place of the answer.
    private void replace(Outcome outcome, int status) {
        dropChannel();
        ended(outcome);
        giveUp(status, "");
    }

    @Override
    public void content(byte[] bytes, int from, int to) {
        try {
            relay.content(bytes, from, to);
            if (relay.holdsOpen()) {
                releaseSoon();
            }
            if (!exchange.writable() && channel != null) {
                channel.pause();
                exchange.onWritable(this::clientTook);
            }
        } catch (IOException | IllegalStateException e) {
            clientFailed(e);
        }
    }

    /// An answer of unknown length is held only for a moment, in which most are complete.
    private void releaseSoon() {
        if (releases) {
            return;
        }
        releases = true;
        loop.dialer()
                .timer(() -> {
                    releases = false;
                    if (!over && relay.holdsOpen()) {
                        release();
                    }
                })
                .at(System.nanoTime() + loop.limits().openAnswerHeld().toNanos());
    }

    private void release() {
        try {
            relay.release();
            if (!exchange.writable() && channel != null) {
                channel.pause();
                exchange.onWritable(this::clientTook);
            }
        } catch (IOException | IllegalStateException e) {
            clientFailed(e);
        }
    }

    private void clientTook() {
        if (!over && channel != null) {
            channel.resume();
        }
    }

    @Override
    public void end(byte[] bytes, int from, int to, Fields trailers) {
        channel = null;
        over = true;
        try {
            relay.end(bytes, from, to, trailers);
            ended(Outcome.OK);
        } catch (IOException | IllegalStateException e) {
            ended(Outcome.CLIENT_FAILED);
            exchange.abort();
        }
    }

    // WebSocket

    private void switchProtocols(ResponseHead answer) {
        String upgrade = answer.field("upgrade");
        if (upgrade == null || !upgrade.equalsIgnoreCase("websocket")) {
            dropChannel();
            failed(Outcome.BROKEN, "the peer switches to another protocol");
            return;
        }
        try {
            FieldList list = exchange.fields();
            AnswerFields.put(answer, exchange, peer().config(), rules, list);
            list.add("Upgrade", "websocket");
            answering = true;
            relay.upgrade();
            pumpRaw();
        } catch (IOException e) {
            clientFailed(e);
        }
    }

    /// Passes on what the client sends after the switch of protocols.
    private void pumpRaw() {
        PeerExchange to = channel;
        if (to == null || over || awaitsInput) {
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

    // Failure

    @Override
    public void unavailable(Outcome outcome, String why) {
        if (!over) {
            LOG.log(Level.DEBUG, () -> peer().config().name() + ": " + why);
            retry(outcome, false, false);
        }
    }

    @Override
    public void failed(Outcome outcome, String why) {
        PeerExchange was = channel;
        channel = null;
        if (over || was == null) {
            return;
        }
        LOG.log(Level.DEBUG, () -> peer().config().name() + ": " + why);
        awaitsContinue = false;
        boolean slowClient = outcome == Outcome.BROKEN && content.isClientSlow();
        if (relay.isCommitted()) {
            over = true;
            ended(slowClient ? Outcome.CLIENT_FAILED : outcome);
            if (relay.isRaw()) {
                relay.endRaw();
            } else {
                exchange.abort();
            }
            return;
        }
        if (slowClient) {
            clientFailed(new RequestBodyException(SLOW_CLIENT));
            return;
        }
        boolean stale = was.reused() && !was.answered();
        boolean ofConnection = outcome == Outcome.BROKEN || outcome == Outcome.BUSY;
        boolean passedBy =
                outcome == Outcome.BROKEN && !was.sent() && ++timesPassedBy < PASSED_BY_MAX;
        if (stale && ofConnection && (!freshTried || passedBy) && mayRetry(was.sent(), false)) {
            // It was closed while it idled, or takes no more: that says nothing of the peer.
            freshTried = true;
            acquire(peer(), true);
            return;
        }
        retry(outcome, was.sent(), answering);
    }

    private boolean mayRetry(boolean sent, boolean answered) {
        return RetryRule.allows(
                head.method(), peer().config().failures(), sent, answered, content.isRepeatable());
    }

    private void retry(Outcome outcome, boolean sent, boolean answered) {
        boolean may = mayRetry(sent, answered);
        PeerConfig.Failures failures = peer().config().failures();
        relay.reset();
        answering = false;
        if (may && attemptsOnPeer < failures.retries() && mayChange(outcome)) {
            attemptsOnPeer++;
            Peer same = peer();
            loop.dialer()
                    .timer(() -> {
                        if (wanted()) {
                            acquire(same, true);
                        }
                    })
                    .at(System.nanoTime() + failures.retryInterval().toNanos());
            return;
        }
        tried = with(tried, peer());
        ended(outcome);
        if (may && attempts < attemptsMax()) {
            choose();
        } else if (!may || !nextRound()) {
            giveUp(status(outcome), text(outcome));
        }
    }

    /// Whether the same peer may do better another time.
    private static boolean mayChange(Outcome outcome) {
        return outcome != Outcome.BUSY && outcome != Outcome.UNSUPPORTED;
    }

    private static List<Peer> with(List<Peer> before, Peer one) {
        List<Peer> list = new ArrayList<>(before);
        list.add(one);
        return list;
    }

    /// Goes through the peers once more after a pause, where that is wanted.
    private boolean nextRound() {
        long now = System.nanoTime();
        long pause = rounds.nextNanos(target.upstream(), tried, now);
        if (pause < 0) {
            return false;
        }
        attempts = 0;
        tried = List.of();
        loop.dialer()
                .timer(() -> {
                    if (!over) {
                        choose();
                    }
                })
                .at(now + pause);
        return true;
    }

    private int attemptsMax() {
        int configured = target.upstream().config().attempts();
        return configured > 0 ? configured : target.upstream().peers().size();
    }

    private static int status(Outcome outcome) {
        return switch (outcome) {
            case REPLY_TIMEOUT -> 504;
            case BROKEN, TLS_FAILED -> 502;
            case CONNECT_FAILED, BUSY, PING_FAILED, BAD_STATUS, SOFT_BAD_STATUS -> 503;
            case UNSUPPORTED -> 501;
            case OK, CLIENT_FAILED -> 500;
        };
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case REPLY_TIMEOUT -> "The server behind this gateway did not answer in time.";
            case BROKEN -> "The server behind this gateway gave no proper answer.";
            case UNSUPPORTED -> "The server behind this gateway takes no WebSocket.";
            case BUSY -> "The servers behind this gateway are busy.";
            case TLS_FAILED -> "TLS with the server behind this gateway failed.";
            case CONNECT_FAILED, PING_FAILED -> "The server behind this gateway is not there.";
            case BAD_STATUS, SOFT_BAD_STATUS, OK, CLIENT_FAILED -> "";
        };
    }

    /// Answers in the place of the peers.
    private void giveUp(int status, String text) {
        over = true;
        try {
            relay.answer(status, text);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the client is gone", e);
        }
    }

    /// The client broke its request off, or does not take the answer.
    private void clientFailed(Exception cause) {
        if (over) {
            return;
        }
        over = true;
        LOG.log(Level.DEBUG, "the client failed", cause);
        dropChannel();
        ended(Outcome.CLIENT_FAILED);
        relay.clientFailed(cause);
    }

    /// The exchange is over, in whichever way.
    private void downstreamEnded() {
        if (over) {
            return;
        }
        if (!loop.dialer().inLoop()) {
            loop.dialer().execute(this::downstreamEnded);
            return;
        }
        over = true;
        dropChannel();
        ended(Outcome.CLIENT_FAILED);
    }

    private void dropChannel() {
        PeerExchange was = channel;
        channel = null;
        if (was != null) {
            was.cancel();
        }
    }

    /// Tells the balancer how the attempt ended, once for each.
    private void ended(Outcome outcome) {
        Peer was = peer;
        peer = null;
        if (was != null) {
            was.end(outcome, content.sent(), relay.received());
        }
    }

    private Peer peer() {
        Peer current = peer;
        if (current == null) {
            throw new IllegalStateException("no peer is being tried");
        }
        return current;
    }
}
