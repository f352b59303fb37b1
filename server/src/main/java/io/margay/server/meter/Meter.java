package io.margay.server.meter;

import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What something counts. Whoever counts makes the meter, whoever composes adds where it counts,
/// and all who show numbers go through the meters there are. Immutable; reading is thread-safe and
/// never waits.
///
/// @param name as in `margay_held_bytes`, with the unit last; that of a counter without the
///   `_total` that is written behind it
/// @param help what is counted, in a sentence
/// @param labels what tells it from others of the same name, which all have the same labels
/// @param read the number of now; of a distribution how many values there were
/// @param spread the values of now; of what is no distribution none
public record Meter(
        Kind kind,
        String name,
        String help,
        List<Label> labels,
        DoubleSupplier read,
        Supplier<Distribution> spread) {
    /// What becomes of the number.
    public enum Kind {
        /// It only grows, until the process ends.
        COUNTER,
        /// It rises and falls.
        GAUGE,
        /// Values are added, and never taken away.
        DISTRIBUTION
    }

    /// One label.
    public record Label(String name, String value) {}

    public Meter {
        labels = List.copyOf(labels);
    }

    /// What only grows.
    public static Meter counter(String name, String help, DoubleSupplier read) {
        return new Meter(Kind.COUNTER, name, help, List.of(), read, () -> Distribution.NONE);
    }

    /// What rises and falls.
    public static Meter gauge(String name, String help, DoubleSupplier read) {
        return new Meter(Kind.GAUGE, name, help, List.of(), read, () -> Distribution.NONE);
    }

    /// What has a size each time.
    public static Meter distribution(String name, String help, Supplier<Distribution> spread) {
        return new Meter(
                Kind.DISTRIBUTION, name, help, List.of(), () -> spread.get().count(), spread);
    }

    /// Name and labels in the order of their names, as
    /// `margay_requests{listener="http:8080",status="2xx"}`.
    public String id() {
        return labels.isEmpty()
                ? name
                : labels.stream()
                        .sorted(Comparator.comparing(Label::name))
                        .map(label -> label.name() + "=\"" + label.value() + "\"")
                        .collect(Collectors.joining(",", name + "{", "}"));
    }

    /// The same with one more label.
    public Meter with(String label, String value) {
        List<Label> all =
                Stream.concat(labels.stream(), Stream.of(new Label(label, value))).toList();
        return new Meter(kind, name, help, all, read, spread);
    }

    /// All of them with one more label.
    public static List<Meter> with(List<Meter> meters, String label, String value) {
        return meters.stream().map(meter -> meter.with(label, value)).toList();
    }
}
