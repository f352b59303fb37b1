package io.margay.server.files;

import io.margay.protocol.http.CanonicalPath;
import io.margay.server.exchange.Exchange;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a host says of files, whatever led a request to them. Thread-safe; asked on loop threads.
@FunctionalInterface
public interface FileRules {
    /// Sends every file.
    FileRules NONE = (_, _) -> FileRule.SENT;

    /// What becomes of a file. It is asked just before it is sent, also for the page of a folder
    /// and for what takes the place of a missing file.
    ///
    /// @param file the name by which it was found, below the folder as it is configured
    FileRule of(Exchange exchange, Path file);

    /// How a folder is shown that has no page of its own; null = it is not.
    ///
    /// @param path by which it was found, with a slash at the end
    default @Nullable FolderPage listing(Exchange exchange, CanonicalPath path) {
        return null;
    }

    /// What becomes of a file. Immutable.
    ///
    /// @param sent whether it may be sent
    /// @param typed whether it has the type that is said here
    /// @param type the value of `Content-Type`; null = none
    record FileRule(boolean sent, boolean typed, @Nullable String type) {
        /// It is sent, with the type that its name says.
        public static final FileRule SENT = new FileRule(true, false, null);

        /// It is not sent.
        public static final FileRule HIDDEN = new FileRule(false, false, null);
    }
}
