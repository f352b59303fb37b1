package io.margay.app.startcache;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A kind of server that has a cache of its own: the JVM loads all classes of its cache when it
/// starts, whether they are used or not. The launcher chooses the kind by the command line and the
/// configuration; the name of a cache ends with it.
public enum CacheKind {
    /// Applications behind a gateway, and files, over TLS and HTTP/2 as well.
    BOTH,
    /// Upstreams and files, over TLS and HTTP/2 as well, without applications.
    GATEWAY,
    /// Applications over HTTP/1.1 alone.
    APPLICATIONS;

    private static final String NAME = "margay.cache.kind";
    private static final String ENDING = ".aot";

    /// By its name, as users write it.
    public static Optional<CacheKind> named(String name) {
        return Stream.of(values()).filter(kind -> kind.toString().equals(name)).findFirst();
    }

    /// The kind of which this process learns.
    public static CacheKind trained() {
        return named(System.getProperty(NAME, "")).orElse(BOTH);
    }

    /// The option of the JVM that makes it learn of this kind.
    public String option() {
        return "-D" + NAME + "=" + this;
    }

    /// The kind of a cache, by the name of the file.
    static CacheKind of(Path file) {
        String name = file.toString();
        return Stream.of(GATEWAY, APPLICATIONS)
                .filter(kind -> name.endsWith(kind.suffix()))
                .findFirst()
                .orElse(BOTH);
    }

    /// The cache of this kind beside one of any kind.
    Path beside(Path file) {
        String name = String.valueOf(file.getFileName());
        String shared = name.substring(0, name.length() - of(file).suffix().length());
        return file.resolveSibling(shared + suffix());
    }

    private String suffix() {
        return this == BOTH ? ENDING : "-" + this + ENDING;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
