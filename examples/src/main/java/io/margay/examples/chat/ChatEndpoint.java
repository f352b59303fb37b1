package io.margay.examples.chat;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.lang.System.Logger.Level;

/// One person in one room. Each has an instance of its own, which one thread at a time works on.
///
/// What is sent are lines: `name: text` for what somebody says, `* text` for what happens.
@ServerEndpoint("/room/{room}/{name}")
public final class ChatEndpoint {
    private static final System.Logger LOG = System.getLogger(ChatEndpoint.class.getName());
    private static final int NAME_MAX = 20;
    private static final Rooms ROOMS = new Rooms();

    private String room = "";
    private String name = "";
    private boolean present;

    /// Somebody comes in, and everybody sees it.
    @OnOpen
    public void open(
            Session session, @PathParam("room") String where, @PathParam("name") String who)
            throws IOException {
        room = where;
        name = who.strip();
        if (name.isEmpty() || name.length() > NAME_MAX) {
            session.close(
                    new CloseReason(
                            CloseCodes.VIOLATED_POLICY,
                            "a name has 1 to " + NAME_MAX + " characters"));
            return;
        }
        present = true;
        ROOMS.enter(room, session);
        ROOMS.tell(room, "* " + name + " has come in");
    }

    /// Somebody says something.
    @OnMessage(maxMessageSize = 2000)
    public void say(String text) {
        if (present && !text.isBlank()) {
            ROOMS.tell(room, name + ": " + text);
        }
    }

    /// Somebody has left, for whatever reason.
    @OnClose
    public void close(Session session, CloseReason reason) {
        if (present) {
            present = false;
            ROOMS.leave(room, session);
            ROOMS.tell(room, "* " + name + " has left");
        }
    }

    /// Tells the developer; the person is not to blame.
    @OnError
    public void failed(Throwable cause) {
        LOG.log(Level.DEBUG, "the chat of " + name + " failed", cause);
    }
}
