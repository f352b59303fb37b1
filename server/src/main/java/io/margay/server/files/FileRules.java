package io.margay.server.files;

import io.margay.server.exchange.Exchange;
import java.nio.file.Path;

/// What a host says of files, whatever led a request to them. Thread-safe; asked on loop threads.
@FunctionalInterface
public interface FileRules {
    /// Sends every file.
    FileRules NONE = (_, _) -> true;

    /// Whether a file may be sent. It is asked just before it is, also for the page of a folder and
    /// for what takes the place of a missing file.
    ///
    /// @param file the name by which it was found, below the folder as it is configured
    boolean sends(Exchange exchange, Path file);
}
