package io.margay.servlet.settings;

import org.jspecify.annotations.Nullable;

/// What is shown of an error that an application has no page for. Thread-safe; it may read files.
public interface ErrorReports {
    /// The page, HTML in UTF-8; null = the server's own.
    ///
    /// @param thrown what the application has thrown; null = nothing
    byte @Nullable [] page(int status, @Nullable Throwable thrown);

    /// Whether the server's own page shows what the application says of the error, and the
    /// exception.
    boolean details();
}
