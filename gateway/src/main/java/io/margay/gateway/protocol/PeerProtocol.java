package io.margay.gateway.protocol;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;

/// How requests and responses look on one connection to a peer. Confined to its loop.
///
/// A new protocol is a class beside [Http1Protocol] and a line in [PeerProtocols].
public interface PeerProtocol {
    /// What [#decode] found.
    enum Step {
        /// Nothing more in what was received.
        NEED_MORE,
        /// An interim head: see [#head].
        INTERIM,
        /// The head: see [#head].
        HEAD,
        /// Content: see [#dataFrom], [#dataTo].
        DATA,
        /// What came so far is to be passed on now.
        FLUSH,
        /// The peer asks for content.
        ROOM,
        /// The response is complete.
        END,
        /// The response to a ping.
        PONG,
        /// Not this protocol, or a response that contradicts itself: see [#error].
        ERROR
    }

    /// Puts the head of a request.
    ///
    /// @throws IllegalArgumentException when the protocol cannot carry it
    void begin(PeerRequest request, SendBuffer out);

    /// Bytes of content that may be put while nothing is pending.
    int contentRoom();

    /// Puts content.
    void content(byte[] source, int offset, int length, SendBuffer out);

    /// Ends the content.
    void contentEnd(FieldList trailers, SendBuffer out);

    /// Puts a ping.
    ///
    /// @return false when the protocol has none
    boolean ping(SendBuffer out);

    /// Looks at what was received; [#consumed] says how far it is done with.
    Step decode(byte[] buffer, int from, int to);

    /// The peer has ended its output: END when that ends the response properly.
    Step inputEnded();

    /// Offset after what is done with.
    int consumed();

    ResponseHead head();

    int dataFrom();

    int dataTo();

    default Fields trailers() {
        return Fields.EMPTY;
    }

    /// After END, whether the connection may carry another request.
    boolean reusable();

    /// Whether bytes are passed on as they are, after a switch of protocols.
    default boolean raw() {
        return false;
    }

    /// What is wrong, for the log.
    String error();
}
