package io.margay.protocol.http1;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Feeds a stream of messages to head and body decoders as a connection does, and writes down what
/// they tell.
abstract class MessageReceiver implements CutEverywhere.Receiver {
    /// Where the bytes of an incomplete head begin in the receiver's own buffer, which moves.
    private static final int[] PLACES = {5, 0, 9};

    private byte[] kept = {};
    private int pieces;
    private @Nullable Http1BodyDecoder body;
    private boolean stopped;

    @Override
    public final void receive(byte[] buffer, int from, int to, Trace trace) {
        if (stopped) {
            return;
        }
        int place = PLACES[pieces++ % PLACES.length];
        byte[] all = new byte[place + kept.length + (to - from) + 2];
        Arrays.fill(all, (byte) 0xcc);
        System.arraycopy(kept, 0, all, place, kept.length);
        System.arraycopy(buffer, from, all, place + kept.length, to - from);
        int end = place + kept.length + (to - from);
        int rest = decode(all, place, end, trace);
        kept = Arrays.copyOfRange(all, rest, end);
    }

    private int decode(byte[] bytes, int from, int to, Trace trace) {
        int p = from;
        while (!stopped) {
            if (body != null) {
                Http1BodyDecoder.Result result = body.decode(bytes, p, to);
                p = body.consumed();
                switch (result) {
                    case DATA -> trace.data(bytes, body.dataFrom(), body.dataTo());
                    case END -> endOfBody(body, trace);
                    case ERROR -> fail(body.error(), trace);
                    case NEED_MORE -> {
                        return p;
                    }
                }
                continue;
            }
            if (p == to) {
                return p;
            }
            int headEnd = decodeHead(bytes, p, to, trace);
            if (headEnd < 0) {
                return p;
            }
            p = headEnd;
        }
        return to;
    }

    /// Decodes a head; calls [#fail] or [#content]; gives the offset after it, or -1 for more.
    abstract int decodeHead(byte[] bytes, int from, int to, Trace trace);

    /// The message is complete.
    abstract void messageEnded();

    final void content(@Nullable Http1BodyDecoder decoder, Trace trace) {
        if (decoder == null) {
            trace.add("end");
            messageEnded();
        } else {
            body = decoder;
        }
    }

    final void fail(ProtocolError error, Trace trace) {
        trace.add("error " + error.status() + " " + error.section());
        stopped = true;
    }

    final void stop(String event, Trace trace) {
        trace.add(event);
        stopped = true;
    }

    private void endOfBody(Http1BodyDecoder decoder, Trace trace) {
        Fields trailers = decoder.trailers();
        for (int i = 0; i < trailers.size(); i++) {
            trace.add("trailer " + trailers.name(i) + "=" + trailers.value(i));
        }
        trace.add("end");
        body = null;
        messageEnded();
    }

    @Override
    public final void end(Trace trace) {
        if (stopped) {
            return;
        }
        if (body != null) {
            if (body.endOfInput() == Http1BodyDecoder.Result.END) {
                endOfBody(body, trace);
            } else {
                trace.add("incomplete body");
            }
        } else if (kept.length > 0) {
            trace.add("incomplete head");
        }
    }
}
