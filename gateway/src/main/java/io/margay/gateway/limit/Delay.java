package io.margay.gateway.limit;

import io.margay.server.exchange.DialingExchange;
import io.margay.transport.Dialer;

/// Timers of requests that wait. Stateless.
final class Delay {
    private Delay() {}

    /// Runs a task on the loop thread of an exchange, within 100 ms after a time.
    static void until(long nanoTime, DialingExchange exchange, Runnable task) {
        Dialer dialer = exchange.carrier().dialer();
        Runnable due = () -> exchange.execute(task);
        if (dialer.inLoop()) {
            dialer.timer(due).at(nanoTime);
        } else {
            dialer.execute(() -> dialer.timer(due).at(nanoTime));
        }
    }
}
