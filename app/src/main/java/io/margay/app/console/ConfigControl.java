package io.margay.app.console;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the configuration of a server comes from, and comes from again. Thread-safe; both
/// operations wait until they are done.
public interface ConfigControl {
    /// As messages call it, the file above all.
    String name();

    /// What was read when the server started, which holds for what no reload changes.
    Said started();

    /// What is active but for that.
    Said inForce();

    /// Reads it, as a reload would.
    Said next();

    /// What a configuration says, in the form of `margay.yaml`: with its secrets, so that only
    /// [io.margay.app.yaml.Outline] shows it.
    ///
    /// @param at when it was read
    /// @param own whether the text is that of the file, so that its lines can be found there
    /// @param commandLine options that say something else than the file
    /// @param problems what is wrong with it, a line each
    record Said(
            String text, Instant at, boolean own, List<String> commandLine, List<String> problems) {
        public Said {
            commandLine = List.copyOf(commandLine);
            problems = List.copyOf(problems);
        }
    }

    /// Reads it, and leaves in force what is.
    ///
    /// @return what is wrong, a line each; empty = a reload would take it
    List<String> check();

    /// Reads it and applies it; a wrong one changes nothing.
    ///
    /// @param by who asks, for the log
    /// @return what is wrong; null when it is active
    @Nullable String reload(String by);
}
