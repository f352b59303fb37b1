package io.margay.lab.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Debian's next release in a folder, whose OpenSSL has what QUIC needs and whose nginx speaks
/// HTTP/3; `make http3` brings it. Immutable.
///
/// @param root where its `usr` and `etc` are
public record Http3System(Path root) {
    private static final String NGINX = "usr/sbin/nginx";

    public static Availability availability() {
        return Files.isExecutable(here().root.resolve(NGINX))
                ? Availability.HERE
                : Availability.missing("make http3 brings OpenSSL 3.5 and nginx 1.26");
    }

    /// That of this user, or of `MARGAY_HTTP3_ROOT`.
    public static Http3System here() {
        String named = System.getenv("MARGAY_HTTP3_ROOT");
        String cache =
                Objects.requireNonNullElse(
                        System.getenv("XDG_CACHE_HOME"),
                        System.getProperty("user.home") + "/.cache");
        Path folder = named == null ? Path.of(cache, "margay", "http3") : Path.of(named);
        return new Http3System(folder.resolve("system"));
    }

    /// The words that start its nginx.
    public List<String> nginx() throws IOException {
        List<String> words = new ArrayList<>(loader());
        words.add(root.resolve(NGINX).toString());
        return words;
    }

    /// The types of files by their names, for nginx.
    public Path mimeTypes() {
        return root.resolve("etc/nginx/mime.types");
    }

    /// What starts a program with its libraries.
    public List<String> loader() throws IOException {
        try (Stream<Path> all = Files.list(root.resolve("usr/lib"))) {
            for (Path libraries : all.toList()) {
                Optional<Path> loader = loader(libraries);
                if (loader.isPresent()) {
                    return List.of(loader.get().toString(), "--library-path", libraries.toString());
                }
            }
        }
        throw new IOException("no loader in " + root);
    }

    private static Optional<Path> loader(Path libraries) throws IOException {
        if (!Files.exists(libraries.resolve("libssl.so.3"))) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(libraries)) {
            return files.filter(one -> one.getFileName().toString().startsWith("ld-linux"))
                    .findFirst();
        }
    }
}
