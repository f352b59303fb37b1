package io.margay.app.sample;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// Takes whole messages, and tells how long they were.
@ServerEndpoint("/ws")
public class ListeningEndpoint {
    @OnMessage
    public String heard(String message) {
        return message.length() + " characters";
    }
}
