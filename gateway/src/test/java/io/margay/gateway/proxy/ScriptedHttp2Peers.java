package io.margay.gateway.proxy;

import io.margay.protocol.http2.Http2;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;

/// HTTP/2 peers that read whole requests and leave the rest to the test.
final class ScriptedHttp2Peers {
    private ScriptedHttp2Peers() {}

    /// What is done with a request that is complete.
    interface Answer {
        void to(Http2Wire wire, int id, String path) throws IOException;
    }

    /// A peer that serves connection after connection.
    static ScriptedPeer.Script serving(byte[] settings, Answer answer) {
        return talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            wire.send(Http2.SETTINGS, 0, 0, settings);
            for (Http2Wire.Frame frame = wire.read(); frame != null; frame = wire.read()) {
                if (frame.ends()) {
                    String head = wire.on(frame.id()).head();
                    talk.heads().add(head);
                    answer.to(wire, frame.id(), path(head));
                }
            }
        };
    }

    static ScriptedPeer.Script serving(Answer answer) {
        return serving(Http2Wire.settings(), answer);
    }

    /// The path of a request.
    static String path(String head) {
        return head.lines()
                .filter(line -> line.startsWith(":path: "))
                .findFirst()
                .orElseThrow()
                .substring(7);
    }

    /// Answers with the path.
    static void good(Http2Wire wire, int id, String path) throws IOException {
        wire.headers(id, false, ":status: 200", "content-length: " + path.length());
        wire.data(id, true, path);
    }
}
