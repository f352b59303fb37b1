package io.margay.server.serial;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;

/// The head that stands for bytes that were none. Stateless.
public final class NoRequest {
    public static final RequestHead HEAD =
            new RequestHead(
                    "-",
                    new RequestTarget(RequestTarget.Form.ORIGIN, "-", "/", null, null, null),
                    HttpVersion.HTTP_1_1,
                    Fields.EMPTY,
                    RequestHead.NO_BODY,
                    false,
                    false);

    private NoRequest() {}
}
