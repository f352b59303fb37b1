package io.margay.app.agreement.member;

import java.util.List;

/// A request as it is sent, and what the member answers. Immutable.
///
/// @param fields but for `Host` and what frames the message
/// @param hop what `Connection` names besides `close`, or [#UPGRADE] alone; empty = nothing
/// @param content empty = none
/// @param chunked whether the content is sent in chunks, with a trailer
record MemberProbe(
        String method,
        String target,
        List<String> fields,
        String hop,
        String content,
        boolean chunked,
        MemberReply reply) {
    /// Of a request for a WebSocket session.
    static final String UPGRADE = "Upgrade";

    MemberProbe {
        fields = List.copyOf(fields);
    }

    /// Its bytes, one for each character.
    String text(String host) {
        StringBuilder text = new StringBuilder();
        text.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ").append(host);
        text.append("\r\n");
        fields.forEach(field -> text.append(field).append("\r\n"));
        text.append("Connection: ");
        if (hop.equals(UPGRADE)) {
            text.append(hop).append("\r\n");
        } else {
            text.append("close").append(hop.isEmpty() ? "" : ", " + hop).append("\r\n");
        }
        if (chunked) {
            text.append("Transfer-Encoding: chunked\r\n\r\n");
            text.append(Integer.toHexString(content.length())).append("\r\n").append(content);
            return text.append("\r\n0\r\nX-Trailer: end\r\n\r\n").toString();
        }
        if (!content.isEmpty()) {
            text.append("Content-Length: ").append(content.length()).append("\r\n");
        }
        return text.append("\r\n").append(content).toString();
    }

    @Override
    public String toString() {
        return method
                + " "
                + target
                + " "
                + fields
                + (hop.isEmpty() ? "" : " hop " + hop)
                + (content.isEmpty() ? "" : (chunked ? " chunked <" : " <") + content)
                + " => "
                + reply.status()
                + " "
                + reply.fields();
    }
}
