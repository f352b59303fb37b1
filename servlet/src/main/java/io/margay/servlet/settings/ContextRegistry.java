package io.margay.servlet.settings;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/// The other applications of the same host, for `ServletContext.getContext`. Thread-safe.
@FunctionalInterface
public interface ContextRegistry {
    /// A registry that knows no other application: cross-context dispatch is off.
    ContextRegistry NONE = path -> null;

    /// The context that serves the absolute path `uriPath`, or null.
    @Nullable ServletContext find(String uriPath);
}
