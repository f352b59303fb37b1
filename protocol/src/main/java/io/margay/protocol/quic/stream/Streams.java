package io.margay.protocol.quic.stream;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.frame.FrameType;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.frame.IntegerParameter;
import io.margay.protocol.quic.frame.TransportParameters;
import io.margay.protocol.quic.recovery.SentFrame;
import io.margay.protocol.quic.recovery.SentFrame.Kind;
import io.margay.protocol.quic.recovery.SentPacket;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The streams of a connection and their windows (RFC 9000 §2 to §4). What it takes is bounded by
/// its [StreamSettings]: as many streams as the peer may have open, for each of them and for all
/// together as much data. Confined to the connection's owner.
public final class Streams {
    private static final int PEER_STREAMS_KINDS = 2;

    /// Room for so much to send is worth telling of.
    private static final int ROOM_BYTES = 16_384;

    private final boolean server;
    private final StreamSettings settings;
    private final Map<Long, QuicStream> streams = new HashMap<>();
    private final ArrayDeque<QuicStream> news = new ArrayDeque<>();
    private final ArrayDeque<QuicStream> senders = new ArrayDeque<>();
    private final ArrayDeque<QuicStream> controllers = new ArrayDeque<>();

    /// For both kinds, bidirectional first: how many streams the peer has opened, may open, and may
    /// open as it was told; how many we have opened and may open.
    private final long[] peerOpened = new long[PEER_STREAMS_KINDS];

    private final long[] peerAllowed = new long[PEER_STREAMS_KINDS];
    private final long[] peerTold = new long[PEER_STREAMS_KINDS];
    private final boolean[] streamsDue = new boolean[PEER_STREAMS_KINDS];
    private final long[] ownOpened = new long[PEER_STREAMS_KINDS];
    private final long[] ownAllowed = new long[PEER_STREAMS_KINDS];

    private long received;
    private long settled;
    private long receiveLimit;
    private boolean limitDue;
    private long sent;
    private long unsent;
    private long acknowledged;
    private long sendLimit;
    private boolean sendLimitGrew;
    private long blockedAt = -1;
    private final long[] initialLimits = new long[3];

    public Streams(boolean server, StreamSettings settings) {
        this.server = server;
        this.settings = settings;
        peerAllowed[0] = settings.bidirectionalMax();
        peerAllowed[1] = settings.unidirectionalMax();
        System.arraycopy(peerAllowed, 0, peerTold, 0, PEER_STREAMS_KINDS);
        receiveLimit = settings.connectionWindow();
    }

    /// Says in our transport parameters what the peer may do.
    public void announce(TransportParameters ours) {
        long window = settings.streamWindow();
        ours.set(IntegerParameter.INITIAL_MAX_DATA, settings.connectionWindow())
                .set(IntegerParameter.INITIAL_MAX_STREAM_DATA_BIDI_LOCAL, window)
                .set(IntegerParameter.INITIAL_MAX_STREAM_DATA_BIDI_REMOTE, window)
                .set(IntegerParameter.INITIAL_MAX_STREAM_DATA_UNI, window)
                .set(IntegerParameter.INITIAL_MAX_STREAMS_BIDI, settings.bidirectionalMax())
                .set(IntegerParameter.INITIAL_MAX_STREAMS_UNI, settings.unidirectionalMax());
    }

    /// Learns what we may do.
    public void peerParameters(TransportParameters peers) {
        sendLimit = Math.max(sendLimit, peers.get(IntegerParameter.INITIAL_MAX_DATA));
        initialLimits[0] = peers.get(IntegerParameter.INITIAL_MAX_STREAM_DATA_BIDI_REMOTE);
        initialLimits[1] = peers.get(IntegerParameter.INITIAL_MAX_STREAM_DATA_UNI);
        initialLimits[2] = peers.get(IntegerParameter.INITIAL_MAX_STREAM_DATA_BIDI_LOCAL);
        maxStreams(true, peers.get(IntegerParameter.INITIAL_MAX_STREAMS_BIDI));
        maxStreams(false, peers.get(IntegerParameter.INITIAL_MAX_STREAMS_UNI));
    }

