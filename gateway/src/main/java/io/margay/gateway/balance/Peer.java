package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import java.util.concurrent.atomic.AtomicInteger;

/// One peer of an upstream and the state it is in. Thread-safe.
public final class Peer {
    private final PeerConfig config;
    private final AtomicInteger busy = new AtomicInteger();
    private volatile Activation activation;

    Peer(PeerConfig config) {
        this.config = config;
        activation = config.share().activation();
    }

    /// As configured at first; what has changed at run time has getters of its own.
    public PeerConfig config() {
        return config;
    }

    /// What it is used for now.
    public Activation activation() {
        return activation;
    }

    /// Changes what it is used for.
    public void activation(Activation now) {
        activation = now;
    }

    /// Requests that are on it at this moment.
    public int busy() {
        return busy.get();
    }

    /// Counts a request that is about to be tried on it.
    public void begin() {
        busy.incrementAndGet();
    }

    /// Counts the end of an attempt; every [#begin] is followed by exactly one.
    ///
    /// @param bytesOut of content sent to it
    /// @param bytesIn of content received from it
    public void end(Outcome outcome, long bytesOut, long bytesIn) {
        busy.decrementAndGet();
    }
}
