package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import java.io.IOException;

/// What a host changes in all that passes it, whoever answers. Thread-safe; called by whichever
/// thread works on the exchange, so it must not wait.
public interface ExchangeRules {
    /// The fields of a request that is about to go to another server, those that tell of this one
    /// not yet among them.
    void request(Exchange exchange, FieldList fields);

    /// The head of the response is about to be sent; its fields can still be changed.
    ///
    /// @param own whether it is this server's own answer, such as an error or a redirection, and
    ///   not that of a handler
    void head(Exchange exchange, boolean own);

    /// The value of a variable of the request, named as conditions name it, such as `ENV:NAME`;
    /// empty where it has none.
    default String variable(Exchange exchange, String name) {
        return "";
    }

    /// Answers with an error in its own way.
    ///
    /// @return false when it has none: then nothing was done
    boolean error(Exchange exchange, int status) throws IOException;
}
