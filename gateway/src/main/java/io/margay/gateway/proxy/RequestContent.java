package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.timing.RequestPhase;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The content of a request on its way from the client to a peer: its end goes with its last piece,
/// and a small one is kept for another attempt. Confined to its exchange's loop, but for the one of
/// requests without content, which does not change.
final class RequestContent {
    private static final RequestContent NONE =
            new RequestContent(
                    RequestReplay.NOTHING,
                    ProxyRules.defaults(),
                    PeerLimits.defaults(),
                    System::nanoTime);

    private final RequestReplay replay;
    private final ProxyRules rules;
    private final PeerLimits limits;
    private final LongSupplier clock;

    /// Whether the peer has been asked for 100 (RFC 9110 §10.1.1) and nothing is passed on yet.
    private boolean heldBack;

    /// Since the client was waited for the first time.
    private @Nullable ContentRate rate;

    /// Taken from the client.
    private long taken;

    /// Passed on to the peer that is being tried.
    private long sent;

    /// When all of it had been passed on to that peer; 0 = it has not.
    private long passedNanos;

    private RequestContent(
            RequestReplay replay, ProxyRules rules, PeerLimits limits, LongSupplier clock) {
        this.rules = rules;
        this.replay = replay;
        this.limits = limits;
        this.clock = clock;
    }

    /// @param upgrading whether the protocol may be switched
    static RequestContent of(
            Exchange exchange, boolean upgrading, ProxyRules rules, LoopConnections loop) {
        PeerLimits limits = loop.limits();
        if (!exchange.inputEnded()) {
            RequestReplay replay = new RequestReplay(limits.replayBytesMax(), loop.memory());
            return new RequestContent(replay, rules, limits, loop.clock());
        }
        return upgrading
                ? new RequestContent(RequestReplay.NOTHING, rules, limits, loop.clock())
                : NONE;
    }

    /// Whether a peer that breaks the request off now may do so because of the client.
    boolean isClientSlow() {
        ContentRate known = rate;
        return !replay.isEnded() && known != null && known.isSlow(clock.getAsLong(), taken);
    }

    /// Whether it could be sent once more.
    boolean isRepeatable() {
        return replay.isComplete();
    }

    /// Whether it could be if there were memory for it.
    boolean isWithoutMemory() {
        return replay.isWithoutMemory();
    }

    /// Whether nothing has been taken from the client.
    boolean isUntouched() {
        return replay.isEmpty();
    }

    /// Whether some that was kept is to be passed on once more.
    boolean isBehind() {
        return replay.remaining() > 0;
    }

    /// Bytes that are kept.
    int length() {
        return replay.length();
    }

    /// When all of it had been passed on to the peer; 0 = it has not, or there is none.
    long passedNanos() {
        return passedNanos;
    }

    /// Bytes that were passed on to the peer.
    long sent() {
        return sent;
    }

    /// Takes what the client has sent, to be passed on when all is there.
    ///
    /// @return whether more is to be waited for
    boolean collect(Exchange exchange, byte[] buffer) throws IOException {
        while (!replay.isEnded() && replay.isComplete()) {
            if (take(exchange, buffer, buffer.length) < buffer.length && !replay.isEnded()) {
                awaited();
                return true;
            }
        }
        return false;
    }

    /// Takes pieces that have come together, so that the last of them is known to be the last.
    private int take(Exchange exchange, byte[] buffer, int room) throws IOException {
        int filled = 0;
        while (filled < room && !exchange.inputEnded()) {
            int count = exchange.poll(buffer, filled, room - filled);
            if (count <= 0) {
                break;
            }
            filled += count;
        }
        if (filled > 0) {
            taken += filled;
            if (rate != null) {
                rate.came(clock.getAsLong());
            }
        }
        replay.add(buffer, filled);
        if (exchange.inputEnded() || isAll(exchange.request())) {
            replay.end();
        }
        return filled;
    }

    private void awaited() {
        ContentRate known = rate;
        if (known == null) {
            known = new ContentRate(limits.contentPause(), limits.contentRateMin());
            rate = known;
        }
        known.awaited(clock.getAsLong());
    }

    /// Whether nothing can follow, although an HTTP/2 client has not said so yet.
    private boolean isAll(RequestHead head) {
        return taken == head.contentLength() && !head.fields().contains("trailer");
    }

    /// Another peer, or another connection, is to be sent it.
    void begin() {
        if (this != NONE) {
            sent = 0;
            passedNanos = 0;
            heldBack = false;
            replay.rewind();
        }
    }

    /// Whether there may be any.
    boolean isAny() {
        return replay != RequestReplay.NOTHING;
    }

    /// Whether nothing is passed on yet.
    boolean isHeldBack() {
        return heldBack;
    }

    /// Passes nothing on until [#goAhead].
    void holdBack() {
        heldBack = true;
    }

    /// @return whether it was held back
    boolean goAhead() {
        boolean was = heldBack;
        if (was) {
            heldBack = false;
        }
        return was;
    }

    /// Forgets what was kept for other attempts: there will be none.
    void drop() {
        replay.drop();
    }

    /// Passes on what was kept of an attempt before, then what the client has sent, as long as the
    /// peer takes it.
    ///
    /// @return whether the client is to be waited for
    boolean pass(Exchange exchange, PeerExchange to, byte[] buffer) throws IOException {
        if (heldBack) {
            return false;
        }
        if (replay.isEnded() && replay.isEmpty() && replay != RequestReplay.NOTHING) {
            to.contentEnd(RequestFields.trailers(exchange, rules));
        }
        while (isBehind() && to.contentRoom() > 0) {
            int from = replay.position();
            int count = Math.min(replay.remaining(), to.contentRoom());
            replay.advance(count);
            boolean last = !isBehind() && replay.isEnded();
            put(
                    to,
                    replay.bytes(),
                    from,
                    count,
                    last ? RequestFields.trailers(exchange, rules) : null);
        }
        while (!isBehind() && !replay.isEnded() && to.contentRoom() > 0) {
            int room = Math.min(buffer.length, to.contentRoom());
            int count = take(exchange, buffer, room);
            if (count > 0 || replay.isEnded()) {
                put(
                        to,
                        buffer,
                        0,
                        count,
                        replay.isEnded() ? RequestFields.trailers(exchange, rules) : null);
            }
            if (count < room && !replay.isEnded()) {
                awaited();
                return true;
            }
        }
        if (passedNanos != 0 && exchange.phases().underWay() == RequestPhase.SEND) {
            exchange.phases().begin(RequestPhase.ANSWER);
        }
        return false;
    }

    /// Puts content, with its end if it is the last: servers take small frames that do not end it
    /// for an attack.
    ///
    /// @param trailers what follows if it is the last, or null
    private void put(
            PeerExchange to, byte[] bytes, int from, int count, @Nullable FieldList trailers) {
        if (count > 0) {
            sent += count;
            to.content(bytes, from, count, trailers != null && trailers.size() == 0);
        }
        if (trailers != null) {
            to.contentEnd(trailers);
            passedNanos = clock.getAsLong();
        }
        to.flush();
    }

    /// Passes on what the client sends after a switch of protocols.
    ///
    /// @return whether the client is to be waited for
    boolean passRaw(Exchange exchange, PeerExchange to, byte[] buffer) throws IOException {
        while (to.contentRoom() > 0) {
            int count = exchange.poll(buffer, 0, Math.min(buffer.length, to.contentRoom()));
            if (count == 0) {
                return true;
            }
            if (count < 0) {
                to.shutdownOutput();
                return false;
            }
            sent += count;
            to.content(buffer, 0, count, false);
            to.flush();
        }
        return false;
    }
}
