package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import java.io.IOException;

/// What a host changes in all that passes it, whoever answers. Thread-safe; called by whichever
/// thread works on the exchange, so it must not wait.
public interface ExchangeRules {
    /// Whether changes of this request come to an end, which is asked before another server is.
    default boolean isDecided(Exchange exchange) {
        return true;
    }

    /// The fields of a request that is about to go to another server, those that tell of this one
    /// not yet among them.
    ///
    /// @throws UndecidedException when a change does not come to an end: the request goes nowhere
    void request(Exchange exchange, FieldList fields);

    /// The head of the response is about to be sent; its fields can still be changed.
    ///
    /// @param own whether it is this server's own answer, such as an error or a redirection, and
    ///   not that of a handler
    /// @throws UndecidedException when a change does not come to an end: 500 is sent in its place
    void head(Exchange exchange, boolean own);

    /// That 500 is about to be sent: what depends on no expression is changed in it, too.
    default void undecided(Exchange exchange) {}

    /// The value of a variable of the request, named as conditions name it, such as `ENV:NAME`;
    /// empty where it has none.
    ///
    /// @throws UndecidedException when it does not come to an end
    default String variable(Exchange exchange, String name) {
        return "";
    }

    /// Answers with an error in its own way.
    ///
    /// @return false when it has none: then nothing was done
    boolean error(Exchange exchange, int status) throws IOException;
}
