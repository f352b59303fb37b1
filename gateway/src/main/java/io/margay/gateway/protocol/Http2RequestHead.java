package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerLimits;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;

/// The head of a request to an HTTP/2 peer. A WebSocket is asked for by extended CONNECT (RFC
/// 8441); its acceptance becomes what HTTP/1.1 says, so that above there is one way. Stateless.
public final class Http2RequestHead {
    private static final String KEY = "Sec-WebSocket-Key";
    private static final String ACCEPT = "Sec-WebSocket-Accept";

    private Http2RequestHead() {}

    /// The fields, the pseudo-header fields first.
    ///
    /// @throws LargeHeadException when they are larger than `limits` allows
    public static FieldList of(PeerRequest request, PeerLimits limits) {
        FieldList fields = request.fields();
        String host = fields.get("Host");
        FieldList head =
                new FieldList()
                        .add(":method", request.upgrade() ? "CONNECT" : request.method())
                        .add(":scheme", request.peer().address().scheme().urlScheme());
        if (host != null) {
            head.add(":authority", host);
        }
        head.add(":path", request.target());
        if (request.upgrade()) {
            head.add(":protocol", "websocket");
        }
        for (int i = 0; i < fields.size(); i++) {
            Fields received = fields.received(i);
            if (request.upgrade() && fields.nameIs(i, KEY)) {
                continue;
            }
            if (received == null) {
                head.add(fields.name(i), fields.value(i));
            } else {
                head.add(received, fields.receivedIndex(i));
            }
        }
        if (takesTrailers(request.exchange().request().fields())) {
            head.add("te", "trailers");
        }
        long bytes = 0;
        for (int i = 0; i < head.size(); i++) {
            bytes += head.nameLength(i) + head.valueLength(i);
        }
        if (bytes > limits.requestHeadBytesMax()) {
            throw new LargeHeadException("the head exceeds request-head-bytes-max");
        }
        return head;
    }

    /// Trailers are passed on, so that what the client says of them is, too (RFC 9110 §10.1.4).
    private static boolean takesTrailers(Fields fields) {
        for (int i = fields.indexOf("te", 0); i >= 0; i = fields.indexOf("te", i + 1)) {
            for (String each : fields.value(i).split(",")) {
                if (each.strip().equalsIgnoreCase("trailers")) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The length to declare, or -1 for none.
    public static long length(PeerRequest request) {
        boolean none = request.contentLength() == RequestHead.NO_BODY;
        return !none ? request.contentLength() : request.declaresNoContent() ? 0 : -1;
    }

    /// What is said to the key of a client's WebSocket once the peer has accepted it.
    public static String accept(PeerRequest request) {
        return WebSocketKey.accept(String.valueOf(request.fields().get(KEY)));
    }

    /// The acceptance of a WebSocket as HTTP/1.1 says it.
    public static ResponseHead asSwitch(ResponseHead head, String accept) {
        Fields received = head.fields();
        Fields.Builder fields = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            String name = received.name(i);
            if (!name.equalsIgnoreCase("content-length") && !name.equalsIgnoreCase(ACCEPT)) {
                fields.add(name, received.value(i));
            }
        }
        fields.add("Upgrade", "websocket").add(ACCEPT, accept);
        return new ResponseHead(head.version(), 101, "", fields.build(), 0, true);
    }
}
