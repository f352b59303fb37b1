package io.margay.gateway.health;

import io.margay.testkit.ScriptedPeer;
import java.io.IOException;

/// A peer that answers the first octets of each connection always alike, and not at all when the
/// answer is empty. Octets are written as ISO 8859-1. Thread-safe.
final class FixedPeer implements AutoCloseable {
    private final ScriptedPeer peer = new ScriptedPeer(this::serve);
    private volatile String answer;
    private volatile String asked = "";

    FixedPeer(String answer) throws IOException {
        this.answer = answer;
    }

    int port() {
        return peer.port();
    }

    void answer(String now) {
        answer = now;
    }

    /// What came last.
    String asked() {
        return asked;
    }

    private void serve(ScriptedPeer.Talk talk) throws IOException {
        String some = talk.some();
        if (!some.isEmpty()) {
            asked = some;
        }
        if (!answer.isEmpty()) {
            talk.send(answer).socket().shutdownOutput();
        }
        talk.awaitEnd();
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}
