package io.margay.gateway.rules;

import io.margay.protocol.http.MediaTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Media types by the endings of names, from a file such as `/etc/mime.types`, as mod_mime reads
/// it: a type and its endings in each line, the last line about an ending counts. Immutable.
///
/// @param types by endings in lower case
public record TypesFile(Path path, Map<String, String> types) {
    /// Octets of such a file; `/etc/mime.types` of Debian has about 70 KiB.
    public static final int BYTES_MAX = 4 << 20;

    /// Of no file: no ending is known.
    public static final TypesFile NONE = new TypesFile(Path.of("/dev/null"), Map.of());

    public TypesFile {
        types = Collections.unmodifiableMap(new HashMap<>(types));
    }

    /// Reads a file.
    ///
    /// @throws IOException when it cannot be read, or is too large
    public static TypesFile read(Path path) throws IOException {
        if (Files.size(path) > BYTES_MAX) {
            throw new IOException(path + " is larger than " + BYTES_MAX + " octets");
        }
        Map<String, String> types = new HashMap<>();
        for (String line : Files.readString(path, StandardCharsets.ISO_8859_1).lines().toList()) {
            String[] words = line.strip().split("\\s+", -1);
            for (int i = words[0].startsWith("#") ? words.length : 1; i < words.length; i++) {
                types.put(words[i].toLowerCase(Locale.ROOT), words[0]);
            }
        }
        return new TypesFile(path, types);
    }

    /// The type of an ending; null = it is not known.
    ///
    /// @param file null = the server's own list
    static @Nullable String of(@Nullable TypesFile file, String ending) {
        return file == null ? MediaTypes.ofFileName("x." + ending) : file.types.get(ending);
    }
}
