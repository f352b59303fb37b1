package io.margay.server.meter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// What is counted of everything of one type: a row for each number. Whoever makes it fills it, and
/// it is not changed afterwards; then it is thread-safe.
///
/// @param <T> what the numbers are read of
public final class MeterTable<T> {
    private final List<Function<T, Meter>> rows = new ArrayList<>();
    private final String prefix;

    /// @param prefix with which all names begin
    public MeterTable(String prefix) {
        this.prefix = prefix;
    }

    /// What only grows.
    ///
    /// @param name without the prefix, and without the `_total` that is written behind it
    public MeterTable<T> counter(String name, String help, ToDoubleFunction<T> read) {
        rows.add(one -> Meter.counter(prefix + name, help, () -> read.applyAsDouble(one)));
        return this;
    }

    /// What rises and falls.
    public MeterTable<T> gauge(String name, String help, ToDoubleFunction<T> read) {
        rows.add(one -> Meter.gauge(prefix + name, help, () -> read.applyAsDouble(one)));
        return this;
    }

    /// What has a size each time.
    public MeterTable<T> distribution(String name, String help, Function<T, Distribution> read) {
        rows.add(one -> Meter.distribution(prefix + name, help, () -> read.apply(one)));
        return this;
    }

    /// A number for each class of status.
    ///
    /// @param read from 1xx on
    public MeterTable<T> statuses(String name, String help, Function<T, List<Long>> read) {
        for (int i = 1; i <= 5; i++) {
            int place = i - 1;
            String status = i + "xx";
            rows.add(one ->
                    Meter.counter(prefix + name, help, () -> read.apply(one).get(place))
                            .with("status", status));
        }
        return this;
    }

    /// The meters of one of them.
    ///
    /// @param labels that all get, each a name and its value
    public List<Meter> of(T one, String... labels) {
        List<Meter> all = new ArrayList<>(rows.size());
        for (Function<T, Meter> row : rows) {
            Meter meter = row.apply(one);
            for (int i = 0; i < labels.length; i += 2) {
                meter = meter.with(labels[i], labels[i + 1]);
            }
            all.add(meter);
        }
        return all;
    }
}
