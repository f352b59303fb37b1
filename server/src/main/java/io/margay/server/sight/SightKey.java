package io.margay.server.sight;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whose requests are counted together. Immutable.
///
/// @param of the host, the upstream; empty for a listener
/// @param name the route by its path, the member, the listener; empty = what no route answered
/// @param application that the route leads to: its path, with `##` and its version if it has one;
///   empty = none
public record SightKey(Kind kind, String of, String name, String application) {
    /// Bytes that one takes at most with what refers to it, apart from texts that others have.
    static final int BYTES_MAX = 512;

    // Written out, for one of each route is put into a map when a server starts: those of a record
    // are made by the first call, which takes longer than all others of the start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SightKey key
                && kind == key.kind
                && of.equals(key.of)
                && name.equals(key.name)
                && application.equals(key.application);
    }

    @Override
    public int hashCode() {
        return ((kind.hashCode() * 31 + of.hashCode()) * 31 + name.hashCode()) * 31
                + application.hashCode();
    }

    /// What it is.
    public enum Kind {
        LISTENER,
        ROUTE,
        MEMBER
    }

    /// By what the hour is shown.
    public enum By {
        LISTENER(Kind.LISTENER),
        HOST(Kind.ROUTE),
        ROUTE(Kind.ROUTE),
        APPLICATION(Kind.ROUTE),
        UPSTREAM(Kind.MEMBER),
        MEMBER(Kind.MEMBER);

        private final Kind kind;

        By(Kind kind) {
            this.kind = kind;
        }

        /// Whether something is counted so.
        boolean takes(SightKey key) {
            return key.kind == kind && (this != APPLICATION || !key.application.isEmpty());
        }

        /// How whoever shows it names it, in the order in which it is shown.
        public Map<String, String> labels(SightKey key) {
            Map<String, String> labels = new LinkedHashMap<>();
            switch (this) {
                case LISTENER -> labels.put("listener", key.name);
                case HOST -> labels.put("host", key.of);
                case ROUTE -> {
                    labels.put("host", key.of);
                    labels.put("route", key.name);
                }
                case APPLICATION -> {
                    labels.put("host", key.of);
                    labels.put("application", key.application);
                }
                case UPSTREAM -> labels.put("upstream", key.of);
                case MEMBER -> {
                    labels.put("upstream", key.of);
                    labels.put("member", key.name);
                }
            }
            return labels;
        }

        /// What it is counted as.
        public SightKey of(SightKey key) {
            return switch (this) {
                case LISTENER, MEMBER -> key;
                case HOST, UPSTREAM -> new SightKey(kind, key.of, "", "");
                case ROUTE -> new SightKey(kind, key.of, key.name, "");
                case APPLICATION -> new SightKey(kind, key.of, "", key.application);
            };
        }
    }

    /// A listener.
    public static SightKey listener(String name) {
        return new SightKey(Kind.LISTENER, "", name, "");
    }

    /// A member of an upstream.
    public static SightKey member(String upstream, String name) {
        return new SightKey(Kind.MEMBER, upstream, name, "");
    }
}
