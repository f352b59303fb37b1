package io.margay.servlet.session.engine;

import java.util.Objects;

/// Which session of which application. Immutable.
///
/// @param application the same for the same application on every server: host and context path
/// @param id the identifier, well-formed: 32 hexadecimal digits, with or without a route
public record SessionKey(String application, String id) {
    public SessionKey {
        Objects.requireNonNull(application, "application");
        Objects.requireNonNull(id, "id");
    }
}
