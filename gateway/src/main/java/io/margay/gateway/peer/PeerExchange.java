package io.margay.gateway.peer;

import io.margay.gateway.protocol.PeerRequest;
import io.margay.protocol.http.FieldList;

/// One request on a connection to a peer, from [#begin] to the last call of its [ResponseListener].
/// Confined to the connection's loop; after the end it must not be used.
///
/// What is put is collected until [#flush], so that a head and its content take one system call.
public interface PeerExchange {
    /// Puts the head of a request.
    ///
    /// @throws IllegalArgumentException when the protocol cannot carry it; nothing is sent, and the
    ///   connection is to be given back by [#cancel]
    void begin(PeerRequest request, ResponseListener listener);

    /// Bytes of content that may be put now.
    int contentRoom();

    /// Puts content, at most [#contentRoom] bytes.
    ///
    /// @param last whether neither content nor trailers follow, so that the end can go with it
    void content(byte[] source, int offset, int length, boolean last);

    /// Ends the content, unless it has ended already.
    ///
    /// @param trailers fields after it, where the protocol has them
    void contentEnd(FieldList trailers);

    /// Sends what was put; what the peer does not take at once is kept.
    void flush();

    /// Whether the peer may have begun to work on the request: some of it has been handed to the
    /// operating system, and the peer has not said that it did not look at it.
    boolean sent();

    /// Whether any byte of a response has come.
    boolean answered();

    /// Whether the peer may have ended the connection before it came to the request: it has carried
    /// another one before, or, over HTTP/2, the peer has not said anything on it, or has said that
    /// it goes away.
    boolean stale();

    /// Whether the peer has answered nothing yet on a connection that carries several requests: a
    /// process that was about to end may have taken it.
    default boolean unproven() {
        return false;
    }

    /// Stops reading the response until [#resume].
    void pause();

    /// Goes on reading.
    void resume();

    /// After a switch of protocols: ends the output once all of it is sent.
    void shutdownOutput();

    /// Gives the request up, and closes the connection unless it carries others too.
    void cancel();
}
