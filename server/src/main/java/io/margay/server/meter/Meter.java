package io.margay.server.meter;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/// One number that something counts. Whoever counts makes the meter, whoever composes adds where it
/// counts, and all who show numbers go through the meters there are. Immutable; reading is
/// thread-safe and never waits.
///
/// @param name as in `margay_held_bytes`, with the unit last; that of a counter without the
///   `_total` that is written behind it
/// @param help what is counted, in a sentence
/// @param labels what tells it from others of the same name, which all have the same labels
/// @param read the number of now
public record Meter(Kind kind, String name, String help, List<Label> labels, DoubleSupplier read) {
    /// What becomes of the number.
    public enum Kind {
        /// It only grows, until the process ends.
        COUNTER,
        /// It rises and falls.
        GAUGE
    }

    /// One label.
    public record Label(String name, String value) {}

    public Meter {
        labels = List.copyOf(labels);
    }

    /// What only grows.
    public static Meter counter(String name, String help, DoubleSupplier read) {
        return new Meter(Kind.COUNTER, name, help, List.of(), read);
    }

    /// What rises and falls.
    public static Meter gauge(String name, String help, DoubleSupplier read) {
        return new Meter(Kind.GAUGE, name, help, List.of(), read);
    }

    /// The same with one more label.
    public Meter with(String label, String value) {
        List<Label> all =
                Stream.concat(labels.stream(), Stream.of(new Label(label, value))).toList();
        return new Meter(kind, name, help, all, read);
    }

    /// All of them with one more label.
    public static List<Meter> with(List<Meter> meters, String label, String value) {
        return meters.stream().map(meter -> meter.with(label, value)).toList();
    }
}
