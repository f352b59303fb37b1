package io.margay.protocol.fastcgi;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.io.ByteArrayOutputStream;

/// Feeds a [FastCgiResponseDecoder] as a gateway does, and tells what it says.
final class GatewayReceiver implements CutEverywhere.Receiver {
    private final FastCgiResponseDecoder decoder;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private boolean over;

    GatewayReceiver(FastCgiLimits limits, boolean toHead) {
        decoder = new FastCgiResponseDecoder(limits);
        decoder.reset(toHead);
    }

    @Override
    public void receive(byte[] buffer, int from, int to, Trace trace) {
        int at = from;
        while (!over && step(buffer, at, to, trace)) {
            at = decoder.consumed();
        }
    }

    private boolean step(byte[] buffer, int from, int to, Trace trace) {
        switch (decoder.decode(buffer, from, to)) {
            case NEED_MORE -> {
                return false;
            }
            case HEAD -> head(decoder.head(), trace);
            case DATA -> trace.data(buffer, decoder.dataFrom(), decoder.dataTo());
            case LOG ->
                    log.write(buffer, decoder.dataFrom(), decoder.dataTo() - decoder.dataFrom());
            case END -> trace.add("end " + decoder.applicationStatus() + logged());
            case OVERLOADED -> trace.add("overloaded" + logged());
            case ERROR -> {
                trace.add("error " + decoder.error().text());
                over = true;
                return false;
            }
        }
        return true;
    }

    private String logged() {
        return log.size() == 0 ? "" : " log " + log;
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
