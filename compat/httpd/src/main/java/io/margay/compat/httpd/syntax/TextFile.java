package io.margay.compat.httpd.syntax;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The lines of a configuration file, without line ends. Immutable.
///
/// @param name as messages call it
public record TextFile(String name, List<String> lines) {
    /// Files beyond this are not configurations.
    static final long BYTES_MAX = 16_777_216;

    public TextFile {
        lines = List.copyOf(lines);
    }

    /// Reads a file; octets that are not UTF-8 are taken as ISO 8859-1.
    public static TextFile read(Path path, String name) throws IOException {
        if (Files.size(path) > BYTES_MAX) {
            throw new IOException("more than " + BYTES_MAX + " bytes");
        }
        byte[] bytes = Files.readAllBytes(path);
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return new TextFile(name, text.lines().toList());
    }
}
