package io.margay.lab.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON as trees of `Map<String, Object>`, `List<Object>`, `String`, `Number` and `Boolean`, read
/// and written by jackson-jr. Stateless.
public final class Json {
    private static final JSON LINE = JSON.std;
    private static final JSON PRETTY = LINE.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

    private Json() {}

    /// Reads a text.
    ///
    /// @throws IllegalArgumentException with the line of what is wrong
    public static Object parse(String text) {
        try (JsonParser parser = LINE.createParser(text)) {
            Object tree = LINE.anyFrom(parser);
            if (tree == null || parser.nextToken() != null) {
                throw new IllegalArgumentException("one value was expected");
            }
            return tree;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IllegalArgumentException("line " + line + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// On one line.
    public static String line(Object tree) {
        return write(LINE, tree);
    }

    /// For people, with a line break at the end.
    public static String pretty(Object tree) {
        return write(PRETTY, tree) + "\n";
    }

    private static String write(JSON how, Object tree) {
        try {
            return how.asString(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A tree that must be an object.
    ///
    /// @throws IllegalArgumentException if it is none
    @SuppressWarnings("unchecked") // an object read by jackson-jr has names for keys
    public static Map<String, Object> object(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException("expected an object, not " + kind(tree));
    }

    /// A tree that must be an array.
    ///
    /// @throws IllegalArgumentException if it is none
    @SuppressWarnings("unchecked")
    public static List<Object> array(Object tree) {
        if (tree instanceof List<?> list) {
            return (List<Object>) list;
        }
        throw new IllegalArgumentException("expected an array, not " + kind(tree));
    }

    /// What a tree is, in words.
    static String kind(@Nullable Object tree) {
        return switch (tree) {
            case null -> "nothing";
            case Map<?, ?> _ -> "an object";
            case List<?> _ -> "an array";
            case String _ -> "a text";
            case Number _ -> "a number";
            default -> "a boolean";
        };
    }
}
