package io.margay.servlet.settings;

import jakarta.servlet.Filter;

/// A filter that the container itself registers in case it is needed.
public interface ContainerFilter extends Filter {
    /// Whether requests are to pass this filter. Asked when the application has started.
    boolean isNeeded();

    /// Ends what clients would keep up for as long as they like: the application is about to stop,
    /// once its requests have ended. May be called from any thread.
    void leave();

    /// The application goes on after all.
    void rejoin();
}
