package io.margay.protocol.multiplex;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Priority;
import org.jspecify.annotations.Nullable;

/// One request and its response on a connection that carries many at a time, as a server sees it,
/// whatever puts them into frames: a stream of HTTP/2 is one. What is sent collects in the output
/// of its connection. Guarded as the connection's session is.
public interface MessageStream {
    /// Why a stream ends.
    enum End {
        /// Nothing is wrong; at most the rest of the request is not wanted.
        DONE,
        /// The server has failed.
        FAILED,
        /// The client takes or sends too little.
        CANCELLED,
        /// There is no room for what the client sends.
        TOO_MUCH
    }

    /// Its number, which grows with each request.
    long number();

    /// Whether the client has sent all it will send.
    boolean isInputEnded();

    /// How urgently the response is wanted; null when the client has not said.
    @Nullable Priority priority();

    /// Says how urgently it is wanted.
    void priority(Priority now);

    /// Whose stream it is.
    @Nullable Object owner();

    /// Says whose stream it is.
    void owner(Object value);

    /// Sends an interim or final head of a response.
    ///
    /// @param length what `Content-Length` is to say, or negative for nothing
    /// @param date what `Date` is to say unless the fields have one, or null
    /// @param ends whether nothing follows
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    void respond(int status, FieldList fields, long length, @Nullable String date, boolean ends);

    /// Sends content as far as the client has given room for it, at most one frame.
    ///
    /// @param ends whether nothing follows these octets
    /// @return octets sent; less than `length` when there is no room for more now
    int send(byte[] source, int offset, int length, boolean ends);

    /// Whether the connection as a whole has room for content.
    boolean hasConnectionRoom();

    /// Sends trailers, which end the message.
    ///
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    void sendTrailers(FieldList fields);

    /// Content has been used: the client may send as much again.
    ///
    /// @return whether it is to be told now, so that the output needs to be sent
    boolean used(int count);

    /// Ends the stream before its time, unless it has ended.
    void reset(End why);

    /// Work on it is over: when it has ended, the client may begin another in its place.
    void release();

    /// Octets of the connection's output that wait to be taken.
    int output();
}
