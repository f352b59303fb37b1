package io.margay.app.config.binding;

import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a value of the file may be, and the value of a record that it stands for. Immutable.
///
/// @param shape what is written in the file
/// @param reader makes the value of it
/// @param writer makes of the value what [YamlText] prints
public record Form<V>(Shape shape, Reader<V> reader, Writer<V> writer) {
    /// Makes a value of what stands in the file.
    @FunctionalInterface
    public interface Reader<V> {
        /// @param value what the shape made of it
        /// @param otherwise what holds for the keys of a section that are left out
        /// @return null = it is of no use, which has been reported
        @Nullable V read(Object value, Spot at, @Nullable V otherwise);
    }

    /// Makes of a value what stands in the file.
    @FunctionalInterface
    public interface Writer<V> {
        /// @param otherwise what holds for the keys of a section that are left out
        /// @return a text of YAML, a list, or a map
        Object write(V value, @Nullable V otherwise);
    }

    /// Where a value stands.
    public record Spot(Settings section, String key, Reading reading) {
        /// Reports that it is of no use.
        public void problem(String message) {
            reading.problem(section, key, message);
        }
    }

    /// The value at a key.
    ///
    /// @param otherwise where it is not given, or of no use
    public V read(Settings section, String key, V otherwise, Reading reading) {
        Object given = section.get(key, Object.class).orElse(null);
        V read =
                given == null
                        ? null
                        : reader.read(given, new Spot(section, key, reading), otherwise);
        return read == null ? otherwise : read;
    }

    /// The same, shown in no message.
    public Form<V> secret() {
        return new Form<>(((Shape.Scalar) shape).asSecret(), reader, writer);
    }

    /// The same of another class.
    ///
    /// @param to the first line of an IllegalArgumentException's message is the problem
    public <W> Form<W> as(Function<V, W> to, Function<W, V> from) {
        return maybe(value -> Optional.of(to.apply(value)), from);
    }

    /// The same of another class, in which some values stand for nothing.
    public <W> Form<W> maybe(Function<V, Optional<W>> to, Function<W, V> from) {
        return new Form<>(
                shape,
                (value, at, _) -> {
                    V read = reader.read(value, at, null);
                    return read == null
                            ? null
                            : at.reading()
                                    .made(at.section(), at.key(), () -> to.apply(read))
                                    .flatMap(one -> one)
                                    .orElse(null);
                },
                (value, _) -> writer.write(from.apply(value), null));
    }

    /// A value in words of the reference.
    String words(V value) {
        return wordsOf(writer.write(value, null));
    }

    private static String wordsOf(Object node) {
        return switch (node) {
            case List<?> list ->
                    list.stream().map(Form::wordsOf).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> _ -> "as listed";
            default -> String.valueOf(node).replaceAll("^\"(.*)\"$", "$1");
        };
    }
}