    boolean isPeers(long id) {
        return (id & 1) == (server ? 0 : 1);
    }

    private static int kind(long id) {
        return (int) (id >> 1) & 1;
    }

    // For users

    /// Opens a stream, or gives null when the peer allows no more of them now.
    public @Nullable QuicStream open(boolean bidirectional) {
        int kind = bidirectional ? 0 : 1;
        if (ownOpened[kind] >= ownAllowed[kind]) {
            return null;
        }
        long id = (ownOpened[kind]++ << 2) | (kind << 1) | (server ? 1 : 0);
        return add(id, initialLimits[kind]);
    }

    /// Streams that [#open] can open now.
    public long openable(boolean bidirectional) {
        int kind = bidirectional ? 0 : 1;
        return ownAllowed[kind] - ownOpened[kind];
    }

    /// The next stream to which something has happened: it has data, has come to an end, can take
    /// more data, or is not wanted any more. Null when there is none.
    public @Nullable QuicStream next() {
        QuicStream stream = news.poll();
        if (stream != null) {
            stream.hasNews = false;
        }
        return stream;
    }

    /// Streams that are known.
    public int count() {
        return streams.size();
    }

    /// Octets that were written to all streams and never sent.
    public long unsent() {
        return unsent;
    }

    /// So many more were written; fewer when they were forgotten.
    void unsent(long more) {
        unsent += more;
    }

    /// Octets of memory that the streams take: what nobody has read, what is not sent or not
    /// acknowledged, and the streams themselves.
    public long bytes() {
        long sum = 0;
        for (QuicStream stream : streams.values()) {
            sum += stream.bytes();
        }
        return sum;
    }

    /// Octets that were written and that the peer has not acknowledged.
    public long outstanding() {
        long sum = 0;
        for (QuicStream stream : streams.values()) {
            sum += stream.sending == null ? 0 : stream.sending.data().held();
        }
        return sum;
    }

    /// Octets that were sent and acknowledged, counted when they were the first to be so, all in
    /// all.
    public long acknowledged() {
        return acknowledged;
    }

    /// Forgets the data of all streams: the connection is over.
    public void clear() {
        for (QuicStream stream : streams.values()) {
            if (stream.receiving != null) {
                stream.receiving.clear();
            }
            if (stream.sending != null) {
                stream.sending.data().clear();
            }
        }
        unsent = 0;
    }

    /// New octets that the connection's window lets us send.
    public long connectionRoom() {
        return sendLimit - sent;
    }

    private QuicStream add(long id, long sendLimitOfStream) {
        boolean both = (id & 2) == 0;
        ReceivingPart receiving =
                both || isPeers(id) ? new ReceivingPart(settings.streamWindow()) : null;
        SendingPart sending =
                both || !isPeers(id)
                        ? new SendingPart(sendLimitOfStream, settings.sendBuffer())
                        : null;
        QuicStream stream = new QuicStream(this, id, receiving, sending);
        streams.put(id, stream);
        return stream;
    }

    private void tell(QuicStream stream) {
        if (!stream.hasNews && !stream.forgotten) {
            stream.hasNews = true;
            news.add(stream);
        }
    }

    void sends(QuicStream stream) {
        if (!stream.sends) {
            stream.sends = true;
            senders.add(stream);
        }
    }

    void controls(QuicStream stream) {
        if (!stream.controls) {
            stream.controls = true;
            controllers.add(stream);
        }
    }

    void stopDue(QuicStream stream) {
        stream.stopDue = true;
        controls(stream);
    }

    void wasRead(QuicStream stream) {
        ReceivingPart receiving = stream.receiving;
        if (receiving != null && receiving.newLimit() != ReceivingPart.NONE) {
            stream.limitDue = true;
            controls(stream);
        }
        settle(stream);
    }

