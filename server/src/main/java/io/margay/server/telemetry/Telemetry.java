package io.margay.server.telemetry;

import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.meter.Meter;
import java.util.List;

/// Tells a collector of exchanges. Thread-safe.
public interface Telemetry extends ExchangeObserver, AutoCloseable {
    /// What it counts.
    List<Meter> meters();

    /// Sends what is left, and ends. Waits for seconds at most.
    @Override
    void close();
}
