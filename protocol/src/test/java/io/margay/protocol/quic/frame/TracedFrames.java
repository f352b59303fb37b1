package io.margay.protocol.quic.frame;

import io.margay.protocol.quic.QuicError;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes down the frames that are read.
final class TracedFrames implements FrameSink {
    final List<String> seen = new ArrayList<>();

    private @Nullable QuicError add(Object... parts) {
        List<String> words = new ArrayList<>();
        for (Object part : parts) {
            words.add(String.valueOf(part));
        }
        seen.add(String.join(" ", words));
        return null;
    }

    private static String hex(byte[] bytes, int from, int to) {
        return HexFormat.of().formatHex(bytes, from, to);
    }

    @Override
    public @Nullable QuicError ack(AckFrame ack) {
        StringBuilder ranges = new StringBuilder();
        for (int i = 0; i < ack.count(); i++) {
            ranges.append(' ').append(ack.from(i)).append('-').append(ack.to(i));
        }
        String marks = ack.hasEcn() ? " ecn " + ack.ect0() + "/" + ack.ect1() + "/" + ack.ce() : "";
        return add("ack", ack.largest(), "after", ack.delay() + ":" + ranges + marks);
    }

    @Override
    public @Nullable QuicError resetStream(long id, long code, long finalSize) {
        return add("reset", id, code, finalSize);
    }

    @Override
    public @Nullable QuicError stopSending(long id, long code) {
        return add("stop", id, code);
    }

    @Override
    public @Nullable QuicError crypto(long offset, byte[] bytes, int from, int to) {
        return add("crypto", offset, hex(bytes, from, to));
    }

    @Override
    public @Nullable QuicError newToken(byte[] bytes, int from, int to) {
        return add("token", hex(bytes, from, to));
    }

    @Override
    public @Nullable QuicError stream(
            long id, long offset, byte[] bytes, int from, int to, boolean ends) {
        return add("stream", id, offset, hex(bytes, from, to), ends);
    }

    @Override
    public @Nullable QuicError maxData(long most) {
        return add("max", most);
    }

    @Override
    public @Nullable QuicError maxStreamData(long id, long most) {
        return add("max", id, most);
    }

    @Override
    public @Nullable QuicError maxStreams(boolean bidirectional, long most) {
        return add("streams", bidirectional, most);
    }

    @Override
    public @Nullable QuicError dataBlocked(long id, long limit) {
        return add("blocked", id, limit);
    }

    @Override
    public @Nullable QuicError streamsBlocked(boolean bidirectional, long limit) {
        return add("streams-blocked", bidirectional, limit);
    }

    @Override
    public @Nullable QuicError newConnectionId(
            long sequence, long retirePriorTo, byte[] id, byte[] token) {
        return add("id", sequence, retirePriorTo, hex(id, 0, id.length), hex(token, 0, 16));
    }

    @Override
    public @Nullable QuicError retireConnectionId(long sequence) {
        return add("retire", sequence);
    }

    @Override
    public @Nullable QuicError pathChallenge(long data) {
        return add("challenge", data);
    }

    @Override
    public @Nullable QuicError pathResponse(long data) {
        return add("response", data);
    }

    @Override
    public void close(boolean application, long code, byte[] bytes, int from, int to) {
        add("close", application, code, hex(bytes, from, to));
    }

    @Override
    public @Nullable QuicError handshakeDone() {
        return add("done");
    }
}
