package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of an exchange: prepared, then committed with its first bytes, then ended.
///
/// Belongs to whoever works on the exchange; [#end] may be called from any thread. `write` and
/// `sendFile` wait, and so are allowed only after [ExchangeScheduling#dispatch]; `offer` never
/// waits, and `onWritable` says when to go on.
public interface ExchangeResponse {
    /// The status, 200 until set.
    int status();

    /// Sets the status, 200 to 999, before the response is committed.
    void status(int status);

    /// The response's fields, to be changed until the response is committed. The protocol adds
    /// framing, `Date` and connection fields itself; a `Content-Length` set here is a promise that
    /// is enforced.
    FieldList fields();

    /// Whether the head has been sent.
    boolean committed();

    /// Sends an interim response such as 103 (RFC 9110 §15.2).
    void interim(int status, FieldList fields) throws IOException;

    /// Sends content, with the head before it, and waits until the connection has taken it. Nothing
    /// is held back: callers collect small pieces themselves.
    void write(byte[] source, int offset, int length) throws IOException;

    /// Like [#write], but takes everything at once, keeping what the peer does not take now; the
    /// caller goes on only after [#writable].
    void offer(byte[] source, int offset, int length) throws IOException;

    /// Whether nothing is kept from earlier offers.
    boolean writable();

    /// Runs `task` once on the loop thread as soon as [#writable] or the connection failed. One at
    /// a time.
    void onWritable(Runnable task);

    /// Sends a part of a file as content. From the loop thread it does not wait: the rest follows
    /// as the peer takes it, and `file` is closed at the end in every case.
    void sendFile(FileChannel file, long position, long count) throws IOException;

    /// Sends the head now, without content.
    void flush() throws IOException;

    /// Has the client get what has been written, where something on its way keeps it to encode it
    /// better with what follows.
    default void push() throws IOException {}

    /// Fields to send after the content, asked for at the end.
    void trailers(Supplier<FieldList> trailers);

    /// Ends the response with these last bytes. When the response was not committed before, its
    /// length is known and sent. May wait only where the calling thread may.
    void end(byte[] source, int offset, int length) throws IOException;

    /// The same with bytes that nobody changes any more: where the protocol can, they are sent from
    /// where they are, and the caller does not wait for them.
    default void endConstant(byte[] source, int offset, int length) throws IOException {
        end(source, offset, length);
    }

    /// Ends the response with a part of a file, which is closed then in every case. Where the
    /// transport can, the caller does not wait: the loop sends the rest as the peer takes it.
    default void endFile(FileChannel file, long position, long count) throws IOException {
        sendFile(file, position, count);
        end();
    }

    /// Ends the response. See above.
    void end() throws IOException;

    /// Bytes of content handed to the connection so far, before chunking, without the head.
    long bytesSent();

    /// Switches protocols: sends status 101 with the fields, then `read`, `poll`, `write` and
    /// `offer` move raw bytes until [#end] closes the connection (RFC 9110 §7.8). With HTTP/2 an
    /// extended CONNECT for WebSocket (RFC 8441) stands here as an upgrade: a GET with the field
    /// `Upgrade`, whose acceptance is sent as status 200, and the bytes are those of the stream.
    void upgrade() throws IOException;

    /// Bytes of this response on the wire, head and chunking included.
    default long wireBytesOut() {
        return bytesSent();
    }

    /// Whether the connection is kept after the response.
    default boolean connectionKept() {
        return false;
    }
}
