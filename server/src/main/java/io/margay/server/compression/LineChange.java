package io.margay.server.compression;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.UndecidedException;
import org.jspecify.annotations.Nullable;

/// What is done to each line of the content of a response. Used by one thread at a time.
public interface LineChange {
    /// Bytes that a line may have at most, its end included.
    int lineBytesMax();

    /// Changes one line.
    ///
    /// @param length bytes, the line's end included
    /// @return null when it remains as it is
    /// @throws UndecidedException when that does not come to an end, or the line becomes too long:
    ///   then the response is not sent
    byte @Nullable [] change(byte[] bytes, int offset, int length);

    /// Says for a response whether its lines are changed, when its head is about to be sent.
    @FunctionalInterface
    interface Choice {
        /// @return null when they remain as they are
        @Nullable LineChange of(Exchange exchange);
    }

    /// The exchange that a handler is to answer in place of the client's. A line that is longer
    /// than it may be has 500 for an answer, or ends the response in its middle where a part of it
    /// has been sent; so does one for which there is no memory.
    ///
    /// @param memory for lines of which the end has not come
    static DialingExchange around(DialingExchange exchange, Choice choice, MemoryBudget memory) {
        return EncodedResponse.around(
                exchange, length -> LineEncoder.recoded(exchange, choice, length, memory));
    }
}
