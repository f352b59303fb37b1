package io.margay.server.timing;

import java.util.Locale;

/// What a request may spend time on. Phases may overlap: content of a client is waited for while a
/// member has the head of the request already.
public enum RequestPhase {
    /// From the begin of the connection to the whole head of its first request: the handshake of
    /// TLS, and a client that is slow to ask. Not part of the duration of the request.
    HEAD("from accepting the connection to the whole head of its first request"),

    /// A stage of the host holds the request: a limit, a login, the shield.
    HELD("held by stages of the host: limits, logins"),

    /// A thread is waited for.
    QUEUED("waiting for a thread"),

    /// Content of the client is waited for.
    CONTENT("waiting for content of the client"),

    /// A member is chosen and a connection to it is waited for, failed attempts included.
    CONNECT("choosing a member and connecting to it, failed attempts included"),

    /// From the connection to the whole request, as far as it was passed on before the answer.
    SEND("passing the request to the member"),

    /// From the request to the head of the member's answer.
    ANSWER("waiting for the head of the member's answer"),

    /// The client does not take what is there to be sent.
    CLIENT("waiting for the client to take the response");

    private final String label;
    private final String meaning;

    RequestPhase(String meaning) {
        this.meaning = meaning;
        label = name().toLowerCase(Locale.ROOT);
    }

    /// Its name in logs and metrics.
    public String label() {
        return label;
    }

    /// What it is, for the reference.
    public String meaning() {
        return meaning;
    }
}
