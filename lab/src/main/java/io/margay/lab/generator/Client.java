package io.margay.lab.generator;

/// A connection as the loop sees it. Confined to the loop.
sealed interface Client permits ClientConnection, Http2Client, Http3Client {
    /// Connects without a request.
    void open();

    /// The selector has found it ready.
    void ready();

    /// Gives up what has waited since before that moment.
    void giveUp(long nanos);

    /// Closes it; nothing if it is closed.
    void close();
}
