package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.crypto.PacketKey;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.frame.TransportParameters;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import io.margay.protocol.quic.packet.PacketType;
import io.margay.protocol.quic.recovery.PathMtu;
import io.margay.protocol.quic.recovery.SentFrame.Kind;
import io.margay.protocol.quic.recovery.SentPacket;
import io.margay.protocol.quic.recovery.Times;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Puts packets together into datagrams: what is to be acknowledged, handshake, control, data, as
/// far as windows, pacing and the peer's address allow (RFC 9000 §12.2, §14). Confined to the
/// connection's owner.
final class DatagramBuilder {
    /// A packet with less room is not worth its header.
    private static final int ROOM_LEAST = 64;

    /// An address to which less may be sent is not sent to: the longest header fits.
    private static final int BUDGET_LEAST = 256;

    private static final byte[] NO_TOKEN = {};

    /// One packet number in so many is left out, on average.
    private static final int SKIP_EVERY = 256;

    private static final int ACK_EXPONENT = 3;

    /// What an Initial packet that asks for an acknowledgement fills its datagram up to.
    private static final int INITIAL_BYTES = PathMtu.LEAST;

    private final ConnectionState state;
    private final Closing closing;
    private final FrameWriter out = new FrameWriter();
    private byte[] datagram = {};

    /// The packet that is being written.
    private int space;

    private int from;
    private int numberAt;
    private int numberBytes;
    private @Nullable SentPacket packet;
    private boolean eliciting;

    private int end;
    private int limit;
    private boolean fill;
    private boolean marked;
    private int untilSkip;

    /// Random bits that are left, three for each packet: a generator is not asked for each.
    private long bits;

    private int bitsLeft;

    DatagramBuilder(ConnectionState state, Closing closing) {
        this.state = state;
        this.closing = closing;
        untilSkip = nextSkip();
    }

    private int nextSkip() {
        return SKIP_EVERY / 2 + state.chance.nextInt(SKIP_EVERY);
    }

    /// Whether a packet is to have its fixed bit cleared, as one in eight has (RFC 9287).
    private boolean clearsBit() {
        if (bitsLeft == 0) {
            bits = state.chance.nextLong();
            bitsLeft = Long.SIZE / 3;
        }
        boolean clears = (bits & 7) == 0;
        bits >>>= 3;
        bitsLeft--;
        return clears;
    }

    /// Whether the datagram that was built last is marked ECT(0).
    boolean isMarked() {
        return marked;
    }

    private void begin(byte[] target, int most) {
        datagram = target;
        end = 0;
        limit = most;
        fill = false;
        packet = null;
        marked = state.recovery.isMarking();
    }

    /// Builds the next datagram for the peer's address.
    ///
    /// @return its octets, or 0 when nothing is to be sent now
    int build(byte[] target) {
        if (!hasBudget()) {
            return 0;
        }
        int budget = state.path.budget();
        boolean probing = state.probes[0] + state.probes[1] + state.probes[2] > 0;
        boolean data = probing || mayData();
        boolean known = state.confirmed && state.path.isValidated();
        int mtuProbe = data && !probing && known ? state.mtu.wantedProbe() : 0;
        if (mtuProbe > target.length) {
            state.mtu.begin(target.length);
        } else if (mtuProbe > 0 && state.congestion.allows(mtuProbe)) {
            return buildProbe(target, mtuProbe);
        }
        begin(target, Math.min(Math.min(state.mtu.size(), budget), target.length));
        for (int i = 0; i < Level.SPACES; i++) {
            if (state.keys.canSend(i) && wants(i, data)) {
                write(i, data);
            }
        }
        return finish();
    }

    /// Whether the peer's address may be sent to at all.
    boolean hasBudget() {
        return state.path.budget() >= BUDGET_LEAST;
    }

    private boolean mayData() {
        int size = state.mtu.size();
        return state.congestion.allows(size)
                && state.pacer.next(state.now, state.congestion, state.recovery.trip(), size)
                        <= state.now;
    }