    /// Counts what will not be read any more, so that the connection's window moves on.
    void settle(QuicStream stream) {
        ReceivingPart receiving = stream.receiving;
        if (receiving != null) {
            settled += receiving.settled() - stream.settled;
            stream.settled = receiving.settled();
            long window = settings.connectionWindow();
            limitDue |= settled + window - receiveLimit >= window / 2;
        }
    }

    void forgetIfDone(QuicStream stream) {
        ReceivingPart receiving = stream.receiving;
        SendingPart sending = stream.sending;
        boolean done =
                stream.released
                        && !stream.forgotten
                        && (receiving == null || receiving.isOver())
                        && (sending == null || sending.isDone());
        if (!done) {
            return;
        }
        stream.forgotten = true;
        streams.remove(stream.id());
        if (isPeers(stream.id())) {
            int kind = kind(stream.id());
            peerAllowed[kind] = Math.min(FrameType.STREAMS_MAX, peerAllowed[kind] + 1);
            long most = kind == 0 ? settings.bidirectionalMax() : settings.unidirectionalMax();
            streamsDue[kind] |= peerAllowed[kind] - peerTold[kind] >= Math.max(1, most / 2);
        }
    }

    // Frames of the peer

    /// The stream of a frame, which the peer may open by it.
    ///
    /// @return null when the stream is over, or cannot be: [#failure] tells which
    private @Nullable QuicStream find(long id, boolean ofSender) {
        failure = null;
        boolean oneWay = (id & 2) != 0;
        if (oneWay && isPeers(id) != ofSender) {
            failure = ofSender ? StreamError.NOT_FOR_SENDING : StreamError.NOT_FOR_RECEIVING;
            return null;
        }
        int kind = kind(id);
        long index = id >> 2;
        if (!isPeers(id)) {
            failure = index >= ownOpened[kind] ? StreamError.NOT_OPEN : null;
        } else if (index >= peerTold[kind]) {
            failure = StreamError.TOO_MANY_STREAMS;
        } else {
            while (peerOpened[kind] <= index) {
                long next = (peerOpened[kind]++ << 2) | (id & 3);
                tell(add(next, initialLimits[2]));
            }
        }
        return failure == null ? streams.get(id) : null;
    }

    private @Nullable QuicError failure;

    public @Nullable QuicError data(
            long id, long offset, byte[] bytes, int from, int to, boolean ends) {
        QuicStream stream = find(id, true);
        if (stream == null || stream.receiving == null) {
            return failure;
        }
        QuicError error = stream.receiving.data(offset, bytes, from, to, ends);
        return error != null ? error : receivedMore(stream, stream.receiving);
    }

    private @Nullable QuicError receivedMore(QuicStream stream, ReceivingPart receiving) {
        received += receiving.highest() - stream.counted;
        stream.counted = receiving.highest();
        if (received > receiveLimit) {
            return StreamError.CONNECTION_WINDOW_EXCEEDED;
        }
        settle(stream);
        if (receiving.readable() > 0 || receiving.isOver()) {
            tell(stream);
        }
        forgetIfDone(stream);
        return null;
    }

    public @Nullable QuicError reset(long id, long code, long finalSize) {
        QuicStream stream = find(id, true);
        if (stream == null || stream.receiving == null) {
            return failure;
        }
        QuicError error = stream.receiving.reset(code, finalSize);
        return error != null ? error : receivedMore(stream, stream.receiving);
    }

    public @Nullable QuicError stopSending(long id, long code) {
        QuicStream stream = find(id, false);
        if (stream != null && stream.sending != null) {
            SendingPart sending = stream.sending;
            if (sending.stopCode() == SendingPart.NONE && !sending.isDone()) {
                sending.stopped(code);
                stream.reset(code);
                tell(stream);
            }
        }
        return failure;
    }

    public @Nullable QuicError maxStreamData(long id, long most) {
        QuicStream stream = find(id, false);
        if (stream != null && stream.sending != null) {
            if (stream.sending.limit(most)) {
                sends(stream);
            }
            tell(stream);
        }
        return failure;
    }

