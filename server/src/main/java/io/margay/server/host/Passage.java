package io.margay.server.host;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import org.jspecify.annotations.Nullable;

/// The way of one request through the stages of its host. Confined to the loop thread of its
/// connection.
public interface Passage {
    /// What answers the request, once a stage has chosen it.
    @Nullable Handler handler();

    /// Chooses what answers the request.
    void answerBy(Handler handler);

    /// The exchange that is to be answered: the client's own, or what stages have put around it.
    Exchange answered();

    /// Has another exchange answered in place of [#answered].
    void wrap(Exchange exchange);

    /// The target of the request is another one now: stages that depend on it are entered anew, or
    /// those of another host, if the request is for one.
    void retargeted();

    /// Number of the stage that is being entered, or resumed: [#resume] is told it.
    int visit();

    /// Goes on with a request that [waits][Stage.Outcome#WAITS], at the stage that had it wait:
    /// `rest` is what is left of that stage. Called once for each wait, on the loop thread; nothing
    /// is done when the client has left meanwhile.
    ///
    /// @param visit by which the stage was entered, so that no other is resumed
    /// @throws IllegalStateException when the request does not wait there any more
    void resume(int visit, Stage rest);
}