    /// When data that waits for the pacer may be sent, or never when none does.
    long paced() {
        int size = state.mtu.size();
        if (!wantsData() || !state.congestion.allows(size) || !hasBudget()) {
            return Times.NEVER;
        }
        return state.pacer.next(state.now, state.congestion, state.recovery.trip(), size);
    }

    private boolean wantsData() {
        for (int i = 0; i < Level.SPACES; i++) {
            if (state.keys.canSend(i) && (state.crypto.wantsToSend(i) || (i == 2 && control()))) {
                return true;
            }
        }
        int probe = state.confirmed ? state.mtu.wantedProbe() : 0;
        return probe > 0 && state.path.isValidated() && state.congestion.allows(probe);
    }

    private boolean control() {
        return state.doneDue
                || state.newToken != null
                || state.path.wantsToSend()
                || state.localIds.wantsToSend()
                || state.peerIds.wantsToSend()
                || (mayStreams() && state.streams.wantsToSend());
    }

    /// A server may send data before the client has finished; it waits until it knows the client.
    private boolean mayStreams() {
        return state.complete;
    }

    private boolean wants(int of, boolean data) {
        return state.received[of].due() <= state.now
                || state.probes[of] > 0
                || (data && state.crypto.wantsToSend(of))
                || (data && of == 2 && control());
    }

    private boolean open(int of, int most) {
        byte[] to = state.peerIds.current();
        Level level = Level.ofSpace(of);
        byte[] token = of == 0 && !state.server ? state.token : NO_TOKEN;
        long number = state.recovery.next(of);
        int size = PacketNumbers.size(number, state.recovery.largestAcked(of));
        PacketType type = level == Level.INITIAL ? PacketType.INITIAL : PacketType.HANDSHAKE;
        byte[] own = state.localIds.first();
        int header = of == 2 ? 1 + to.length : LongHeader.size(type, to, own, token);
        if (most - end < header + size + PacketKey.TAG_BYTES + ROOM_LEAST / 2
                || !state.recovery.hasRoom(of)) {
            return false;
        }
        space = of;
        from = end;
        if (of == 2) {
            KeyPhases phases = state.keys.phases();
            boolean phase = phases != null && phases.phase();
            numberAt = LongHeader.putShort(datagram, from, to, false, phase);
            TransportParameters peer = state.peer;
            if (peer != null && peer.greasesBit() && clearsBit()) {
                datagram[from] &= (byte) ~PacketHeader.FIXED_BIT;
            }
        } else {
            numberAt = LongHeader.put(datagram, from, state.version, type, to, own, token);
        }
        numberBytes = size;
        PacketNumbers.put(datagram, numberAt, number, size);
        packet = new SentPacket(number);
        eliciting = false;
        out.begin(datagram, numberAt + size, most - PacketKey.TAG_BYTES);
        return true;
    }

    /// Writes a packet of a space behind the one before, which is sealed then.
    private void write(int of, boolean data) {
        seal();
        if (!open(of, limit)) {
            return;
        }
        SentPacket made = packet;
        if (made == null) {
            return;
        }
        int begun = out.at();
        if (state.received[of].hasNews()) {
            state.received[of].write(out, made, state.now, ACK_EXPONENT);
        }
        int acked = out.at();
        if (data) {
            state.crypto.write(of, out, made);
            if (of == 2) {
                writeControl(made);
            }
        }
        if (state.probes[of] > 0) {
            state.probes[of]--;
            if (out.at() == acked) {
                out.ping();
            }
        }
        eliciting = out.at() > acked;
        if (out.at() == begun) {
            packet = null;
            return;
        }
        fill |= of == 0 && (!state.server || eliciting);
    }