    /// The peer is blocked: nothing is to be done but to see whether the stream can be.
    public @Nullable QuicError dataBlocked(long id) {
        find(id, true);
        return failure;
    }

    public void maxData(long most) {
        if (most > sendLimit) {
            sendLimit = most;
            sendLimitGrew = true;
        }
    }

    /// Has the streams send that had no room, once for all frames that gave some since the last
    /// time: a packet has room for some hundred of them.
    private void resumeSenders() {
        sendLimitGrew = false;
        for (QuicStream stream : streams.values()) {
            SendingPart sending = stream.sending;
            if (sending != null && sending.wantsToSend(1)) {
                sends(stream);
            }
        }
    }

    public void maxStreams(boolean bidirectional, long most) {
        int kind = bidirectional ? 0 : 1;
        ownAllowed[kind] = Math.max(ownAllowed[kind], most);
    }

    // Frames of ours

    /// Whether [#write] would write something.
    public boolean wantsToSend() {
        boolean data = hasSender();
        return data || limitDue || streamsDue[0] || streamsDue[1] || !controllers.isEmpty();
    }

    /// Whether there is data to be sent. A stream that is blocked gets a frame that says so.
    private boolean hasSender() {
        if (sendLimitGrew) {
            resumeSenders();
        }
        while (true) {
            QuicStream stream = senders.peek();
            if (stream == null) {
                return false;
            }
            SendingPart sending = stream.sending;
            if (sending != null && sending.wantsToSend(connectionRoom())) {
                return true;
            }
            senders.poll();
            stream.sends = false;
            if (sending != null && sending.isBlocked()) {
                controls(stream);
            }
        }
    }

    /// Writes what is to be sent, as far as there is room.
    public void write(FrameWriter out, SentPacket packet) {
        writeLimits(out, packet);
        for (int left = controllers.size(); left > 0; left--) {
            QuicStream stream = controllers.element();
            if (!writeControl(stream, out, packet)) {
                return;
            }
            controllers.remove();
            stream.controls = false;
        }
        while (hasSender() && writeData(senders.element(), out, packet)) {
            QuicStream stream = senders.remove();
            stream.sends = false;
            sends(stream);
        }
    }

    private void writeLimits(FrameWriter out, SentPacket packet) {
        if (limitDue) {
            long most = Math.min(VarInt.MAX, settled + settings.connectionWindow());
            if (out.maxData(most)) {
                receiveLimit = Math.max(receiveLimit, most);
                limitDue = false;
                packet.add(Kind.MAX_DATA, most);
            }
        }
        for (int kind = 0; kind < PEER_STREAMS_KINDS; kind++) {
            if (streamsDue[kind] && out.maxStreams(kind == 0, peerAllowed[kind])) {
                peerTold[kind] = peerAllowed[kind];
                streamsDue[kind] = false;
                packet.add(kind == 0 ? Kind.MAX_STREAMS_BIDI : Kind.MAX_STREAMS_UNI, 0);
            }
        }
        if (connectionRoom() == 0 && blockedAt != sendLimit && hasBlocked()) {
            if (out.dataBlocked(-1, sendLimit)) {
                blockedAt = sendLimit;
            }
        }
    }

    private boolean hasBlocked() {
        for (QuicStream stream : streams.values()) {
            if (stream.sending != null && stream.sending.wantsToSend(1)) {
                return true;
            }
        }
        return false;
    }

