package io.margay.app.it;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// An endpoint for [IdleWebSocketsIT]: it answers a text with the same.
@ServerEndpoint("/idle")
public class IdleEndpoint {
    /// Answers.
    @OnMessage
    public String echo(String text) {
        return text;
    }
}
