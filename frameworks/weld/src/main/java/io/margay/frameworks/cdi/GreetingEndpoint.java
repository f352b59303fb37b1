package io.margay.frameworks.cdi;

import jakarta.inject.Inject;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// Answers by a bean.
@ServerEndpoint("/talk")
public class GreetingEndpoint {
    @Inject private Rights rights;

    @OnMessage
    public String said(String name) {
        return name + " " + rights.mayEnter(name);
    }
}