    private void writeControl(SentPacket made) {
        Path path = state.path;
        if (path.responsePending && out.pathResponse(path.response)) {
            path.responsePending = false;
        }
        if (path.challengePending && out.pathChallenge(path.challenge)) {
            challenged(path);
        }
        if (state.doneDue && out.handshakeDone()) {
            state.doneDue = false;
            made.add(Kind.HANDSHAKE_DONE, 0);
        }
        byte[] token = state.newToken;
        if (token != null && out.newToken(token)) {
            state.newToken = null;
            made.add(Kind.NEW_TOKEN, 0);
        }
        state.peerIds.write(out, made);
        state.localIds.write(out, made);
        if (mayStreams()) {
            state.streams.write(out, made);
        }
    }

    private void challenged(Path path) {
        path.challengePending = false;
        path.challengeOutstanding = true;
        path.challengeDeadline = Times.after(state.now, 3 * state.recovery.pto());
    }

    /// Seals the packet that was written, if any, and notes that it is sent.
    private void seal() {
        SentPacket made = packet;
        if (made == null) {
            return;
        }
        packet = null;
        int least = numberAt + 4;
        if (out.at() < least) {
            out.padding(least - out.at());
        }
        int to = out.at();
        if (space != 2) {
            LongHeader.setLength(datagram, numberAt, to - numberAt + PacketKey.TAG_BYTES);
        }
        end = state.keys.seal(space, datagram, from, numberAt, numberBytes, to, made.number());
        state.recovery.sent(space, made, end - from, eliciting, marked, state.now);
        if (eliciting) {
            state.pacer.sent(end - from);
            if (!state.sentSinceReceived) {
                state.sentSinceReceived = true;
                state.idleFrom = state.now;
            }
        }
        if (space == 2 && --untilSkip == 0) {
            state.recovery.skip();
            untilSkip = nextSkip();
        }
        if (space == 1 && !state.server) {
            state.discard(0);
        }
    }

    private int finish() {
        if (packet != null && fill) {
            int missing = Math.min(limit, INITIAL_BYTES) - PacketKey.TAG_BYTES - out.at();
            if (missing > 0) {
                out.padding(missing);
            }
        }
        seal();
        if (end > 0) {
            state.path.sent(end);
        }
        return end;
    }

    /// A datagram that is as large as may be, to see whether it passes.
    private int buildProbe(byte[] target, int size) {
        begin(target, size);
        if (!open(2, size)) {
            return 0;
        }
        SentPacket made = packet;
        if (made != null) {
            made.add(Kind.MTU_PROBE, size);
        }
        out.ping();
        out.padding(out.room());
        eliciting = true;
        state.mtu.sent();
        seal();
        state.path.sent(end);
        return end;
    }

    /// A datagram for another path than the current one, with nothing but what validates it.
    int buildPath(byte[] target, Path path) {
        int most = Math.min(Math.min(INITIAL_BYTES, path.budget()), target.length);
        begin(target, most);
        if (!open(2, most)) {
            return 0;
        }
        if (path.responsePending && out.pathResponse(path.response)) {
            path.responsePending = false;
        }
        if (path.challengePending && out.pathChallenge(path.challenge)) {
            challenged(path);
        }
        out.padding(out.room());
        // It is not waited for: whoever asked asks again.
        eliciting = false;
        seal();
        path.sent(end);
        return end;
    }

    /// A datagram that says why the connection ends, at each level that the peer may be able to
    /// read (RFC 9000 §10.2.3).
    int buildClose(byte[] target, QuicError why) {
        begin(target, Math.min(Math.min(INITIAL_BYTES, state.path.budget()), target.length));
        for (int i = 0; i < Level.SPACES; i++) {
            boolean reads = i < 2 ? !state.confirmed : state.complete || !state.server;
            if (!state.keys.canSend(i) || !reads) {
                continue;
            }
            seal();
            if (!open(i, limit)) {
                continue;
            }
            boolean application = closing.isByApplication();
            byte[] text = application && i < 2 ? NO_TOKEN : bytes(why.text());
            long code = application && i < 2 ? QuicError.APPLICATION_ERROR : closing.code();
            boolean fits = out.close(code, application && i == 2 ? -1 : why.frameType(), text);
            if (!fits) {
                packet = null;
            } else {
                fill |= i == 0 && !state.server;
            }
        }
        return finish();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
