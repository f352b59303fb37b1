package io.margay.server.host;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One stage on a request's way through its host: a limit, a login, a rewriting, an encoding of the
/// response. A host is an ordered list of stages, and each of them is entered once for a request.
/// Immutable or thread-safe: one stage is for all requests.
@FunctionalInterface
public interface Stage {
    /// What becomes of a request at a stage.
    enum Outcome {
        /// It goes on to the next stage.
        PASSES,

        /// It has been answered, or is being answered: no further stage sees it.
        ANSWERED,

        /// It goes on when the stage calls [Passage#resume].
        WAITS;

        /// The outcome of a stage that answers what it does not admit.
        public static Outcome of(boolean admitted) {
            return admitted ? PASSES : ANSWERED;
        }
    }

    /// Takes a request. On the loop thread of its connection, so it must not wait there: what takes
    /// long is begun, and the request [resumed][Passage#resume] later.
    ///
    /// @param exchange the client's own; [Passage#answered] is what stages before have made of it
    /// @throws IOException when the client is gone
    Outcome enter(Exchange exchange, Passage passage) throws IOException;

    /// Looks at a request, and answers those that do not go on.
    @FunctionalInterface
    interface Guard {
        /// @return false when it does not go on; then it has been answered
        boolean admits(Exchange exchange) throws IOException;
    }

    /// Notes something of a request.
    @FunctionalInterface
    interface Note {
        void note(Exchange exchange);
    }

    /// Puts an exchange around another one, for what is done to content on its way.
    @FunctionalInterface
    interface Wrapping {
        /// @return the same where nothing is done
        Exchange wrap(DialingExchange exchange, Passage passage);
    }

    /// A stage that lets requests pass or answers them; null for none.
    static @Nullable Stage guard(@Nullable Guard guard) {
        return guard == null ? null : (exchange, _) -> Outcome.of(guard.admits(exchange));
    }

    /// A stage that notes something; null for none.
    static @Nullable Stage noting(@Nullable Note note) {
        return note == null
                ? null
                : (exchange, _) -> {
                    note.note(exchange);
                    return Outcome.PASSES;
                };
    }

    /// A stage that puts an exchange around the one that is to be answered; null for none.
    static @Nullable Stage around(@Nullable Wrapping wrapping) {
        return wrapping == null
                ? null
                : (_, passage) -> {
                    if (passage.answered() instanceof DialingExchange dialing) {
                        passage.wrap(wrapping.wrap(dialing, passage));
                    }
                    return Outcome.PASSES;
                };
    }
}
