package io.margay.server.host;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.meter.Meter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Answers by class of status, from 1xx (101) to 5xx. It counts each exchange of which it is an
/// observer. Thread-safe; a reading is not a snapshot of one instant.
public final class StatusCounts implements ExchangeObserver {
    private static final int CLASSES = 5;
    private static final List<Long> NONE = Collections.nCopies(CLASSES, 0L);

    /// Null until there is an answer: of thousands of hosts many have none.
    private volatile LongAdder @Nullable [] counts;

    /// Counts an answer; one without a class is none.
    public void count(int status) {
        int place = status / 100 - 1;
        if (place >= 0 && place < CLASSES) {
            LongAdder[] known = counts;
            (known == null ? made() : known)[place].increment();
        }
    }

    private synchronized LongAdder[] made() {
        LongAdder[] known = counts;
        if (known == null) {
            known = new LongAdder[CLASSES];
            for (int i = 0; i < CLASSES; i++) {
                known[i] = new LongAdder();
            }
            counts = known;
        }
        return known;
    }

    @Override
    public void ended(Exchange exchange) {
        count(exchange.status());
    }

    /// From 1xx to 5xx.
    public List<Long> read() {
        LongAdder[] known = counts;
        return known == null ? NONE : Arrays.stream(known).map(LongAdder::sum).toList();
    }

    /// Begins anew.
    public void reset() {
        LongAdder[] known = counts;
        if (known != null) {
            Arrays.stream(known).forEach(LongAdder::reset);
        }
    }

    /// One for each class of which there were any, with the label `status`: thousands of hosts have
    /// few.
    ///
    /// @param name without the `_total` that is written behind it
    public List<Meter> meters(String name, String help) {
        LongAdder[] known = counts;
        if (known == null) {
            return List.of();
        }
        List<Meter> meters = new ArrayList<>();
        for (int i = 0; i < CLASSES; i++) {
            LongAdder count = known[i];
            if (count.sum() > 0) {
                meters.add(Meter.counter(name, help, count::sum).with("status", (i + 1) + "xx"));
            }
        }
        return meters;
    }
}
