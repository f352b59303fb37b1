package io.margay.protocol.http2;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A client and a server session that are joined by memory, and what each has seen. For one test.
final class Http2Peers {
    final Http2Session client;
    final Http2Session server;
    final List<String> atClient = new ArrayList<>();
    final List<String> atServer = new ArrayList<>();

    Http2Peers(Http2Limits limits) {
        client = new Http2Session(Role.CLIENT, Http2Limits.defaults(), false, -1);
        server = new Http2Session(Role.SERVER, limits, false, -1);
    }

    static FieldList get(String path) {
        return head("GET", path);
    }

    static FieldList head(String method, String path) {
        return new FieldList()
                .add(":method", method)
                .add(":scheme", "http")
                .add(":authority", "a.example")
                .add(":path", path);
    }

    /// Carries what waits, until nothing does.
    void settle() {
        boolean any = true;
        while (any) {
            any = carry(client, server, atServer) | carry(server, client, atClient);
        }
    }

    static boolean carry(Http2Session from, Http2Session to, List<String> trace) {
        int count = from.output().size();
        if (count == 0) {
            return false;
        }
        byte[] bytes = from.output().exchange(new byte[0]);
        receive(to, bytes, 0, count, trace);
        return true;
    }

    /// Feeds a session, and notes what it tells.
    ///
    /// @return where it wants to go on
    static int receive(Http2Session session, byte[] bytes, int from, int to, List<String> trace) {
        int at = from;
        while (true) {
            Event event = session.receive(bytes, at, to);
            int used = session.consumed();
            switch (event) {
                case NEED_MORE -> {
                    return used;
                }
                case NONE, ROOM -> {}
                case FAILED -> {
                    trace.add("FAILED " + code(session));
                    return to;
                }
                default -> trace.add(describe(session, event, bytes));
            }
            at = used;
        }
    }

    private static int code(Http2Session session) {
        var error = session.refusal();
        return error == null ? -1 : error.http2Code();
    }

    private static String describe(Http2Session session, Event event, byte[] bytes) {
        Http2Stream stream = session.stream();
        String prefix = event + (stream == null ? "" : " " + stream.id());
        String ends = stream != null && stream.isInputEnded() ? " end" : "";
        return switch (event) {
            case HEAD -> prefix + " " + head(session) + ends;
            case REFUSED -> {
                var error = session.refusal();
                yield prefix + " " + (error == null ? "" : error.status());
            }
            case DATA ->
                    prefix
                            + " "
                            + new String(
                                    bytes,
                                    session.dataFrom(),
                                    session.dataTo() - session.dataFrom(),
                                    StandardCharsets.ISO_8859_1)
                            + ends;
            case TRAILERS -> prefix + " " + session.trailers().toString().strip() + ends;
            case RESET -> prefix + " " + code(session);
            default -> prefix;
        };
    }

    private static String head(Http2Session session) {
        try {
            var head = session.requestHead();
            return head.method()
                    + " "
                    + head.target().raw()
                    + " "
                    + head.contentLength()
                    + " "
                    + head.fields().toString().strip().replace("\n", ", ");
        } catch (IllegalStateException e) {
            var head = session.responseHead();
            return head.status()
                    + " "
                    + head.contentLength()
                    + " "
                    + head.fields().toString().strip().replace("\n", ", ");
        }
    }

    /// A frame as octets.
    static byte[] frame(int type, int flags, int id, byte[] payload) {
        Http2Buffer out = new Http2Buffer();
        out.putFrameHeader(payload.length, type, flags, id);
        out.put(payload, 0, payload.length);
        return Arrays.copyOf(out.array(), out.size());
    }
}
