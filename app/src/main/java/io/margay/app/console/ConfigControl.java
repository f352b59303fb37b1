package io.margay.app.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the configuration of a server comes from, and comes from again. Thread-safe; both
/// operations wait until they are done.
public interface ConfigControl {
    /// As messages call it, the file above all.
    String name();

    /// Reads it, and leaves in force what is.
    ///
    /// @return what is wrong, a line each; empty = a reload would take it
    List<String> check();

    /// Reads it and puts it in force; a wrong one changes nothing.
    ///
    /// @param by who asks, for the log
    /// @return what is wrong; null when it is in force
    @Nullable String reload(String by);
}
