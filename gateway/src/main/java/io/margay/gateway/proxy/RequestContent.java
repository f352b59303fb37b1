package io.margay.gateway.proxy;

import io.margay.gateway.peer.PeerExchange;
import io.margay.gateway.peer.PeerLimits;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import java.io.IOException;

/// The content of a request on its way from the client to a peer: its end goes with its last piece,
/// and a small one is kept for another attempt. Confined to its exchange's loop.
final class RequestContent {
    private static final FieldList NO_TRAILERS = new FieldList();

    private final Exchange exchange;
    private final RequestHead head;
    private final RequestReplay replay;

    /// Taken from the client.
    private long taken;

    /// Passed on to the peer that is being tried.
    private long sent;

    RequestContent(Exchange exchange, PeerLimits limits) {
        this.exchange = exchange;
        head = exchange.request();
        replay =
                exchange.inputEnded()
                        ? RequestReplay.NOTHING
                        : new RequestReplay(limits.replayBytesMax());
    }

    /// Whether the client has sent all.
    boolean isEnded() {
        return replay.isEnded();
    }

    /// Whether it could be sent once more.
    boolean isRepeatable() {
        return replay.isComplete();
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

    /// Bytes that were passed on to the peer.
    long sent() {
        return sent;
    }

    /// Takes what the client has sent, to be passed on when all is there.
    ///
    /// @return whether more is to be waited for
    boolean collect(byte[] buffer) throws IOException {
        while (!replay.isEnded() && replay.isComplete()) {
            if (take(buffer, buffer.length) < buffer.length && !replay.isEnded()) {
                return true;
            }
        }
        return false;
    }

    /// Takes pieces that have come together, so that the last of them is known to be the last.
    private int take(byte[] buffer, int room) throws IOException {
        int filled = 0;
        while (filled < room && !exchange.inputEnded()) {
            int count = exchange.poll(buffer, filled, room - filled);
            if (count <= 0) {
                break;
            }
            filled += count;
        }
        taken += filled;
        replay.add(buffer, filled);
        if (exchange.inputEnded() || isAll()) {
            replay.end();
        }
        return filled;
    }

    /// Whether nothing can follow, although an HTTP/2 client has not said so yet.
    private boolean isAll() {
        return taken == head.contentLength() && !head.fields().contains("trailer");
    }

    /// Another peer, or another connection, is to be sent it.
    void begin() {
        sent = 0;
        replay.rewind();
    }

    /// Passes on what was kept of an attempt before, then what the client has sent, as long as the
    /// peer takes it.
    ///
    /// @return whether the client is to be waited for
    boolean pass(PeerExchange to, byte[] buffer) throws IOException {
        if (replay.isEnded() && replay.isEmpty() && replay != RequestReplay.NOTHING) {
            to.contentEnd(trailers());
        }
        while (isBehind() && to.contentRoom() > 0) {
            int from = replay.position();
            int count = Math.min(replay.remaining(), to.contentRoom());
            replay.advance(count);
            put(to, replay.bytes(), from, count, !isBehind() && replay.isEnded());
        }
        while (!isBehind() && !replay.isEnded() && to.contentRoom() > 0) {
            int room = Math.min(buffer.length, to.contentRoom());
            int count = take(buffer, room);
            if (count > 0 || replay.isEnded()) {
                put(to, buffer, 0, count, replay.isEnded());
            }
            if (count < room && !replay.isEnded()) {
                return true;
            }
        }
        return false;
    }

    /// Puts content, with its end if it is the last: servers take small frames that do not end it
    /// for an attack.
    private void put(PeerExchange to, byte[] bytes, int from, int count, boolean ended) {
        FieldList trailers = ended ? trailers() : NO_TRAILERS;
        if (count > 0) {
            sent += count;
            to.content(bytes, from, count, ended && trailers.size() == 0);
        }
        if (ended) {
            to.contentEnd(trailers);
        }
        to.flush();
    }

    private FieldList trailers() {
        FieldList list = new FieldList();
        Fields received = exchange.trailers();
        for (int i = 0; i < received.size(); i++) {
            list.add(received, i);
        }
        return list;
    }

    /// Passes on what the client sends after a switch of protocols.
    ///
    /// @return whether the client is to be waited for
    boolean passRaw(PeerExchange to, byte[] buffer) throws IOException {
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
