package io.margay.server.forwarded;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Whose forwarding fields a listener believes, and what it takes from them. Immutable.
///
/// @param from addresses and networks of the front ends, each believed whatever it tells
/// @param dialect in which they tell
/// @param take what is taken
public record FrontEndTrust(List<String> from, Dialect dialect, Set<Part> take) {
    /// The address of the client, and whether it speaks TLS.
    public static final Set<Part> TAKE_DEFAULT = Set.of(Part.FOR, Part.PROTO);

    public FrontEndTrust {
        from = List.copyOf(from);
        take = Set.copyOf(take);
        if (from.isEmpty() || take.isEmpty()) {
            throw new IllegalArgumentException("a front end and what it tells are needed");
        }
        Object _ = Networks.of(from);
    }

    /// By which fields front ends tell.
    public enum Dialect {
        /// `X-Forwarded-For`, `-Proto`, `-Host`, `-Port`.
        X_FORWARDED,

        /// `Forwarded` (RFC 7239).
        STANDARD;

        /// What the file calls it.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// What front ends tell of a request.
    public enum Part {
        /// Where its client is.
        FOR,

        /// Its scheme.
        PROTO,

        /// The host that it is for.
        HOST,

        /// The port that it is for.
        PORT;

        /// What the file calls it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
