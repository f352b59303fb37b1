package io.margay.protocol.fastcgi;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;

/// Feeds a [FastCgiRequestDecoder] as an application does, and tells what it says.
final class ApplicationReceiver implements CutEverywhere.Receiver {
    private final FastCgiRequestDecoder decoder;
    private boolean over;

    ApplicationReceiver(FastCgiLimits limits) {
        decoder = new FastCgiRequestDecoder(limits);
        decoder.reset();
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
            case REQUEST -> {
                trace.add(decoder.keep() ? "request keep" : "request");
                decoder.parameters().forEach((n, v) -> trace.add(n + "=" + v));
            }
            case DATA -> trace.data(buffer, decoder.dataFrom(), decoder.dataTo());
            case DATA_END -> trace.add("data end");
            case ABORT -> trace.add("abort");
            case ERROR -> {
                trace.add("error " + decoder.error().text());
                over = true;
                return false;
            }
        }
        return true;
    }
}
