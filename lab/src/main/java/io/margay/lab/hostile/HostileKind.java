package io.margay.lab.hostile;

/// What a hostile client does.
public enum HostileKind {
    /// Sends the head of a request an octet at a time.
    SLOW_HEAD("slow senders"),
    /// Sends content an octet at a time.
    SLOW_UPLOAD("slow uploads"),
    /// Asks for a large file and takes it a few octets at a time.
    SLOW_READER("slow readers"),
    /// Opens a connection, asks once, and closes it with a reset; then the next, as fast as it can.
    STORM("connections opened and closed"),
    /// Sends good requests and, after nine of them, a bad one.
    BAD_REQUESTS("requests, one in ten bad");

    private final String title;

    HostileKind(String title) {
        this.title = title;
    }

    /// What several of them are called.
    public String title() {
        return title;
    }

    /// Whether its connections are held until the process is ended.
    boolean isSlow() {
        return this == SLOW_HEAD || this == SLOW_UPLOAD || this == SLOW_READER;
    }
}
