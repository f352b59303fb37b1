package io.margay.server.host;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.meter.Meter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Answers by class of status, from 1xx (101) to 5xx. It counts each exchange of which it is an
/// observer. Thread-safe; a reading is not a snapshot of one instant.
public final class StatusCounts implements ExchangeObserver {
    private static final int CLASSES = 5;

    private final LongAdder[] counts = new LongAdder[CLASSES];

    public StatusCounts() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    /// Counts an answer; one without a class is none.
    public void count(int status) {
        int place = status / 100 - 1;
        if (place >= 0 && place < CLASSES) {
            counts[place].increment();
        }
    }

    @Override
    public void ended(Exchange exchange) {
        count(exchange.status());
    }

    /// From 1xx to 5xx.
    public List<Long> read() {
        return Arrays.stream(counts).map(LongAdder::sum).toList();
    }

    /// Begins anew.
    public void reset() {
        Arrays.stream(counts).forEach(LongAdder::reset);
    }

    /// One for each class of which there were any, with the label `status`: thousands of hosts have
    /// few.
    ///
    /// @param name without the `_total` that is written behind it
    public List<Meter> meters(String name, String help) {
        List<Meter> meters = new ArrayList<>();
        for (int i = 0; i < CLASSES; i++) {
            LongAdder count = counts[i];
            if (count.sum() > 0) {
                meters.add(Meter.counter(name, help, count::sum).with("status", (i + 1) + "xx"));
            }
        }
        return meters;
    }
}
