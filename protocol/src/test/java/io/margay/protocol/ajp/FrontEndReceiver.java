package io.margay.protocol.ajp;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.util.Arrays;

/// Feeds an [AjpResponseDecoder] as a gateway does, and tells what it says.
final class FrontEndReceiver implements CutEverywhere.Receiver {
    private final AjpResponseDecoder decoder;
    private byte[] received = new byte[0];
    private boolean over;

    FrontEndReceiver(AjpLimits limits, boolean toHead) {
        decoder = new AjpResponseDecoder(limits);
        decoder.reset(toHead);
    }

    @Override
    public void receive(byte[] buffer, int from, int to, Trace trace) {
        int before = received.length;
        received = Arrays.copyOf(received, before + to - from);
        System.arraycopy(buffer, from, received, before, to - from);
        int at = 0;
        while (!over && step(at, trace)) {
            at = decoder.packetEnd();
        }
        received = Arrays.copyOfRange(received, at, received.length);
    }

    private boolean step(int from, Trace trace) {
        switch (decoder.decode(received, from, received.length)) {
            case NEED_MORE -> {
                return false;
            }
            case HEAD -> head(decoder.head(), trace);
            case DATA -> trace.data(received, decoder.dataFrom(), decoder.dataTo());
            case FLUSH -> trace.add("flush");
            case GET_BODY -> trace.add("wants " + decoder.requestedBytes());
            case END -> trace.add(decoder.reusable() ? "end reuse" : "end close");
            case PONG -> trace.add("pong");
            case ERROR -> {
                trace.add("error " + decoder.error().cause().text());
                over = true;
                return false;
            }
        }
        return true;
    }

    private static void head(ResponseHead head, Trace trace) {
        trace.add(
                "head " + head.status() + " " + head.reason() + " length " + head.contentLength());
        Fields fields = head.fields();
        for (int i = 0; i < fields.size(); i++) {
            trace.add("field " + fields.name(i) + ": " + fields.value(i));
        }
    }
}
