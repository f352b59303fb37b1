package io.margay.gateway.rules;

import java.nio.file.Path;

/// Where a map of rules, `${map:key}`, has its values from. Immutable.
public sealed interface MapSource {
    /// It makes them of the key.
    record Made(Function function) implements MapSource {}

    /// A file with a key and a value in each line, read again when it changes.
    ///
    /// @param random whether a value is several, separated by `|`, of which one is taken by chance
    record Lines(Path file, boolean random) implements MapSource {}

    /// What is made of a key.
    enum Function {
        /// Letters in lower case.
        LOWER,

        /// Letters in upper case.
        UPPER,

        /// Percent-encoded.
        ESCAPE,

        /// Decoded.
        UNESCAPE,

        /// Percent-encoded as the value of a parameter: all but letters, digits and `_`.
        PARAMETER
    }
}
