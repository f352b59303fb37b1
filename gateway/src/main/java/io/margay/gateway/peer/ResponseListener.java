package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;

/// Told of the response to one request. Called on the loop of the connection; [#end] or [#failed]
/// is the last call, and after [PeerExchange#cancel] there is none.
public interface ResponseListener {
    /// An interim response (1xx but 101) has come.
    void interim(ResponseHead head);

    /// The head of the response has come; content may follow.
    void head(ResponseHead head);

    /// Content, or none when the head is to be passed on now. The array is lent for this call.
    void content(byte[] bytes, int from, int to);

    /// The response is complete with these last bytes. The connection serves others already.
    void end(byte[] bytes, int from, int to, Fields trailers);

    /// The peer takes more of the request's content: [PeerExchange#contentRoom] is above 0.
    void room();

    /// There will be no response, or not all of it. The connection is closed, or what it carried of
    /// this request is over.
    ///
    /// @param why for the log, and of ours: nothing that the peer sent
    void failed(Outcome outcome, String why);
}
