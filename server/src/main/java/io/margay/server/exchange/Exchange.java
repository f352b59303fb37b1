package io.margay.server.exchange;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request and its response, whichever protocol and transport carry it. Engines see nothing
/// below this.
///
/// Used by one thread at a time: first the connection's loop thread, then whichever thread the
/// handler works on; passing it on needs a happens-before edge, which [#dispatch] and the callbacks
/// give. [#end], [#abort], [#dispatch] and the getters of the request may be called from any
/// thread. Never reused: after the end every method that moves bytes throws
/// `IllegalStateException`.
///
/// **Two ways to move bytes.** `read`, `write` and `sendFile` wait, and so are allowed only after
/// [#dispatch]; `poll` and `offer` never wait, and `onReadable` and `onWritable` say when to go on.
public interface Exchange {
    // The request

    /// The request's head.
    RequestHead request();

    /// The one canonical path by which the request is routed, authorised and looked up, or its
    /// error.
    default CanonicalPath path() {
        return CanonicalPath.of(request().target().rawPath());
    }

    /// `http` or `https`: of the connection, or as a trusted front end reports it.
    String scheme();

    /// The client's address, or the address that a trusted front end reports.
    SocketAddress remote();

    /// The address that accepted the request.
    SocketAddress local();

    /// What TLS agreed on, on this connection or on the one before a trusted front end; or null.
    @Nullable TlsInfo tls();

    /// A number unique in this process for each connection.
    long connectionId();

    /// A number unique in this process for each exchange.
    long id();

    /// What the protocol itself calls this request: the number of its stream with HTTP/2, empty
    /// with HTTP/1.
    default String protocolRequestId() {
        return "";
    }

    /// `System.nanoTime()` when the head was complete.
    long startNanos();

    /// Name of the attribute that tells how a front end has authenticated [#remoteUser].
    String AUTH_TYPE = "margay.auth-type";

    /// Name of the attribute that is the client's name, if a front end has looked it up.
    String REMOTE_HOST = "margay.remote-host";

    /// Facts that a front end sent beside the request (AJP13 attributes), or null.
    @Nullable Object attribute(String name);

    /// Names of the facts that a front end sent for the application to see.
    default Set<String> attributeNames() {
        return Set.of();
    }

    /// Reads content, waiting for at least one byte; sends `100 Continue` first if the client
    /// expects it.
    ///
    /// @return bytes read, or -1 at the end of the content
    /// @throws RequestBodyException when the client breaks the framing, stalls or leaves
    int read(byte[] target, int offset, int length) throws IOException;

    /// Like [#read], but returns 0 when no byte can be had now.
    int poll(byte[] target, int offset, int length) throws IOException;

    /// Whether the content has been read to its end; true from the start when there is none.
    boolean inputEnded();

    /// Runs `task` once on the loop thread as soon as [#poll] has bytes, the end, or an error. One
    /// at a time.
    void onReadable(Runnable task);

    /// Trailer fields (RFC 9110 §6.5), empty before the end of the content.
    Fields trailers();

    // The response

    /// The status, 200 until set.
    int status();

    /// Sets the status, 200 to 599, before the response is committed.
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

    /// Gives up: the connection (or HTTP/2 stream) is closed so that the client sees a failure.
    void abort();

    /// Bytes of content handed to the connection so far, before chunking, without the head.
    long bytesSent();

    /// Switches protocols: sends status 101 with the fields, then `read`, `poll`, `write` and
    /// `offer` move raw bytes until [#end] closes the connection (RFC 9110 §7.8). With HTTP/2 an
    /// extended CONNECT for WebSocket (RFC 8441) stands here as an upgrade: a GET with the field
    /// `Upgrade`, whose acceptance is sent as status 200, and the bytes are those of the stream.
    void upgrade() throws IOException;

    // Threads and life

    /// Runs `task` on a thread that may wait, by the server's dispatch policy. What leaves the task
    /// as an exception is answered with 500 or aborts.
    void dispatch(Runnable task);

    /// Runs `task` on the loop thread.
    void execute(Runnable task);

    /// Runs `task` once after the end, in success or failure, on any thread: access log, release of
    /// resources. May be called several times.
    void onEnd(Runnable task);

    /// Why the exchange failed, or null: the client left, broke the protocol, or stalled.
    @Nullable IOException failure();

    /// The authenticated user for the access log, or null.
    @Nullable String remoteUser();

    /// Sets the authenticated user.
    void remoteUser(@Nullable String user);

    // For the access log

    /// What is noted of it; one object as long as it lives, made when it is first asked for.
    default ExchangeNotes notes() {
        return new ExchangeNotes();
    }

    /// Who answered in place of this server, or null.
    default @Nullable Relay relay() {
        return notes().relay();
    }

    /// Bytes of this request on the wire, head included, as far as they have been used.
    default long wireBytesIn() {
        return 0;
    }

    /// Bytes of this response on the wire, head and chunking included.
    default long wireBytesOut() {
        return bytesSent();
    }

    /// The place of this request among those of its connection, from 1; 0 when not known.
    default int requestNumber() {
        return 0;
    }

    /// Whether the connection is kept after the response.
    default boolean connectionKept() {
        return false;
    }
}
