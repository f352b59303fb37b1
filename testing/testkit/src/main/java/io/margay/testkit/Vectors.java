package io.margay.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Test vectors in readable files.
///
/// ```
/// # a comment
/// == name of the vector
/// @ key=value                      an option
/// > GET / HTTP/1.1\r\n             input, escaped as [Escapes] says; lines are joined as they are
/// < error 400 RFC 9112 §3.2        an event that is expected
/// ```
public final class Vectors {
    /// One vector.
    ///
    /// @param escapedInput the input as [Escapes] writes it
    public record Vector(
            String name, Map<String, String> options, String escapedInput, List<String> expected) {
        /// The input's octets.
        public byte[] input() {
            return Escapes.unescape(escapedInput);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Vectors() {}

    /// All vectors of a class path resource.
    public static List<Vector> load(String resource) {
        try (InputStream in = Vectors.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + resource);
            }
            List<Vector> vectors =
                    parse(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
            if (vectors.isEmpty()) {
                throw new IllegalArgumentException("no vectors in " + resource);
            }
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Vector> parse(BufferedReader reader) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        String name = "";
        Map<String, String> options = new HashMap<>();
        StringBuilder input = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith("== ")) {
                add(vectors, name, options, input, expected);
                name = line.substring(3);
                options = new HashMap<>();
                input = new StringBuilder();
                expected = new ArrayList<>();
            } else if (line.startsWith("> ")) {
                input.append(line, 2, line.length());
            } else if (line.startsWith("< ")) {
                expected.add(line.substring(2));
            } else if (line.startsWith("@ ")) {
                int equals = line.indexOf('=');
                options.put(line.substring(2, equals), line.substring(equals + 1));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new IllegalArgumentException("cannot read vector line: " + line);
            }
        }
        add(vectors, name, options, input, expected);
        return vectors;
    }

    private static void add(
            List<Vector> vectors,
            String name,
            Map<String, String> options,
            StringBuilder input,
            List<String> expected) {
        if (expected.isEmpty() && input.isEmpty()) {
            return;
        }
        if (expected.isEmpty()) {
            throw new IllegalArgumentException("vector expects nothing: " + name);
        }
        vectors.add(new Vector(name, options, input.toString(), expected));
    }
}