    /// Writes what a stream has to say besides data; false for want of room.
    private boolean writeControl(QuicStream stream, FrameWriter out, SentPacket packet) {
        long id = stream.id();
        SendingPart sending = stream.sending;
        ReceivingPart receiving = stream.receiving;
        if (sending != null && sending.isResetPending()) {
            if (!out.resetStream(id, sending.resetCode(), sending.finalSize())) {
                return false;
            }
            sending.resetSent();
            sending.data().clear();
            packet.add(Kind.RESET_STREAM, id);
        }
        if (receiving != null && stream.stopDue) {
            if (receiving.isStopOf()) {
                if (!out.stopSending(id, receiving.stopCode())) {
                    return false;
                }
                packet.add(Kind.STOP_SENDING, id);
            }
            stream.stopDue = false;
        }
        if (receiving != null && stream.limitDue) {
            long most = Math.max(receiving.limit(), receiving.newLimit());
            if (receiving.wantsLimit()) {
                if (!out.maxStreamData(id, most)) {
                    return false;
                }
                receiving.limit(most);
                packet.add(Kind.MAX_STREAM_DATA, id);
            }
            stream.limitDue = false;
        }
        if (sending != null && sending.isBlocked()) {
            if (!out.dataBlocked(id, sending.limit())) {
                return false;
            }
            sending.blockedTold();
        }
        return true;
    }

    /// Writes data of a stream; false for want of room.
    private boolean writeData(QuicStream stream, FrameWriter out, SentPacket packet) {
        SendingPart sending = stream.sending;
        if (sending == null) {
            return true;
        }
        SendBuffer data = sending.data();
        long offset = data.offset();
        boolean again = data.hasLost();
        long most = again ? data.sendable(0) : data.sendable(newDataLimit(sending));
        int room = out.streamRoom(stream.id(), offset);
        int count = (int) Math.min(most, room);
        if (room < 0 || (count == 0 && most > 0)) {
            return false;
        }
        boolean ends = sending.endsAt(offset + count);
        int at = out.stream(stream.id(), offset, count, ends);
        data.take(out.bytes(), at, count);
        if (!again) {
            sent += count;
            unsent -= count;
        }
        if (ends) {
            sending.finSent();
        }
        packet.add(Kind.STREAM, stream.id(), offset, count, ends);
        return true;
    }

    private long newDataLimit(SendingPart sending) {
        return Math.min(sending.limit(), sending.data().next() + connectionRoom());
    }

    /// A frame of ours has reached the peer.
    public void acked(SentFrame frame) {
        QuicStream stream = streams.get(frame.id());
        if (stream == null || stream.sending == null) {
            return;
        }
        SendingPart sending = stream.sending;
        if (frame.kind() == Kind.STREAM) {
            int enough = Math.clamp(settings.sendBuffer() / 2, 1, ROOM_BYTES);
            boolean full = sending.room() < enough;
            long before = sending.data().held();
            sending.acked(frame.offset(), frame.length(), frame.ends());
            acknowledged += before - sending.data().held();
            if ((full && sending.room() >= enough) || sending.isDone()) {
                tell(stream);
            }
            forgetIfDone(stream);
        } else if (frame.kind() == Kind.RESET_STREAM) {
            sending.resetAcked();
            forgetIfDone(stream);
        }
    }

    /// A frame of ours was lost.
    public void lost(SentFrame frame) {
        switch (frame.kind()) {
            case MAX_DATA -> limitDue |= frame.id() == receiveLimit;
            case MAX_STREAMS_BIDI -> streamsDue[0] = true;
            case MAX_STREAMS_UNI -> streamsDue[1] = true;
            default -> lostOfStream(frame);
        }
    }

    private void lostOfStream(SentFrame frame) {
        QuicStream stream = streams.get(frame.id());
        if (stream == null) {
            return;
        }
        SendingPart sending = stream.sending;
        switch (frame.kind()) {
            case STREAM -> {
                if (sending != null) {
                    sending.lost(frame.offset(), frame.length(), frame.ends());
                    sends(stream);
                }
            }
            case RESET_STREAM -> {
                if (sending != null) {
                    sending.resetLost();
                    controls(stream);
                }
            }
            case STOP_SENDING -> stopDue(stream);
            case MAX_STREAM_DATA -> {
                stream.limitDue = true;
                controls(stream);
            }
            default -> {}
        }
    }
}
