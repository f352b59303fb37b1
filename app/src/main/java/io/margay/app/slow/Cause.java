package io.margay.app.slow;

import io.margay.server.timing.RequestPhase;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a request may spend long on, as it stands after "so long of it".
public enum Cause {
    HELD("held back by a stage of the host: a limit, a login, the shield"),
    QUEUED("waiting for a thread, for all were busy"),
    CONTENT("waiting for content that the client was slow to send"),
    CLIENT("waiting for the client to take the response"),
    CONNECT("finding a member and connecting to it"),
    SEND("passing the request to the member"),
    ANSWER("waiting for the answer of the member"),
    PASSING("passing on the content of the member's answer, as it came"),
    COLLECTIONS("stopped by garbage collections"),
    LOCK("waiting for a lock"),
    POOL("waiting for a connection of a pool"),
    STATEMENT("waiting for a database"),
    SESSIONS("waiting for the store of sessions"),
    PAGE("compiling a page"),
    CLASSES("loading and initializing classes"),
    NAME("looking up the address of a host"),
    HANDSHAKE("shaking hands with another server by TLS"),
    DIAL("connecting to another server"),
    HTTP("waiting for another server by HTTP"),
    SOCKET("waiting for another server"),
    FILE("reading and writing files"),
    PROGRAM("waiting for another program"),
    SLEEP("asleep in Thread.sleep"),
    PERMIT("waiting for a permit of a semaphore"),
    THREAD("waiting for another thread"),
    PROCESSOR("computing"),
    APART("in asynchronous work of the application, on no thread of the server"),

    /// Nothing was seen of it.
    ANSWERER("in the application, or in serving a file");

    private static final Set<Cause> PHASES = EnumSet.range(HELD, ANSWER);

    private final String text;

    Cause(String text) {
        this.text = text;
    }

    /// Its name in JSON.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// In words.
    String text() {
        return text;
    }

    /// Whether time spent so is known to the microsecond already.
    boolean isPhase() {
        return PHASES.contains(this);
    }

    /// The one of a phase; null = that is not part of how long a request takes.
    static @Nullable Cause of(RequestPhase phase) {
        return switch (phase) {
            case HEAD -> null;
            case HELD -> HELD;
            case QUEUED -> QUEUED;
            case CONTENT -> CONTENT;
            case CONNECT -> CONNECT;
            case SEND -> SEND;
            case ANSWER -> ANSWER;
            case CLIENT -> CLIENT;
        };
    }
}
