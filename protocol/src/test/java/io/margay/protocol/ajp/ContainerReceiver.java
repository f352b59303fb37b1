package io.margay.protocol.ajp;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Feeds an [AjpRequestDecoder] as a connection does, and tells what it says.
final class ContainerReceiver implements CutEverywhere.Receiver {
    private final AjpLimits limits;
    private final AjpRequestDecoder decoder;
    private byte[] received = new byte[0];
    private @Nullable AjpBodyDecoder body;
    private boolean over;

    ContainerReceiver(AjpLimits limits) {
        this.limits = limits;
        decoder = new AjpRequestDecoder(limits);
    }

    @Override
    public void receive(byte[] buffer, int from, int to, Trace trace) {
        int before = received.length;
        received = Arrays.copyOf(received, before + to - from);
        System.arraycopy(buffer, from, received, before, to - from);
        int at = 0;
        while (!over) {
            AjpBodyDecoder content = body;
            int end = content != null ? content(at, content, trace) : head(at, trace);
            if (end < 0) {
                break;
            }
            at = end;
        }
        received = Arrays.copyOfRange(received, at, received.length);
    }

    private int head(int from, Trace trace) {
        switch (decoder.decode(received, from, received.length)) {
            case NEED_MORE -> {
                return -1;
            }
            case REQUEST -> request(decoder.request(), trace);
            case REFUSED -> {
                trace.add("refused " + decoder.error().cause().status() + attributes());
                over = true;
            }
            case PING -> trace.add("ping");
            case IGNORED -> trace.add("ignored");
            case ERROR -> {
                return error(trace);
            }
        }
        return decoder.packetEnd();
    }

    private int content(int from, AjpBodyDecoder content, Trace trace) {
        if (from == received.length && !content.ended()) {
            return -1;
        }
        switch (content.decode(received, from, received.length)) {
            case NEED_MORE, PACKET_END -> {}
            case DATA -> {
                trace.data(received, content.dataFrom(), content.dataTo());
            }
            case END -> {
                if (content.remaining() < 0) {
                    trace.add("end");
                }
                body = null;
            }
            case ERROR -> {
                trace.add("error " + content.error().cause().text());
                over = true;
                return -1;
            }
        }
        return content.consumed();
    }

    private int error(Trace trace) {
        trace.add("error " + decoder.error().cause().text());
        over = true;
        return -1;
    }

    private void request(AjpForwardRequest request, Trace trace) {
        RequestHead head = request.head();
        trace.add(
                String.join(
                        " ",
                        "request",
                        head.method(),
                        head.target().raw(),
                        head.version().text(),
                        "length " + head.contentLength()));
        trace.add(
                "from "
                        + request.remoteAddress()
                        + " "
                        + request.remoteHost()
                        + " to "
                        + request.serverName()
                        + " "
                        + request.serverPort()
                        + (request.secure() ? " secure" : ""));
        Fields fields = head.fields();
        for (int i = 0; i < fields.size(); i++) {
            trace.add("field " + fields.name(i) + ": " + fields.value(i));
        }
        if (!attributes().isEmpty()) {
            trace.add("attributes" + attributes());
        }
        body = head.contentLength() == 0 ? null : new AjpBodyDecoder(limits, head.contentLength());
    }

    private String attributes() {
        AjpAttributes attributes = decoder.attributes();
        StringBuilder text = new StringBuilder();
        for (AjpAttribute attribute : AjpAttribute.values()) {
            if (attributes.get(attribute) != null) {
                text.append(' ').append(attribute).append('=').append(attributes.get(attribute));
            }
        }
        if (attributes.keyBits() != AjpAttributes.NO_KEY_BITS) {
            text.append(" bits=").append(attributes.keyBits());
        }
        for (String name : attributes.names()) {
            text.append(' ').append(name).append('=').append(attributes.named(name));
        }
        return text.toString();
    }
}
