package io.margay.protocol.multiplex;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Priority;
import org.jspecify.annotations.Nullable;

/// One request and its response on a connection that carries many at a time, as a server sees it,
/// whatever puts them into frames: a stream of HTTP/2 is one. What is sent collects in the output
/// of its connection. Guarded as the connection's session is.
public abstract class MessageStream {
    private @Nullable Priority priority;
    private @Nullable Object owner;

    /// Why a stream ends.
    public enum End {
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
    public abstract long number();

    /// Whether the client has sent all it will send.
    public abstract boolean isInputEnded();

    /// How urgently the response is wanted; null when the client has not said.
    public final @Nullable Priority priority() {
        return priority;
    }

    /// Says how urgently it is wanted.
    public final void priority(@Nullable Priority now) {
        priority = now;
    }

    /// Whose stream it is.
    public final @Nullable Object owner() {
        return owner;
    }

    /// Says whose stream it is.
    public final void owner(Object value) {
        owner = value;
    }

    /// Sends an interim or final head of a response.
    ///
    /// @param length what `Content-Length` is to say, or negative for nothing
    /// @param date what `Date` is to say unless the fields have one, or null
    /// @param ends whether nothing follows
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public abstract void respond(
            int status, FieldList fields, long length, @Nullable String date, boolean ends);

    /// Sends content as far as the client has given room for it, at most one frame.
    ///
    /// @param ends whether nothing follows these octets
    /// @return octets sent; less than `length` when there is no room for more now
    public abstract int send(byte[] source, int offset, int length, boolean ends);

    /// Whether the connection as a whole has room for content.
    public abstract boolean hasConnectionRoom();

    /// Sends trailers, which end the message.
    ///
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public abstract void sendTrailers(FieldList fields);

    /// Content has been used: the client may send as much again.
    ///
    /// @return whether it is to be told now, so that the output needs to be sent
    public abstract boolean used(int count);

    /// Ends the stream before its time, unless it has ended.
    public abstract void reset(End why);

    /// Work on it is over: when it has ended, the client may begin another in its place.
    public abstract void release();

    /// Octets of the connection's output that wait to be taken.
    public abstract int output();
}
