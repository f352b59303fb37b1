package io.margay.frameworks.cdi;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/// Answers by a bean.
@ServerEndpoint("/talk")
public class GreetingEndpoint {
    @Inject private Rights rights;
    @Inject private Ending ending;

    @OnMessage
    public String said(String name) {
        return name + " " + rights.mayEnter(name) + " " + ending.word();
    }

    @PreDestroy
    void end() {
        Ends.tell("endpoint");
    }
}
