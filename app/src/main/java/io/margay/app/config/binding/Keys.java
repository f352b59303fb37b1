package io.margay.app.config.binding;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.List;
import java.util.Map;

/// The keys that make a record, and how they are read and written. Immutable.
public interface Keys<R> {
    /// What the section describes, such as "a listener".
    String says();

    /// What holds where no key is given.
    R defaults();

    /// The keys as the reader, the schema and the reference know them.
    List<Shape.Key> shapes();

    /// The section with these keys alone.
    default Shape.Section shape() {
        return new Shape.Section(says(), this::shapes, List.of());
    }

    /// The record with what a section says.
    ///
    /// @param otherwise what holds for the keys that are left out
    R read(Settings section, R otherwise, Reading reading);

    /// The same of a section within another one.
    ///
    /// @param otherwise also what holds where there is no such section
    default R below(Settings in, String key, R otherwise, Reading reading) {
        return in.section(key).map(one -> read(one, otherwise, reading)).orElse(otherwise);
    }

    /// The keys with what is not as it is otherwise.
    Map<String, Object> write(R value, R otherwise);
}
